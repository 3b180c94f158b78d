// The package that draws models, and their files, from scripts beside the page, on request.

/// Scripts that were asked for: promises of what they hand over.
const turnScripts = new Map();
const turnTakers = new Map();
const ENGINE = "pictures/engine.js";

/// Loads a script once; gives the value that it hands over.
function turnScript(name) {
  if (!turnScripts.has(name)) {
    turnScripts.set(name, new Promise((done, failed) => {
      turnTakers.set(name, done);
      const script = document.createElement("script");
      script.src = name.split("/").map(encodeURIComponent).join("/");
      script.onerror = () => failed(new Error(`${name} cannot be loaded`));
      script.onload = () => script.remove();
      document.head.append(script);
    }));
  }
  return turnScripts.get(name);
}

const takeEngine = (engine) => turnTakers.get(ENGINE)(engine);
const takeTurn = (name, fresh, old) => turnTakers.get(name)({ fresh, old });
const takeFile = (name, text) => turnTakers.get(name)(text);

/// The bytes of a compressed text.
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

let turnEngine;
async function startEngine() {
  const { index, worker, viewer, wasm } = await turnScript(ENGINE);
  const address = URL.createObjectURL(new Blob([viewer], { type: "text/javascript" }));
  const { embed } = await import(address);
  embed({ index, worker, wasm: await inflated(wasm) });
}

/// The files of a scene by their paths.
const filesOf = async ({ files }) => Object.fromEntries(await Promise.all(
  Object.entries(files).map(async ([path, name]) => [path, await inflated(await turnScript(name))])));
