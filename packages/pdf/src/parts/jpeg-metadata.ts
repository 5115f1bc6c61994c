// Removes everything from a JPEG that reveals more than its picture: EXIF data with places and previews, XMP, IPTC, comments, and
// anything after its end, such as a video. The pixels and the colour profile stay. Chromium copies the files of photos into a PDF
// unchanged.
import { streamAt, type ObjectExtent, type PdfFile, type PdfStream } from "../file/open-pdf.ts";
import { isName } from "../syntax/values.ts";

/** Like `streamAt`. */
export function streamWithoutMetadata(file: PdfFile, extent: ObjectExtent): PdfStream {
  const { dictionary, data } = streamAt(file, extent);
  const filter = dictionary.get("Filter");
  return { dictionary, data: isName(filter) && filter.text === "DCTDecode" ? withoutMetadata(data) : data };
}

/** Markers that have no length. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Returns the file itself if there is nothing to remove. If it is malformed, everything after the last complete segment stays. */
export function withoutMetadata(jpeg: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  let keptFrom = 0;
  const remove = (from: number, to: number, instead?: Uint8Array) => {
    kept.push(jpeg.subarray(keptFrom, from), ...(instead ? [instead] : []));
    keptFrom = to;
  };
  for (let at = nextMarker(jpeg, 0); at >= 0; at = nextMarker(jpeg, at)) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker === 0xd9) {
      if (at + 2 < jpeg.length) remove(at + 2, jpeg.length);
      break;
    }
    const end = isBare(marker) ? at + 2 : at + 2 + (((jpeg[at + 2] ?? 0) << 8) | (jpeg[at + 3] ?? 0));
    if (end > jpeg.length || (!isBare(marker) && end < at + 4)) break;
    const segment = jpeg.subarray(at, end);
    if (marker === 0xe0 && startsWith(segment, "JFIF\0") && end > at + jfifBytes) remove(at, end, bareJfif(segment));
    else if (marker === 0xee && startsWith(segment, "Adobe") && end > at + adobeBytes)
      remove(at, end, cutAt(segment, adobeBytes));
    else if (isPrivate(marker, segment)) remove(at, end);
    at = end;
  }
  return keptFrom === 0 ? jpeg : Buffer.concat([...kept, jpeg.subarray(keptFrom)]);
}

/** Returns the position of the next marker, after the data of a scan if there is one; -1 if there is none. */
function nextMarker(jpeg: Uint8Array, from: number): number {
  for (let at = jpeg.indexOf(0xff, from); at >= 0; at = jpeg.indexOf(0xff, at + 1)) {
    const next = jpeg[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff) return at;
  }
  return -1;
}

/** Whether the segment is a comment or application data, except what a reader needs for the colours. */
function isPrivate(marker: number, segment: Uint8Array): boolean {
  if (marker === 0xfe) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  return !["JFIF\0", "ICC_PROFILE\0", "Adobe"].some((name) => startsWith(segment, name));
}

/** The marker, the length and the fields before the preview. */
const jfifBytes = 18;
/** The marker, the length and all fields. */
const adobeBytes = 16;

/** Returns the segment without its preview, whose width and height are its last fields. */
function bareJfif(segment: Uint8Array): Uint8Array {
  const bare = cutAt(segment, jfifBytes);
  bare.set([0, 0], jfifBytes - 2);
  return bare;
}

function cutAt(segment: Uint8Array, bytes: number): Uint8Array {
  const cut = segment.slice(0, bytes);
  cut.set([0, bytes - 2], 2);
  return cut;
}

function startsWith(segment: Uint8Array, name: string): boolean {
  return Array.from(name).every((character, index) => segment[4 + index] === character.charCodeAt(0));
}
