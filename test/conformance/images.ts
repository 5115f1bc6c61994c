// Small images of the kinds that a PDF stores differently.
import { srgbProfile } from "../../packages/pdf/src/parts/output-intent.ts";

const uri = (type: string, data: Buffer | string) => {
  return `data:image/${type};base64,${typeof data === "string" ? data : data.toString("base64")}`;
};

const rgbJpeg = Buffer.from(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDkLTTeny1s2mmdPlrXs9N6fLW9Z6Z0+WvNhU9qXlmZ2tqf/9k=",
  "base64",
);
const cmykJpeg = Buffer.from(
  "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBKUVJP/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwDrPEH8VdZ/bv8At16PPN5eea9CrzDxB/FR/bv+3WbPqvl5+aivT/EH8VeYf27/ALdGrzeXu5orzDxB/FR/bv8At1w+r6r5e75qK//Z",
  "base64",
);

/** Returns the JPEG with a colour profile, whose bytes `change` may replace. */
function withProfile(jpeg: Buffer, change: (profile: Buffer) => Buffer = (profile) => profile): Buffer {
  const profile = change(Buffer.from(srgbProfile()));
  const segment = Buffer.concat([Buffer.from("\0\0ICC_PROFILE\0\x01\x01", "latin1"), profile]);
  segment.writeUInt16BE(segment.length, 0);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe2]), segment, jpeg.subarray(2)]);
}

const written = (text: string, at: number) => (profile: Buffer) => {
  profile.write(text, at, "latin1");
  return profile;
};

export const images = {
  "rgb-jpeg": uri("jpeg", rgbJpeg),
  "cmyk-jpeg": uri("jpeg", cmykJpeg),
  profile: uri("jpeg", withProfile(rgbJpeg)),
  "profile-of-version-5": uri("jpeg", withProfile(rgbJpeg, written("\x05", 8))),
  "profile-of-two-devices": uri("jpeg", withProfile(rgbJpeg, written("link", 12))),
  "profile-for-cmyk": uri("jpeg", withProfile(rgbJpeg, written("CMYK", 16))),
  "profile-in-lab": uri("jpeg", withProfile(rgbJpeg, written("Lab ", 16))),
  "profile-cut-off": uri(
    "jpeg",
    withProfile(rgbJpeg, (profile) => profile.subarray(0, 60)),
  ),
  "cmyk-with-rgb-profile": uri("jpeg", withProfile(cmykJpeg)),
  "webp-alpha": uri("webp", "UklGRjoAAABXRUJQVlA4TC0AAAAvD8ADELkyRPQ/dvWvf/Q/ICQgTPD/sCYPxAQQadumRof2TwDIVA2p+qTbpyUA"),
  "png-alpha": uri(
    "png",
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAY0lEQVR4nKXTNxKAMBAEwREIEE4c//8sAVWYQvYIOthksjWAE0DLImxg0LII+zkaFYsgd6CtFgjYKpFAVywR6ItkAkNWQcAlFQbGqIrAFFQZmD8UgeVFGVgvPwIe8M83agIbBxNnB+3st6BrAAAAAElFTkSuQmCC",
  ),
  palette: uri(
    "png",
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQBAMAAADt3eJSAAAAGFBMVEWw0I8w0CewiF4wiBqwSDKwEAswSA4wEAOqEKZjAAAAAXRSTlMAQObYZgAAAENJREFUeJxtysEJgDAUwND3pXd1Fodz29IN2gmqlw8i9BaSxI2KDVMCKB3PSDNWT40Le0vTMj2/p8wmjtnEib56PngBVt4Ryj0xkq4AAAAASUVORK5CYII=",
  ),
  "grey-16": uri(
    "png",
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIEAAAAACx9D0UAAAAk0lEQVR4nAGIAHf/AAAAD6AfQC7gPoBOIF3AbWAAASwQzCBsMAw/rE9MXuxujAACWBH4IZgxOEDYUHhgGG+4AAOEEyQixDJkQgRRpGFEcOQABLAUUCPwM5BDMFLQYnByEAAF3BV8JRw0vERcU/xjnHM8AAcIFqgmSDXoRYhVKGTIdGgACDQX1Cd0NxRGtFZUZfR1lMWGLhQMfP9iAAAAAElFTkSuQmCC",
  ),
  "alpha-16": uri(
    "png",
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIEAYAAACUn2LIAAACE0lEQVR4nAEIAvf9AAAAIyhGUGl4D6AyyFXweRgfQEJoZZCIuC7gUgh1MJhYPoBhqITQp/hOIHFIlHC3mF3AgOikEMc4bWCQiLOw1tgAASwkVEd8aqQQzDP0Vxx6RCBsQ5RmvInkMAxTNHZcmYQ/rGLUhfypJE9McnSVnLjEXuyCFKU8yGRujJG0tNzYBAACWCWASKhr0BH4NSBYSHtwIZhEwGfoixAxOFRgd4iasEDYZACHKKpQUHhzoJbIufBgGINApmjJkG+4kuC2CNkwAAOEJqxJ1Gz8EyQ2TFl0fJwixEXsaRSMPDJkVYx4tJvcQgRlLIhUq3xRpHTMl/S7HGFEhGynlMq8cOSUDLc02lwABLAn2EsAbigUUDd4WqB9yCPwRxhqQI1oM5BWuHngnQhDMGZYiYCsqFLQdfiZILxIYnCFmKjAy+hyEJU4uGDbiAAF3CkETCxvVBV8OKRbzH70JRxIRGtsjpQ0vFfkewyeNERcZ4SKrK3UU/x3JJpMvXRjnIbEqezNFHM8lmS5jNy0AAcIKjBNWHCAFqg50Fz4gCAmSElwbJiPwDXoWRB8OJ9gRYhosIvYrwBVKHhQm3i+oGTIh/CrGM5AdGiXkLq43eAACDQrXE6EcawX1Dr8XiSBTCd0SpxtxJDsNxRaPH1koIxGtGncjQSwLFZUeXycpL/MZfSJHKxEz2x1lJi8u+TfDPO/7QlL2XR/AAAAAElFTkSuQmCC",
  ),
};
