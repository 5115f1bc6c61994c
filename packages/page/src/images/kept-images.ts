// Keeps the images that the page has redrawn, because the documents of an account often show the same ones. A page serves
// one account for its whole life, so no other account can get them.

export type Size = { width: number; height: number };

/** The result of a redraw in this size. `uri` is null if the image stays as it is. */
export type Redraw = { size: Size; uri: string | null };

/** The same size as the largest document after which a page is kept; see `pooled-session.ts`. */
const maxChars = 4_000_000;

export function keptImages() {
  // The keys are the whole sources and not digests of them, so that nobody can make one image pass for a different one.
  const redraws = new Map<string, Redraw>();
  let chars = 0;
  const drop = (source: string): void => {
    const dropped = redraws.get(source);
    if (dropped && redraws.delete(source)) chars -= charsOf(source, dropped);
  };
  /** Keeps one size of each image, and drops the images that were used longest ago. */
  const keep = (source: string, redraw: Redraw): void => {
    drop(source);
    if (charsOf(source, redraw) > maxChars) return;
    redraws.set(source, redraw);
    chars += charsOf(source, redraw);
    for (const oldest of redraws.keys()) {
      if (chars <= maxChars) break;
      drop(oldest);
    }
  };
  return {
    /** Returns the kept result for the image with this source in this size; null if there is none. */
    find(source: string, size: Size): Redraw | null {
      const keptRedraw = redraws.get(source);
      if (!keptRedraw || keptRedraw.size.width !== size.width || keptRedraw.size.height !== size.height) return null;
      keep(source, keptRedraw);
      return keptRedraw;
    },
    keep,
  };
}

function charsOf(source: string, { uri }: Redraw): number {
  return source.length + (uri?.length ?? 0);
}
