// Calculates how large an image is shown in its box.

export type Size = { width: number; height: number };

/**
 * The size of the whole image as it is shown, and that of the box that shows it, in CSS pixels. `isCropped` is whether the box
 * may show only a part of the image.
 */
export type Fit = { whole: Size; box: Size; isCropped: boolean };

/** `enlarged` is the factor by which transforms enlarge the image; `Infinity` if it is unknown how large the image is. */
export type Shown = Fit & { enlarged: number };

const tolerancePx = 0.5;

/** Returns how `object-fit` and `object-position` show an image of this natural size in a box. */
export function objectFit(box: Size, natural: Size, { objectFit, objectPosition }: CSSStyleDeclaration): Fit {
  const isInside = /^(?:\d\d?|100)(?:\.\d+)?% (?:\d\d?|100)(?:\.\d+)?%$/.test(objectPosition);
  return fitted(box, wholeSize(box, natural, objectFit), isInside);
}

function wholeSize(box: Size, natural: Size, fit: string): Size {
  const [across, down] = [box.width / natural.width, box.height / natural.height];
  switch (fit) {
    case "cover":
      return scaled(natural, Math.max(across, down));
    case "contain":
      return scaled(natural, Math.min(across, down));
    case "none":
      return natural;
    case "scale-down":
      return scaled(natural, Math.min(across, down, 1));
    default:
      return box;
  }
}

/** Returns how `background-size` shows an image of this natural size; null if its value is not understood. */
export function backgroundFit(box: Size, natural: Size, backgroundSize: string): Fit | null {
  if (backgroundSize === "cover" || backgroundSize === "contain")
    return fitted(box, wholeSize(box, natural, backgroundSize));
  const [width = "auto", height = "auto"] = backgroundSize.split(" ");
  const [across, down] = [lengthIn(width, box.width), lengthIn(height, box.height)];
  if (Number.isNaN(across) || Number.isNaN(down)) return null;
  const whole = {
    width: across ?? (down === null ? natural.width : (down * natural.width) / natural.height),
    height: down ?? (across === null ? natural.height : (across * natural.height) / natural.width),
  };
  return fitted(box, whole);
}

/** Returns a length in CSS pixels, null for `auto`, and `NaN` for other values. */
function lengthIn(value: string, percentBase: number): number | null {
  if (value === "auto") return null;
  const [, number, unit] = /^([\d.]+)(px|%)$/.exec(value) ?? [];
  return unit === "%" ? (Number(number) / 100) * percentBase : Number(number);
}

/** Returns how the `preserveAspectRatio` of an SVG image shows an image of this natural size. */
export function svgFit(box: Size, natural: Size, { align, meetOrSlice }: SVGPreserveAspectRatio): Fit {
  if (align === SVGPreserveAspectRatio.SVG_PRESERVEASPECTRATIO_NONE) return fitted(box, box);
  const isSlice = meetOrSlice === SVGPreserveAspectRatio.SVG_MEETORSLICE_SLICE;
  return fitted(box, wholeSize(box, natural, isSlice ? "cover" : "contain"));
}

export function unknownSize(isCropped: boolean): Shown {
  const none = { width: 0, height: 0 };
  return { whole: none, box: none, isCropped, enlarged: Infinity };
}

function fitted(box: Size, whole: Size, isInside = true): Fit {
  const exceeds = whole.width > box.width + tolerancePx || whole.height > box.height + tolerancePx;
  return { whole, box, isCropped: exceeds || !isInside };
}

function scaled({ width, height }: Size, scale: number): Size {
  return { width: width * scale, height: height * scale };
}
