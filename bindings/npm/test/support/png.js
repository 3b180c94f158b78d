// Pixels of PNG files, as the tests read them.
import { inflateSync } from 'node:zlib';

/** Pixels of a PNG of 8-bit RGB or RGBA without interlacing. */
export function decoded(png) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = { 2: 3, 6: 4 }[png[25]];
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const data = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const out = Buffer.alloc(width * height * 4, 255);
  let before = Buffer.alloc(row);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (row + 1)];
    const line = Buffer.from(data.subarray(y * (row + 1) + 1, (y + 1) * (row + 1)));
    for (let x = 0; x < row; x += 1) {
      const [a, b, c] = [x < channels ? 0 : line[x - channels], before[x], x < channels ? 0 : before[x - channels]];
      const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
      line[x] += [0, a, b, (a + b) >> 1, pa <= pb && pa <= pc ? a : pb <= pc ? b : c][filter];
    }
    for (let x = 0; x < width; x += 1) line.copy(out, (y * width + x) * 4, x * channels, (x + 1) * channels);
    before = line;
  }
  return out;
}
