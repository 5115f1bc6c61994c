// Whole images, made here so that none has to be kept: a noisy gradient as a JPEG, and flat ones as PNGs.

/** A baseline JPEG in shades of gray, each block of eight pixels in one: enough detail to tell sizes and sharpness. */
export function photo(width: number, height: number): Uint8Array<ArrayBuffer> {
  const [high, low] = [(side: number) => side >> 8, (side: number) => side & 0xff];
  const header = [
    [0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, ...Array<number>(64).fill(8)],
    [0xff, 0xc0, 0, 11, 8, high(height), low(height), high(width), low(width), 1, 1, 0x11, 0],
    // Twelve codes of four bits for the size of a difference, and one of one bit that ends a block.
    [0xff, 0xc4, 0, 31, 0, 0, 0, 0, 12, ...Array<number>(12).fill(0), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    [0xff, 0xc4, 0, 20, 0x10, 1, ...Array<number>(15).fill(0), 0],
    [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0],
  ].flat();
  return Uint8Array.from([...header, ...scan(Math.ceil(width / 8), Math.ceil(height / 8)), 0xff, 0xd9]);
}

function scan(columns: number, rows: number): number[] {
  const bytes: number[] = [];
  let bits = "";
  let before = 0;
  let seed = 1;
  for (let block = 0; block < columns * rows; block++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const shade = Math.round(((block % columns) / columns) * 200 - 120 + (seed >>> 27));
    const difference = shade - before;
    before = shade;
    const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
    const magnitude = difference < 0 ? difference + 2 ** size - 1 : difference;
    bits += size.toString(2).padStart(4, "0") + (size > 0 ? magnitude.toString(2).padStart(size, "0") : "") + "0";
    for (; bits.length >= 8; bits = bits.slice(8)) pushByte(bytes, parseInt(bits.slice(0, 8), 2));
  }
  if (bits !== "") pushByte(bytes, parseInt(bits.padEnd(8, "1"), 2));
  return bytes;
}

/** A byte that could begin a marker is followed by zero. */
function pushByte(bytes: number[], byte: number): void {
  bytes.push(byte);
  if (byte === 0xff) bytes.push(0);
}

/** A PNG of zeros: black, or transparent with `alpha`. */
export async function flatPng(width: number, height: number, alpha: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const rowBytes = 1 + (alpha ? width * 4 : Math.ceil(width / 8));
  const [depth, colorType] = alpha ? [8, 6] : [1, 0];
  const packed = new Blob([new Uint8Array(rowBytes * height)]).stream().pipeThrough(new CompressionStream("deflate"));
  const header = new Uint8Array([...uint32(width), ...uint32(height), depth, colorType, 0, 0, 0]);
  return concat([
    Uint8Array.from("\x89PNG\r\n\x1a\n", (character) => character.charCodeAt(0)),
    chunk("IHDR", header),
    chunk("IDAT", new Uint8Array(await new Response(packed).arrayBuffer())),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = concat([new TextEncoder().encode(type), data]);
  return concat([uint32(data.length), body, uint32(crc32(body))]);
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Buffer.concat(parts);
}
