// Headers of images, just long enough to tell a size; no decoder would accept them.

export function png(width: number, height: number): Uint8Array {
  return bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", big(width, 4), big(height, 4));
}

export function jpeg(
  width: number,
  height: number,
  { marker = 0xc0, exif = new Uint8Array(2), fill = 0 }: { marker?: number; exif?: Uint8Array; fill?: number } = {},
): Uint8Array {
  const padding = Array<number>(fill).fill(0xff);
  const app1 = [0xff, 0xe1, ...big(exif.length + 2, 2), ...exif];
  return bytes([0xff, 0xd8, ...app1, ...padding, 0xff, marker, 0, 11, 8, ...big(height, 2), ...big(width, 2)]);
}

export function gif(
  width: number,
  height: number,
  options: { frame?: [x: number, y: number, width: number, height: number]; colors?: number; comment?: string } = {},
): Uint8Array {
  const { frame = [0, 0, width, height], colors = 2, comment = "" } = options;
  const blocks = (comment.match(/[^]{1,255}/g) ?? []).flatMap((part) => [part.length, ...bytes(part)]);
  const table = Array<number>(3 * colors).fill(0);
  const screen = [...little(width, 2), ...little(height, 2), 0x80 | (Math.log2(colors) - 1), 0, 0];
  return bytes("GIF89a", screen, table, [0x21, 0xfe, ...blocks, 0, 0x2c], ...frame.map((side) => little(side, 2)));
}

export function webpLossy(width: number, height: number): Uint8Array {
  return bytes("RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a", little(width, 2), little(height, 2));
}

export function webpLossless(width: number, height: number): Uint8Array {
  const packed = (width - 1) | ((height - 1) << 14);
  return bytes("RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f", little(packed, 4));
}

export function webpExtended(width: number, height: number): Uint8Array {
  return bytes("RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0", little(width - 1, 3), little(height - 1, 3));
}

export function dataUri(type: string, image: Uint8Array): string {
  return `data:image/${type};base64,${btoa(String.fromCharCode(...image))}`;
}

function bytes(...parts: (string | number[])[]): Uint8Array {
  const numbers = (part: string | number[]) =>
    typeof part === "string" ? Array.from(part, (character) => character.charCodeAt(0)) : part;
  return Uint8Array.from(parts.flatMap(numbers));
}

function big(value: number, length: number): number[] {
  return little(value, length).toReversed();
}

function little(value: number, length: number): number[] {
  return Array.from({ length }, (_, index) => (value >>> (8 * index)) & 0xff);
}
