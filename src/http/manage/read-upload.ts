// Reads a body that may be larger than what a Worker keeps of many requests at a time.
import { withinTime } from "colophon-base/deadline";
import { uploadMs } from "../../operations/manage/upload-memory.ts";
import { bodyError, chunksOf, tooLarge, type MaxBody } from "../json-body.ts";

/** As much as every other body may take. */
const unclaimedBytes = 1024 * 1024;

/**
 * Calls `claim` before it keeps more than 1 MiB, with the most bytes that it will return. Throws VALIDATION_ERROR with the status 413,
 * or 400 if the body is cut, does not have its declared length, or does not arrive in time.
 */
export function readUpload(
  request: Request,
  max: MaxBody,
  claim: (bytes: number) => Promise<void>,
): Promise<Uint8Array> {
  const late = () => {
    throw bodyError(`The body did not arrive within ${uploadMs / 1000} s.`);
  };
  return withinTime(uploadMs, readInto(request, max, claim), late);
}

async function readInto(
  { headers, body }: Request,
  max: MaxBody,
  claim: (bytes: number) => Promise<void>,
): Promise<Uint8Array> {
  const declared = headers.get("Content-Length");
  const length = declared === null ? max.bytes : Number(declared);
  if (length > max.bytes) throw tooLarge(max);
  let bytes = new Uint8Array(Math.min(length, unclaimedBytes));
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    if (size + chunk.length > length) throw declared === null ? tooLarge(max) : wrongLength();
    if (size + chunk.length > bytes.length) {
      await claim(length);
      const all = new Uint8Array(length);
      all.set(bytes.subarray(0, size));
      bytes = all;
    }
    bytes.set(chunk, size);
    size += chunk.length;
  }
  if (declared !== null && size !== length) throw wrongLength();
  return bytes.subarray(0, size);
}

function wrongLength() {
  return bodyError("The body does not have the length that `Content-Length` declares.");
}
