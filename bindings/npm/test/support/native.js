// The native program, and the repository of this checkout. TINTYPE_BIN names another program.
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));
export const program = process.env.TINTYPE_BIN ?? path.join(root, 'target/release/tintype');
export const assets = path.join(root, 'scenes/assets');

/** A folder for the time of the tests. */
export function temporary() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tintype-'));
  test.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The environment of a person: a server, where CI is set, accepts no goldens. */
export const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !['CI', 'GITHUB_ACTIONS'].includes(name)));

export const native = (folder, ...words) => execFileSync(program, ['--no-config', '-q', ...words], { cwd: folder, env, stdio: 'pipe' });

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves folders by the first part of the path; texts are pages and scripts. `asked` gets the address of each request. */
export async function serve(folders, texts = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const [, first, ...rest] = decodeURIComponent(new URL(request.url, 'http://x').pathname).split('/');
    if (Object.hasOwn(texts, first)) return response.setHeader('content-type', first.endsWith('.mjs') ? 'text/javascript' : 'text/html').end(texts[first]);
    const file = folders[first] && path.join(folders[first], ...rest);
    if (!file || !statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
    return createReadStream(file).pipe(response);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const close = () => {
    server.closeAllConnections?.();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}`, close, asked };
}

/** The same for the time of the tests. */
export async function served(folders, texts) {
  const { close, ...made } = await serve(folders, texts);
  test.after(close);
  return made;
}
