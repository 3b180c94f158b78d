// Pictures from files, for drawing; and the exact pixels of frames that failed, for reading.
//
// A page that is opened as a file may draw pictures but not read them, and a canvas loses the colour of transparent pixels. So
// pixels come as PNG files inside scripts, and are decoded here, byte for byte.

/// How many pictures are held at a time: some seconds of a sequence.
const PICTURES_HELD = 600;
/// How many frames' pixels are held at a time.
const PIXELS_HELD = 8;

/// Address -> { image, ready, failed }, the least used first.
const pictures = new Map();

/// A picture, loaded on its first use. `then` is called when it is there or has failed, also if it is there already.
function picture(path, then = () => {}) {
  let held = pictures.get(path);
  if (held) {
    pictures.delete(path);
  } else {
    held = { image: new Image(), ready: false, failed: false };
    held.done = new Promise((resolve) => {
      held.image.onload = () => resolve((held.ready = true));
      held.image.onerror = () => resolve((held.failed = true));
    });
    held.image.src = fileAddress(path);
  }
  pictures.set(path, held);
  if (pictures.size > PICTURES_HELD) pictures.delete(pictures.keys().next().value);
  if (held.ready || held.failed) then(held);
  else held.done.then(() => then(held));
  return held;
}

/// Script -> promise of { golden, new }, each { width, height, bytes } or null.
const pixels = new Map();
const awaited = new Map();

/// The pixels of an entry; a promise of null where there are none.
function pixelsOf(entry) {
  const path = entry.pictures.pixels;
  if (!path) return Promise.resolve(null);
  let held = pixels.get(path);
  if (!held) {
    held = new Promise((resolve, reject) => {
      awaited.set(path, resolve);
      const script = make("script", { src: fileAddress(path) });
      script.onerror = () => reject(new Error(`${path} cannot be loaded`));
      script.onload = () => script.remove();
      document.head.append(script);
    });
    pixels.set(path, held);
    if (pixels.size > PIXELS_HELD) pixels.delete(pixels.keys().next().value);
  }
  return held;
}

/// Called by the scripts beside the page.
function takePixels(path, golden, fresh) {
  const resolve = awaited.get(path);
  awaited.delete(path);
  const decode = (text) => (text === null ? null : decodePng(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))));
  resolve?.(Promise.all([decode(golden), decode(fresh)]).then((both) => ({ golden: both[0], new: both[1] })));
}

/// Decodes a PNG file of 8 bits a channel, RGB or RGBA, not interlaced: what the program writes.
async function decodePng(file) {
  const view = new DataView(file.buffer);
  const packed = [];
  let width = 0, height = 0, channels = 0;
  for (let at = 8; at + 8 <= file.length; ) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const body = at + 8;
    if (kind === "IHDR") {
      width = view.getUint32(body);
      height = view.getUint32(body + 4);
      channels = { "8,2,0": 3, "8,6,0": 4 }[[file[body + 8], file[body + 9], file[body + 12]]];
      if (!channels) throw new Error("unsupported type of PNG");
    } else if (kind === "IDAT") {
      packed.push(file.subarray(body, body + length));
    }
    at = body + length + 4;
  }
  const stream = new Blob(packed).stream().pipeThrough(new DecompressionStream("deflate"));
  const rows = new Uint8Array(await new Response(stream).arrayBuffer());
  return { width, height, bytes: unfilter(rows, width, height, channels) };
}

/// Undoes the filters of a PNG's rows; gives RGBA.
function unfilter(rows, width, height, channels) {
  const stride = width * channels;
  const out = new Uint8Array(width * height * 4).fill(255);
  let above = new Uint8Array(stride);
  for (let y = 0, at = 0; y < height; y++) {
    const filter = rows[at++];
    const row = rows.subarray(at, at + stride);
    at += stride;
    for (let k = 0; k < stride; k++) {
      const left = k < channels ? 0 : row[k - channels];
      const up = above[k];
      const corner = k < channels ? 0 : above[k - channels];
      if (filter === 1) row[k] += left;
      else if (filter === 2) row[k] += up;
      else if (filter === 3) row[k] += (left + up) >> 1;
      else if (filter === 4) row[k] += nearest(left, up, corner);
      out[(y * width + Math.floor(k / channels)) * 4 + (k % channels)] = row[k];
    }
    above = row;
  }
  return out;
}

/// The neighbour that is nearest to left + up - corner; left wins over up, up over corner.
function nearest(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/// The four channels of a pixel; null outside.
function pixelAt(decoded, x, y) {
  if (!decoded || x < 0 || y < 0 || x >= decoded.width || y >= decoded.height) return null;
  const at = (y * decoded.width + x) * 4;
  return [...decoded.bytes.subarray(at, at + 4)];
}
