// Measures a catalogue page with six photos, which the service fetches by their URLs, beside bare puppeteer with the same photos
// as `data:` URIs. Also prints the size of the file, and that of a document with a photo in WebP. The photos are made in the
// browser: smooth shapes with fine noise, which take as many bytes as those of a camera.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "puppeteer-core";
import { bareRenderer, launchBare } from "./harness/bare.ts";
import { latency, showPair } from "./harness/measure.ts";
import { loadSample, type Sample } from "./harness/samples.ts";
import { postDocument, startService, type BenchService } from "./harness/service.ts";

const photoSize = { width: 2400, height: 1600 };
/** The photos are shown 330 px wide, at the default `deviceScaleFactor`. */
const shownSize = { width: 660, height: 440 };
/** As many pixels as the WebP of 237 kB that took 4.5 MB in a PDF. */
const webpSize = { width: 1500, height: 1000 };
const photoCount = 6;
const quality = 0.85;

export async function benchPictures(port: number, rounds: number): Promise<void> {
  const browser = await launchBare();
  const numbers = Array.from({ length: photoCount }, (_, index) => index + 1);
  const drawn = await Promise.all(numbers.map((number) => draw(browser, number, { ...photoSize, type: "image/jpeg" })));
  const photos = drawn.map(({ file }) => file);
  const webp = (await draw(browser, 1, { ...webpSize, type: "image/webp" })).file;
  const server = await serve(
    new Map([...photos.map((file, index) => [`/${index + 1}`, file] as const), ["/webp", webp]]),
  );
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const variables = { IMAGE_ALLOWED_ORIGINS: origin };
  const service = await startService(port, { samples: ["catalogue"], variables });
  try {
    const base = await loadSample("catalogue", "pdf");
    const urls = numbers.map((number) => `${origin}/${number}`);
    const catalogue = sampleWith(base, urls, photos);
    const { render } = bareRenderer(browser);
    const pair = await latency(
      rounds,
      () => render(catalogue),
      () => service.create(catalogue),
    );
    console.log("                                              bare   service   ratio");
    showPair(`${photoCount} photos of ${kilobytes(photos[0])} by URL, p50 ms:`, pair);
    const bytes = await fileSize(service, catalogue);
    const shownBytes = drawn.reduce((sum, { shown }) => sum + shown.length, 0);
    console.log(
      `file ${kilobytes(bytes)}; the photos as JPEGs of the size at which they are shown: ${kilobytes(shownBytes)}`,
    );
    const withWebp = await fileSize(service, sampleWith(base, [`${origin}/webp`], [webp]));
    console.log(`file with a WebP of ${kilobytes(webp)}: ${kilobytes(withWebp)}`);
  } finally {
    server.close();
    await Promise.all([browser.close(), service.stop()]);
  }
}

/** Returns the sample with other photos: by URL for the service, and inlined for bare puppeteer. */
function sampleWith(sample: Sample, urls: string[], photos: Buffer[]): Sample {
  const figures = photos.map(
    (photo) => `<figure><img src="data:image/jpeg;base64,${photo.toString("base64")}"></figure>`,
  );
  const html = sample.html.replace(/<figure>[^]*<\/figure>/, figures.join("\n"));
  return { ...sample, data: { photos: urls }, html };
}

type Picture = { width: number; height: number; type: string };

/** Draws a picture, and returns it as a file and as a JPEG of the size at which the catalogue shows it. */
async function draw(browser: Browser, seed: number, picture: Picture): Promise<{ file: Buffer; shown: Buffer }> {
  const page = await browser.newPage();
  const input = JSON.stringify({ seed, ...picture, shownSize, quality });
  const [file = "", shown = ""] = (await page.evaluate(`(${drawPicture})(${input})`)) as string[];
  await page.close();
  return { file: decoded(file), shown: decoded(shown) };
}

function decoded(uri: string): Buffer {
  return Buffer.from(uri.slice(uri.indexOf(",") + 1), "base64");
}

/** Runs in the page. */
const drawPicture = `({ seed, width, height, type, shownSize, quality }) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const pixels = context.createImageData(width, height);
  let state = seed;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const waves = Array.from({ length: 12 }, () => [random() * 30, random() * 30, random() * 6, 20 + random() * 20]);
  let at = 0;
  let noise = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      noise = noise * 0.8 + (random() - 0.5) * 9;
      for (let channel = 0; channel < 3; channel++) {
        let value = 128 + noise;
        for (const [across, down, phase, size] of waves.slice(channel * 4, channel * 4 + 4)) {
          value += (size / 2) * Math.sin((across * x + down * y) / width + phase);
        }
        pixels.data[at++] = value;
      }
      pixels.data[at++] = 255;
    }
  }
  context.putImageData(pixels, 0, 0);
  const small = document.createElement("canvas");
  Object.assign(small, shownSize);
  const smallContext = small.getContext("2d");
  smallContext.imageSmoothingQuality = "high";
  smallContext.drawImage(canvas, 0, 0, small.width, small.height);
  return [canvas.toDataURL(type, 0.8), small.toDataURL("image/jpeg", quality)];
}`;

function serve(files: ReadonlyMap<string, Buffer>): Promise<Server> {
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(file ? 200 : 404).end(file);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function fileSize(service: BenchService, sample: Sample): Promise<number> {
  const response = await postDocument(service.origin, service.tenants[0], sample);
  const { data } = (await response.json()) as { data: { fileSize: number } };
  return data.fileSize;
}

function kilobytes(file: Buffer | number | undefined): string {
  return `${Math.round((typeof file === "number" ? file : (file?.length ?? 0)) / 1000)} kB`;
}
