// The package in Node: index.js, with files of the disk.
import { readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TintypeError, host } from './index.js';

export { Frame, Inspection, Model, Sequence, TintypeError, diff, init, inspect, meshBytes, scene, thumbnail, turntable } from './index.js';

host.module = () => {
  try {
    return readFile(new URL('./tintype.wasm', import.meta.url));
  } catch {
    // A bundle without addresses of its modules has the file beside it.
    return readFile(path.join(typeof __dirname === 'string' ? __dirname : '', 'tintype.wasm'));
  }
};

/** The path that a source names: a text that is no address, or the address of a file. */
function pathOf(source) {
  const isText = typeof source === 'string';
  if (!isText && !(source instanceof URL)) return undefined;
  if (/^file:/i.test(source)) return fileURLToPath(source);
  return isText && !/^([a-z]+:\/\/|data:|blob:)/i.test(source) ? source : undefined;
}

function read(file) {
  try {
    return readFileSync(file);
  } catch (cause) {
    const words = { ENOENT: 'no such file', EISDIR: 'expected a model, found a folder', EACCES: 'it may not be read' }[cause.code] ?? cause.message;
    throw Object.assign(new TintypeError({ message: `${file}: ${words}`, kind: 'file', cause }), { code: cause.code, path: file });
  }
}

/** A file with those beside it; nothing for other sources. */
host.disk = (source) => {
  const found = pathOf(source);
  if (found === undefined) return undefined;
  const folder = path.dirname(found);
  const file = (wanted) => {
    try {
      return readFileSync(path.join(folder, wanted));
    } catch {
      return undefined;
    }
  };
  return { bytes: read(found), name: path.basename(found), beside: [...below(folder), ...aside(folder)], file };
};

/** Paths of the files below a folder: a few folders deep, and not without end. */
function below(folder, inside = '', depth = 0, found = []) {
  let entries = [];
  try {
    entries = readdirSync(`${folder}/${inside}`, { withFileTypes: true });
  } catch {
    // A folder that cannot be read holds nothing for us.
  }
  for (const entry of entries) {
    if (found.length >= 4096) break;
    if (entry.isDirectory() && depth < 3) below(folder, `${inside}${entry.name}/`, depth + 1, found);
    else if (!entry.isDirectory()) found.push(inside + entry.name);
  }
  return found;
}

/** Names of the folders beside that of a model in which its clips and its pictures are searched. */
const ASIDE = /^(animations?|anims?|clips?|md5anims?|motions?|textures?|skins?|materials?|images|maps|tex|tga|png|jpg|dds|bitmaps)$/i;

/** Paths of the files in such folders. */
function aside(folder) {
  let names = [];
  try {
    names = readdirSync(`${folder}/..`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch {
    // A folder that cannot be read holds nothing for us.
  }
  const found = names.map((entry) => entry.name).filter((name) => ASIDE.test(name));
  return found.flatMap((name) => below(folder, `../${name}/`, 2));
}
