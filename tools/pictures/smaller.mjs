/** Writes a picture with its 256 most frequent colours. Pictures of text have few, and are a third of the size this way. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 256;

/** @param png a picture as Chromium writes it: 8 bits per channel, not interlaced */
export function smaller(png) {
  const { width, height, channels, data } = partsOf(png);
  const pixels = unfiltered(inflateSync(data), width, height, channels);
  const { palette, indexes } = indexed(pixels, channels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) indexes.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per pixel, which are an index of the palette.
  header.set([8, 3], 8);
  const image = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([signature, chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', image), chunk('IEND')]);
}

function partsOf(png) {
  const data = [];
  let at = signature.length;
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const channels = { 2: 3, 6: 4 }[png[25]];
  if (channels === undefined || png[24] !== 8) throw new Error('Chromium has written a picture of another kind.');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), channels, data: Buffer.concat(data) };
}

/** Reverts the filters of the rows. */
function unfiltered(filtered, width, height, channels) {
  const length = width * channels;
  const pixels = Buffer.alloc(length * height);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (length + 1)];
    for (let x = 0; x < length; x++) {
      const at = y * length + x;
      const left = x < channels ? 0 : pixels[at - channels];
      const above = y === 0 ? 0 : pixels[at - length];
      const corner = x < channels || y === 0 ? 0 : pixels[at - length - channels];
      const predicted = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter];
      pixels[at] = filtered[y * (length + 1) + 1 + x] + predicted;
    }
  }
  return pixels;
}

/** The predictor of Paeth, which the format of PNG defines. */
function nearest(left, above, corner) {
  const estimate = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(estimate - value));
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function indexed(pixels, channels) {
  const colours = new Uint32Array(pixels.length / channels);
  const counts = new Map();
  for (let at = 0; at < colours.length; at++) {
    const colour = pixels.readUIntBE(at * channels, 3);
    colours[at] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted(([a, m], [b, n]) => n - m || a - b).slice(0, mostColours);
  const known = frequent.map(([colour]) => colour);
  const indexOf = new Map(known.map((colour, index) => [colour, index]));
  for (const colour of counts.keys()) if (!indexOf.has(colour)) indexOf.set(colour, closest(known, colour));
  const palette = Buffer.alloc(known.length * 3);
  for (const [index, colour] of known.entries()) palette.writeUIntBE(colour, index * 3, 3);
  return { palette, indexes: Buffer.from(Array.from(colours, (colour) => indexOf.get(colour))) };
}

function closest(known, colour) {
  let [best, least] = [0, Infinity];
  for (const [index, other] of known.entries()) {
    const distance = [16, 8, 0].reduce((sum, bit) => sum + (((colour >> bit) & 255) - ((other >> bit) & 255)) ** 2, 0);
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

function chunk(type, data = Buffer.alloc(0)) {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
