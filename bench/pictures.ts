// Measures a catalogue page with six photos, which the service fetches by their URLs, beside bare puppeteer with the same photos
// as `data:` URIs: with photos that are new in every round, and with the same ones in all rounds, which Chromium may still know.
// Also prints the size of the file, and that of a document with a photo in WebP. The photos are made in the browser: smooth shapes
// with fine noise, which take as many bytes as those of a camera.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "puppeteer-core";
import { bareRenderer, launchBare } from "./harness/bare.ts";
import { latency, maxWarmUpRounds, showPair } from "./harness/measure.ts";
import { loadSample, type Sample } from "./harness/samples.ts";
import { readPdf } from "../test/fixtures/pdf-reader.ts";
import { postDocument, startService, type BenchService } from "./harness/service.ts";

const photoSize = { width: 2400, height: 1600 };
/** The photos are shown 330 px wide, at the default `deviceScaleFactor`. */
const shownSize = { width: 660, height: 440 };
/** As many pixels as the WebP of 237 kB that took 4.5 MB in a PDF. */
const webpSize = { width: 1500, height: 1000 };
const photoCount = 6;
/** That of the service, so that the sizes can be compared; see `redraw-image.ts`. */
const quality = 0.8;

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
    // They are made before the measurement.
    const count = maxWarmUpRounds + rounds;
    const samples = Array.from({ length: count }, (_, round) => sampleWithNew(round, base, { urls, photos }));
    let calls = 0;
    const nextSample = () => samples[Math.floor(calls++ / 2)] ?? catalogue;
    const newInEachRound = await latency(
      rounds,
      () => render(nextSample()),
      () => service.create(nextSample()),
    );
    const sameInEachRound = await latency(
      rounds,
      () => render(catalogue),
      () => service.create(catalogue),
    );
    console.log(`${photoCount} photos of ${kilobytes(photos[0])} by URL, p50 ms:     bare   service   ratio`);
    showPair("new photos in every round", newInEachRound);
    showPair("the same photos in all rounds", sameInEachRound);
    const file = await madeFile(service, catalogue);
    const shownBytes = drawn.reduce((sum, { shown }) => sum + shown.length, 0);
    console.log(
      `file ${kilobytes(file)}, of which photos ${kilobytes(photoBytes(file))}; ` +
        `the photos as JPEGs of the size at which they are shown: ${kilobytes(shownBytes)}`,
    );
    const withWebp = await madeFile(service, sampleWith(base, [`${origin}/webp`], [webp]));
    console.log(`file with a WebP of ${kilobytes(webp)}: ${kilobytes(withWebp)}`);
  } finally {
    server.close();
    await Promise.all([browser.close(), service.stop()]);
  }
}

/** Returns the sample with photos that look the same, but whose bytes and URLs are those of no other number. */
function sampleWithNew(number: number, base: Sample, { urls, photos }: { urls: string[]; photos: Buffer[] }): Sample {
  const newUrls = urls.map((url) => `${url}?${number}`);
  const newFiles = photos.map((photo) => withNumber(photo, number));
  return sampleWith(base, newUrls, newFiles);
}

/** Decoders ignore what follows the end of a JPEG. */
function withNumber(photo: Buffer, number: number): Buffer {
  return Buffer.concat([photo, Buffer.from(String(number).padStart(8, "0"))]);
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

/** A number in the query of a URL makes another file of the same picture. */
function serve(files: ReadonlyMap<string, Buffer>): Promise<Server> {
  const server = createServer((request, response) => {
    const [path = "", number] = (request.url ?? "").split("?");
    const file = files.get(path);
    response.writeHead(file ? 200 : 404).end(file && number ? withNumber(file, Number(number)) : file);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function madeFile(service: BenchService, sample: Sample): Promise<Buffer> {
  const response = await postDocument(service.origin, service.tenants[0], sample);
  const { data } = (await response.json()) as { data: { pdfUrl: string } };
  return Buffer.from(await (await fetch(data.pdfUrl)).arrayBuffer());
}

function photoBytes(pdf: Buffer): number {
  const photos = [...readPdf(pdf).objects.values()].filter((source) => source.includes("/DCTDecode"));
  return photos.reduce((sum, source) => sum + Number(/\/Length (\d+)/.exec(source)?.[1]), 0);
}

function kilobytes(file: Buffer | number | undefined): string {
  return `${Math.round((typeof file === "number" ? file : (file?.length ?? 0)) / 1000)} kB`;
}
