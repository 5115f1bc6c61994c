/** Returns the URLs of a `srcset`, the largest first. A URL ends at white space, because it may contain commas. */
export function largestFirst(srcset: string): string[] {
  const candidates: { url: string; size: number }[] = [];
  let url = "";
  for (const word of srcset.trim().split(/\s+/)) {
    const [descriptor = "", ...next] = url === "" ? ["", word] : word.split(",");
    if (url !== "") candidates.push({ url, size: parseFloat(descriptor) || 1 });
    const following = url === "" || next.length > 0 ? next.join(",").replace(/^,+/, "") : "";
    const isComplete = following.endsWith(",");
    if (isComplete) candidates.push({ url: following.replace(/,+$/, ""), size: 1 });
    url = isComplete ? "" : following;
  }
  if (url !== "") candidates.push({ url, size: 1 });
  return candidates.sort((a, b) => b.size - a.size).map(({ url: each }) => each);
}
