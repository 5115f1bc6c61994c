// A choice between values.
type Options = readonly (string | { value: string; label: string })[];

type Props = {
  options: Options;
  /** The text of an additional first option with an empty value. */
  any?: string;
  onValue?: (value: string) => void;
};

export function Select({ options, any, onValue, ...props }: Props & Record<string, unknown>) {
  return (
    <select onChange={({ currentTarget: { value } }) => onValue?.(value)} {...props}>
      {any !== undefined && <option value="">{any}</option>}
      {options.map((option) => {
        const { value, label } = typeof option === "string" ? { value: option, label: option } : option;
        return (
          <option key={value} value={value}>
            {label}
          </option>
        );
      })}
    </select>
  );
}
