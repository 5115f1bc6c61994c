// PDFs for tests, and what is in them.

/** A classic PDF, object by object (numbered from 1), as Chromium writes it. */
export function pdf(objects: string[], options: { root?: number; trailer?: string } = {}): Uint8Array<ArrayBuffer> {
  const { root = 1, trailer = `<< /Size ${objects.length + 1} /Root ${root} 0 R >>` } = options;
  let text = "%PDF-1.4\n%\xd3\xeb\xe9\xe1\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xrefAt = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}`;
  text += `trailer\n${trailer}\nstartxref\n${xrefAt}\n%%EOF`;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** One character a byte. */
export function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
