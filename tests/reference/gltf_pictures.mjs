// node gltf_pictures.mjs FOLDER CHROMIUM: pictures of glTF files by three.js, with three and puppeteer-core from node_modules of FOLDER.
// A request is a line of JSON: {model, hdr, out, size, azimuth, elevation, fov}; paths are absolute, angles in degrees, azimuth 0 looks from +Z.
// The camera looks at the middle of the box of all vertices and holds the sphere around it. Lit by the environment alone, tone PBR Neutral,
// background transparent. The answer is a line of JSON each: {eye, target, near} once the picture is at `out`, or {error}.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import readline from 'node:readline';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, chromium] = process.argv.slice(2);
const resolve = createRequire(path.resolve(folder, 'package.json')).resolve;
const three = path.dirname(path.dirname(resolve('three')));
const { default: puppeteer } = await import(pathToFileURL(resolve('puppeteer-core')));

const page = `<!doctype html><meta charset="utf-8"><body>
<script type="importmap">{"imports":{"three":"/three/build/three.module.js","three/addons/":"/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { HDRLoader } from 'three/addons/loaders/HDRLoader.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
renderer.toneMapping = THREE.NeutralToneMapping;
renderer.setClearColor(0, 0);
document.body.append(renderer.domElement);
const environments = {};
const loader = new GLTFLoader();
loader.setMeshoptDecoder(MeshoptDecoder);
loader.setDRACOLoader(new DRACOLoader().setDecoderPath('/three/examples/jsm/libs/draco/gltf/'));
loader.setKTX2Loader(new KTX2Loader().setTranscoderPath('/three/examples/jsm/libs/basis/').detectSupport(renderer));
let held;
window.draw = async (q) => {
  if (!environments[q.hdr]) {
    const panorama = await new HDRLoader().loadAsync('/files' + q.hdr);
    panorama.mapping = THREE.EquirectangularReflectionMapping;
    environments[q.hdr] = new THREE.PMREMGenerator(renderer).fromEquirectangular(panorama).texture;
  }
  if (held?.model !== q.model) {
    held = { model: q.model, scene: (await loader.loadAsync('/files' + q.model)).scene };
    held.scene.traverse((node) => { if (node.isLight) node.visible = false; });
  }
  const scene = new THREE.Scene();
  scene.environment = environments[q.hdr];
  scene.add(held.scene);
  scene.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(scene, true);
  const target = box.getCenter(new THREE.Vector3());
  const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
  const [azimuth, elevation, fov] = [q.azimuth, q.elevation, q.fov].map(THREE.MathUtils.degToRad);
  const distance = 1.03 * radius / Math.sin(fov / 2);
  const toward = [Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation), Math.cos(azimuth) * Math.cos(elevation)];
  const camera = new THREE.PerspectiveCamera(q.fov, 1, distance / 100, distance * 4);
  camera.position.set(...toward).multiplyScalar(distance).add(target);
  camera.lookAt(target);
  renderer.setSize(q.size, q.size);
  for (let pass = 0; pass < 2; pass++) {
    renderer.render(scene, camera);
    await new Promise((done) => setTimeout(done, 20));
  }
  const png = renderer.domElement.toDataURL('image/png').split(',')[1];
  return { png, eye: camera.position.toArray(), target: target.toArray(), near: distance / 100 };
};
window.ready = true;
</script>`;

const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };
const server = http.createServer((request, answer) => {
  const name = decodeURIComponent(new URL(request.url, 'http://x').pathname);
  if (name === '/') return answer.writeHead(200, { 'content-type': 'text/html' }).end(page);
  const file = name.startsWith('/three/') ? path.join(three, name.slice(7)) : name.replace(/^\/files/, '');
  fs.readFile(file, (error, data) => {
    if (error) return answer.writeHead(404).end();
    answer.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' }).end(data);
  });
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const browser = await puppeteer.launch({
  executablePath: chromium,
  headless: true,
  protocolTimeout: 120000,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
try {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction('window.ready', { timeout: 120000 });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    let answer;
    try {
      const { png, ...camera } = await tab.evaluate((q) => window.draw(q), request);
      fs.writeFileSync(request.out, Buffer.from(png, 'base64'));
      answer = camera;
    } catch (error) {
      answer = { error: String(error.message ?? error).split('\n')[0] };
    }
    console.log(JSON.stringify(answer));
  }
} finally {
  await browser.close();
  server.close();
}
