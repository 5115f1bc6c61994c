// Keeps the images that the page has redrawn, because an account's documents frequently show the same images. A page
// serves one account for its whole life, so no other account can see them.

export type Size = { width: number; height: number };

/** The result of redrawing an image in this size. `uri` is null if the image is not changed. */
export type Redraw = { size: Size; uri: string | null };

/** The same limit as for the largest document after which a page is kept; see `pooled-session.ts`. */
const maxChars = 4_000_000;

export function keptImages() {
  // The keys are complete sources, not digests, so that one image cannot be substituted for another.
  const redraws = new Map<string, Redraw>();
  let chars = 0;
  const drop = (source: string): void => {
    const dropped = redraws.get(source);
    if (dropped && redraws.delete(source)) chars -= charsOf(source, dropped);
  };
  /** Keeps one size of each image, and drops the least recently used images. */
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
    /** Returns the kept result for the image with this source and size; null if there is none. */
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
