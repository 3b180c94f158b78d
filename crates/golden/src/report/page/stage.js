// The comparison: golden, new and difference under one zoom and one place, and the pixel under the pointer.
//
// Zoom counts device pixels for each pixel of the picture. From 1 up it is a whole number, so that no pixel is drawn larger than
// its neighbour.

const MODES = [
  ["side", "Side by side", "golden, new and difference"],
  ["slider", "Slider", "golden left of a line, new right of it"],
  ["blink", "Blink", "golden and new in turn"],
  ["golden", "Golden", "golden alone"],
  ["new", "New", "new alone"],
  ["diff", "Difference", "difference alone, times 16"],
  ["heat", "Heat", "perceptual difference (FLIP)"],
  ["camera", "Golden's camera", "new picture through the golden's camera, if the camera moved"],
];
const CAPTIONS = { golden: "golden", new: "new", diff: "difference", heat: "heat", camera: "new through the golden's camera" };
const KINDS = Object.keys(CAPTIONS);
const ZOOMS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
/// Milliseconds for which blink shows one picture: slow enough to harm nobody.
const BLINK_MS = 600;
/// From this zoom on there are lines between pixels.
const GRID_FROM = 12;
const WHEEL_STEP = 80;
/// A pointer that moved less than this many CSS pixels has clicked.
const CLICK_SLOP = 4;

const view = {
  entry: null, mode: "side", fit: true, zoom: 1, x: 0, y: 0,
  split: 0.5, blinkNew: false, blinks: false,
  mark: null, held: false, outline: false, decoded: null, note: "",
};
const stage = byId("stage");
const panes = ["golden", "new", "diff"].map((kind) => {
  const canvas = make("canvas", { role: "img" });
  const caption = make("figcaption");
  const absent = make("p", { className: "absent" });
  const figure = make("figure", { className: "pane" }, canvas, absent, caption);
  stage.append(figure);
  return { own: kind, kind, canvas, caption, absent, figure };
});
const handle = make("button", { type: "button", id: "handle", className: "handle", role: "slider",
  "aria-label": "Slider between golden and new", "aria-valuemin": "0", "aria-valuemax": "100", "aria-orientation": "horizontal" });
const rightCaption = make("span", { className: "caption-right" }, "new");
panes[0].figure.append(handle, rightCaption);

// What is shown where.

/// Shows an entry. The place and zoom stay, so that frames of one scene can be compared with each other.
function showPictures(entry, { keepMark = false } = {}) {
  const before = view.entry;
  view.entry = entry;
  if (!keepMark) [view.mark, view.held] = [null, false];
  if (before?.scene !== entry.scene) view.fit = true;
  view.decoded = null;
  const here = () => view.entry === entry && layout();
  for (const kind of KINDS) if (entry.pictures[kind]) picture(entry.pictures[kind], here);
  layout();
  loadPixels(entry);
}

const loadPixels = debounced(60, (entry) => {
  if (view.entry !== entry) return;
  const none = entry.status.kind === "fail" ? "There are not two pictures to read values from." : "Pixel values are stored only for failed frames.";
  view.note = entry.pictures.pixels ? "Reading the pixels …" : none;
  pixelsOf(entry)
    .then((decoded) => {
      if (view.entry !== entry) return;
      view.decoded = decoded;
      if (decoded) view.note = "";
    })
    .catch((error) => view.entry === entry && (view.note = `Pixel values: ${error.message}.`))
    .then(showValues);
});

function setMode(mode) {
  view.mode = mode;
  view.blinkNew = false;
  view.blinks = mode === "blink" && !prefersLessMotion.matches;
  layout();
}

/// Golden for new and new for golden. Blink stops for it, the slider goes from one end to the other.
function swap() {
  if (view.mode === "golden" || view.mode === "new") return setMode(view.mode === "golden" ? "new" : "golden");
  if (view.mode === "slider") return setSplit(view.split > 0.5 ? 0 : 1);
  if (view.mode !== "blink") return setMode("golden");
  view.blinks = false;
  view.blinkNew = !view.blinkNew;
  layout();
}

setInterval(() => {
  if (view.mode !== "blink" || !view.blinks || document.hidden) return;
  view.blinkNew = !view.blinkNew;
  layout();
}, BLINK_MS);

const loaded = (kind) => {
  const path = view.entry?.pictures[kind];
  const held = path ? pictures.get(path) : null;
  return held?.ready ? held.image : null;
};

/// Width and height that the view is laid out for.
function pictureSize() {
  const image = loaded("golden") ?? loaded("new") ?? loaded("diff");
  const [width, height] = view.entry?.size ?? (image ? [image.naturalWidth, image.naturalHeight] : [4, 3]);
  return { width: Math.max(width, image?.naturalWidth ?? 1), height: Math.max(height, image?.naturalHeight ?? 1) };
}

const hasPictures = (entry) => ["golden", "new", "diff"].some((kind) => entry.pictures[kind]);

/// The mode, or the one picture that there is where slider and blink lack the other.
function modeNow() {
  const { golden, new: fresh } = view.entry.pictures;
  if ((view.mode === "slider" || view.mode === "blink") && !(golden && fresh)) return golden ? "golden" : "new";
  return view.mode;
}

/// Puts panes, captions and buttons in their state, then draws.
function layout() {
  if (!view.entry) return;
  const mode = modeNow();
  stage.dataset.mode = mode;
  const size = pictureSize();
  stage.style.setProperty("--ratio", `${size.width} / ${size.height}`);
  const single = { blink: view.blinkNew ? "new" : "golden", slider: "golden" }[mode] ?? mode;
  const other = { golden: "new", new: "golden" }[single];
  panes.forEach((pane, index) => {
    pane.kind = mode === "side" ? pane.own : single;
    pane.figure.hidden = mode !== "side" && index > 0;
    pane.figure.dataset.kind = pane.kind;
    pane.caption.textContent = mode === view.mode ? captionOf(pane.kind) : `${CAPTIONS[single]}; ${absence(other)}`;
    const why = absence(pane.kind);
    pane.absent.textContent = why;
    pane.absent.hidden = why === "";
    pane.canvas.setAttribute("aria-label", `${CAPTIONS[pane.kind]} of ${view.entry.scene.name}, ${view.entry.name}${why ? `: ${why}` : ""}`);
  });
  const sliding = mode === "slider";
  handle.hidden = rightCaption.hidden = !sliding;
  handle.style.left = `${view.split * 100}%`;
  handle.setAttribute("aria-valuenow", String(Math.round(view.split * 100)));
  handle.setAttribute("aria-valuetext", `${Math.round(view.split * 100)} percent golden`);
  for (const button of byId("modes").children) button.setAttribute("aria-pressed", String(button.dataset.mode === view.mode));
  byId("outline").setAttribute("aria-pressed", String(view.outline));
  const change = view.entry.change?.kind === "pixels";
  byId("worst").disabled = byId("outline").disabled = !change;
  draw();
}

/// What stands below a picture; of heat also its scale.
function captionOf(kind) {
  const top = kind === "heat" ? view.entry.heat_top : null;
  return CAPTIONS[kind] + (top ? `: FLIP 0 black, ${shortNumber(top)} light yellow` : "");
}

/// Why there is nothing to draw; empty if there is.
function absence(kind) {
  const entry = view.entry;
  const path = entry.pictures[kind];
  if (path) return pictures.get(path)?.failed ? `${path} cannot be loaded` : "";
  if (kind === "diff" || kind === "heat") return entry.word === "same" ? "no difference" : `no ${CAPTIONS[kind]} picture`;
  if (kind === "camera") return "the camera did not move";
  if (kind === "golden") return entry.word === "missing" ? "no golden" : "no golden to show";
  return "not drawn";
}

// Drawing.

const ratio = () => window.devicePixelRatio || 1;
let drawing = 0;

/// Draws all panes before the next frame of the screen.
function draw() {
  if (!drawing) drawing = requestAnimationFrame(() => { drawing = 0; drawNow(); });
}

function drawNow() {
  if (!view.entry) return;
  const shown = panes.filter((pane) => !pane.figure.hidden);
  for (const { canvas, size } of shown) {
    if (size && (canvas.width !== size[0] || canvas.height !== size[1])) [canvas.width, canvas.height] = size;
  }
  const { canvas } = shown[0];
  const size = pictureSize();
  if (view.fit) {
    const scale = Math.min(canvas.width / size.width, canvas.height / size.height);
    Object.assign(view, { zoom: scale >= 1 ? Math.floor(scale) : scale, x: size.width / 2, y: size.height / 2 });
  }
  view.x = Math.min(Math.max(view.x, 0), size.width);
  view.y = Math.min(Math.max(view.y, 0), size.height);
  const scale = view.zoom / ratio();
  byId("zoom").textContent = `${view.fit ? "fit " : ""}${Number(scale.toPrecision(3))}×`;
  byId("zoom-fit").setAttribute("aria-pressed", String(view.fit));
  byId("zoom-fit").setAttribute("aria-label", `Fit; now ${Number(scale.toPrecision(3))} times`);
  for (const each of shown) each.canvas.style.touchAction = view.fit ? "pan-y" : "none";
  for (const pane of shown) drawPane(pane, size);
}

/// Where column 0 and row 0 stand on a canvas, in its own pixels.
function origin(canvas) {
  return [Math.round(canvas.width / 2 - view.x * view.zoom), Math.round(canvas.height / 2 - view.y * view.zoom)];
}

function drawPane(pane, size) {
  const { canvas } = pane;
  const context = canvas.getContext("2d");
  const [left, top] = origin(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (modeNow() === "slider") {
    const middle = Math.round(view.split * canvas.width);
    drawPicture(context, "golden", left, top, 0, middle);
    drawPicture(context, "new", left, top, middle, canvas.width);
  } else {
    drawPicture(context, pane.kind, left, top, 0, canvas.width);
  }
  if (pane.absent.hidden) drawMarks(context, left, top, size);
}

/// Draws one picture between two columns of the canvas.
function drawPicture(context, kind, left, top, from, to) {
  const image = loaded(kind);
  if (!image || to <= from) return;
  const [width, height] = [image.naturalWidth * view.zoom, image.naturalHeight * view.zoom];
  context.save();
  context.beginPath();
  context.rect(from, 0, to - from, context.canvas.height);
  context.clip();
  // What is transparent shows squares.
  context.fillStyle = checks(context);
  context.fillRect(left, top, width, height);
  context.imageSmoothingEnabled = view.zoom < 1;
  context.drawImage(image, left, top, width, height);
  context.restore();
}

let checkPattern = null;
function checks(context) {
  if (checkPattern) return checkPattern;
  const tile = new OffscreenCanvas(16, 16);
  const paint = tile.getContext("2d");
  for (let k = 0; k < 4; k++) {
    paint.fillStyle = k === 0 || k === 3 ? "#8a8a8a" : "#a2a2a2";
    paint.fillRect((k % 2) * 8, (k >> 1) * 8, 8, 8);
  }
  return (checkPattern = context.createPattern(tile, "repeat"));
}

/// Lines between pixels, the outline of the change and the marked pixel.
function drawMarks(context, left, top, size) {
  const zoom = view.zoom;
  const { width, height } = context.canvas;
  if (zoom / ratio() >= GRID_FROM) {
    context.fillStyle = "rgb(128 128 128 / 35%)";
    const [fromX, fromY] = [Math.max(left, 0), Math.max(top, 0)];
    const [toX, toY] = [Math.min(left + size.width * zoom, width), Math.min(top + size.height * zoom, height)];
    for (let x = Math.max(0, Math.floor(-left / zoom)); x <= size.width && left + x * zoom < width; x++) {
      context.fillRect(left + x * zoom, fromY, 1, toY - fromY);
    }
    for (let y = Math.max(0, Math.floor(-top / zoom)); y <= size.height && top + y * zoom < height; y++) {
      context.fillRect(fromX, top + y * zoom, toX - fromX, 1);
    }
  }
  const change = view.entry.change;
  if (view.outline && change?.kind === "pixels") {
    const [x, y] = change.low;
    outlined(context, left + x * zoom, top + y * zoom, (change.high[0] + 1 - x) * zoom, (change.high[1] + 1 - y) * zoom);
  }
  if (view.mark) {
    const [x, y] = view.mark;
    if (zoom >= 4) outlined(context, left + x * zoom, top + y * zoom, zoom, zoom);
    else outlined(context, left + (x + 0.5) * zoom - 4, top + (y + 0.5) * zoom - 4, 8, 8);
  }
}

/// A frame around a box that shows on any colour.
function outlined(context, x, y, width, height) {
  context.lineWidth = 3;
  context.strokeStyle = "rgb(0 0 0 / 75%)";
  context.strokeRect(x - 1, y - 1, width + 2, height + 2);
  context.lineWidth = 1;
  context.strokeStyle = "#fff";
  context.strokeRect(x - 1, y - 1, width + 2, height + 2);
}

// Zoom and place.

/// Zooms; the point of the picture that is `dx`, `dy` device pixels off the middle stays where it is.
function zoomTo(zoom, dx = 0, dy = 0) {
  const wanted = Math.min(Math.max(zoom, ZOOMS[0]), ZOOMS.at(-1));
  const next = wanted >= 1 ? Math.round(wanted) : wanted;
  view.x += dx / view.zoom - dx / next;
  view.y += dy / view.zoom - dy / next;
  Object.assign(view, { zoom: next, fit: false });
  draw();
}

function zoomBy(steps, dx, dy) {
  for (; steps > 0; steps--) zoomTo(ZOOMS.find((zoom) => zoom > view.zoom) ?? ZOOMS.at(-1), dx, dy);
  for (; steps < 0; steps++) zoomTo(ZOOMS.findLast((zoom) => zoom < view.zoom) ?? ZOOMS[0], dx, dy);
}

function fit() {
  view.fit = true;
  draw();
}

/// Marks a pixel and brings it to the middle, large enough to see it.
function lookAt([x, y]) {
  drawNow();
  if (view.zoom < 12 * ratio()) zoomTo(12 * ratio());
  Object.assign(view, { x: x + 0.5, y: y + 0.5, fit: false, mark: [x, y], held: true });
  stage.focus({ preventScroll: true });
  draw();
  showValues();
  speakValues();
}

// The pixel under the pointer.

const cells = {};
function makeValues() {
  const colour = (kind) => {
    cells[kind] = make("span", { className: "numbers" });
    cells[`${kind}Swatch`] = make("span", { className: "swatch" });
    return make("span", { className: "value", "data-kind": kind }, make("span", { className: "label" }, CAPTIONS[kind]),
      cells[`${kind}Swatch`], cells[kind]);
  };
  cells.place = make("span", { className: "numbers place" });
  cells.diff = make("span", { className: "numbers" });
  cells.note = make("span", { className: "muted note" });
  byId("values").append(cells.place, colour("golden"), colour("new"),
    make("span", { className: "value", "data-kind": "diff" }, make("span", { className: "label" }, "difference"), cells.diff), cells.note);
}

/// Golden, new and difference of the marked pixel; null without a mark or without pixels.
function valuesOfMark() {
  if (!view.mark || !view.decoded) return null;
  const [golden, fresh] = [pixelAt(view.decoded.golden, ...view.mark), pixelAt(view.decoded.new, ...view.mark)];
  return { golden, fresh, diff: golden && fresh ? golden.map((value, k) => fresh[k] - value) : null };
}

const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

function showValues() {
  const values = valuesOfMark();
  byId("values").dataset.full = String(values !== null);
  const text = (channels) => (channels ? channels.join(" ") : "none");
  cells.place.textContent = view.mark ? `(${view.mark.join(", ")})${view.held ? " held" : ""}` : "";
  cells.golden.textContent = values ? text(values.golden) : "";
  cells.new.textContent = values ? text(values.fresh) : "";
  cells.diff.textContent = values?.diff ? values.diff.map(signed).join(" ") : "";
  const paint = (kind, channels) => {
    const css = channels ? `rgb(${channels.slice(0, 3).join(" ")} / ${channels[3] / 255})` : "transparent";
    cells[kind].style.setProperty("--colour", css);
  };
  paint("goldenSwatch", values?.golden);
  paint("newSwatch", values?.fresh);
  cells.note.textContent = values ? "" : view.note || (view.mark ? "" : "Point at a picture to read its pixel values: red, green, blue, alpha.");
}

/// Tells the values to those who do not see them, after a key.
function speakValues() {
  const values = valuesOfMark();
  byId("spoken").textContent = values
    ? `Pixel ${view.mark.join(", ")}: golden ${values.golden?.join(" ") ?? "none"}, new ${values.fresh?.join(" ") ?? "none"}, difference ${values.diff?.join(" ") ?? "none"}`
    : "";
}

function setMark(mark, held) {
  Object.assign(view, { mark, held });
  draw();
  showValues();
}

/// Where a canvas begins in the window, in device pixels: the screen knows no halves.
function cornerOf(canvas) {
  const box = canvas.getBoundingClientRect();
  return [Math.round(box.left * ratio()), Math.round(box.top * ratio())];
}

/// How many device pixels each canvas has, told by the browser where it can: rounding a fraction may miss by one.
const sizes = new ResizeObserver((changes) => {
  for (const change of changes) {
    const [exact] = change.devicePixelContentBoxSize ?? [];
    const { width, height } = change.contentRect;
    const size = exact ? [exact.inlineSize, exact.blockSize] : [Math.round(width * ratio()), Math.round(height * ratio())];
    panes.find((pane) => pane.canvas === change.target).size = size.map((side) => Math.max(1, side));
  }
  drawNow();
});

/// The pixel at a place of the window, and that place's distance from the middle in device pixels.
function placeOf(canvas, event) {
  const corner = cornerOf(canvas);
  const [x, y] = [event.clientX * ratio() - corner[0], event.clientY * ratio() - corner[1]];
  const [left, top] = origin(canvas);
  const size = pictureSize();
  const [column, row] = [Math.floor((x - left) / view.zoom), Math.floor((y - top) / view.zoom)];
  const inside = column >= 0 && row >= 0 && column < size.width && row < size.height;
  return { pixel: inside ? [column, row] : null, dx: x - canvas.width / 2, dy: y - canvas.height / 2 };
}

// Pointers and keys.

const pointers = new Map();
let gesture = null;
let wheel = 0;

function setSplit(split) {
  view.split = Math.min(Math.max(split, 0), 1);
  layout();
}

function pointerDown(canvas, event) {
  if (event.button > 0) return;
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, event);
  if (pointers.size === 1) gesture = { kind: "click", start: event, x: view.x, y: view.y };
  if (pointers.size === 2) {
    const [a, b] = [...pointers.values()];
    gesture = { kind: "pinch", zoom: view.zoom, distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) };
  }
}

function pointerMove(canvas, event) {
  if (pointers.has(event.pointerId)) pointers.set(event.pointerId, event);
  else if (event.pointerType !== "touch" && !view.held) return setMark(placeOf(canvas, event).pixel, false);
  if (!gesture || !pointers.has(event.pointerId)) return;
  if (gesture.kind === "pinch" && pointers.size === 2) {
    const [a, b] = [...pointers.values()];
    const middle = { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
    const { dx, dy } = placeOf(canvas, middle);
    const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    return zoomTo((gesture.zoom * distance) / Math.max(gesture.distance, 1), dx, dy);
  }
  const [dx, dy] = [event.clientX - gesture.start.clientX, event.clientY - gesture.start.clientY];
  if (gesture.kind === "click" && Math.hypot(dx, dy) > CLICK_SLOP) gesture.kind = view.fit && modeNow() === "slider" ? "split" : "pan";
  if (gesture.kind === "split") {
    const box = canvas.getBoundingClientRect();
    setSplit((event.clientX - box.left) / box.width);
  } else if (gesture.kind === "pan" && !view.fit) {
    view.x = gesture.x - (dx * ratio()) / view.zoom;
    view.y = gesture.y - (dy * ratio()) / view.zoom;
    draw();
  }
}

function pointerUp(canvas, event) {
  pointers.delete(event.pointerId);
  if (gesture?.kind === "click" && event.type === "pointerup") {
    const { pixel } = placeOf(canvas, event);
    const same = view.held && pixel && view.mark && pixel[0] === view.mark[0] && pixel[1] === view.mark[1];
    setMark(pixel, pixel !== null && !same);
  }
  if (pointers.size === 0) gesture = null;
}

function stageKey(event) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step || event.target !== stage || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const size = pictureSize();
  if (event.shiftKey) {
    const box = panes[0].canvas;
    view.x += (step[0] * box.width) / view.zoom / 8;
    view.y += (step[1] * box.height) / view.zoom / 8;
    view.fit = false;
    return draw();
  }
  const change = view.entry.change;
  const start = change?.kind === "pixels" ? change.worst : [Math.floor(size.width / 2), Math.floor(size.height / 2)];
  const [x, y] = view.mark ? [view.mark[0] + step[0], view.mark[1] + step[1]] : start;
  const mark = [Math.min(Math.max(x, 0), size.width - 1), Math.min(Math.max(y, 0), size.height - 1)];
  // The marked pixel stays in sight.
  const { canvas } = panes[0];
  const [halfX, halfY] = [canvas.width / view.zoom / 2 - 1, canvas.height / view.zoom / 2 - 1];
  if (!view.fit) {
    view.x = Math.min(Math.max(view.x, mark[0] + 0.5 - halfX), mark[0] + 0.5 + halfX);
    view.y = Math.min(Math.max(view.y, mark[1] + 0.5 - halfY), mark[1] + 0.5 + halfY);
  }
  setMark(mark, true);
  speakValues();
}

function handleKey(event) {
  const step = { ArrowLeft: -0.02, ArrowRight: 0.02, ArrowDown: -0.02, ArrowUp: 0.02, PageDown: -0.1, PageUp: 0.1 }[event.key];
  if (step !== undefined) setSplit(view.split + step);
  else if (event.key === "Home") setSplit(0);
  else if (event.key === "End") setSplit(1);
  else return;
  event.preventDefault();
}

function startStage() {
  for (const [mode, label, title] of MODES) {
    const key = MODES.findIndex(([other]) => other === mode) + 1;
    const button = make("button", { type: "button", title: `${title} (${key})`, "aria-pressed": "false", "data-mode": mode }, label);
    button.addEventListener("click", () => setMode(mode));
    byId("modes").append(button);
  }
  makeValues();
  for (const { canvas } of panes) {
    canvas.addEventListener("pointerdown", (event) => pointerDown(canvas, event));
    canvas.addEventListener("pointermove", (event) => pointerMove(canvas, event));
    canvas.addEventListener("pointerup", (event) => pointerUp(canvas, event));
    canvas.addEventListener("pointercancel", (event) => pointerUp(canvas, event));
    canvas.addEventListener("pointerleave", () => !view.held && pointers.size === 0 && setMark(null, false));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      // A pinch on a touch pad comes as small steps with Control.
      wheel -= event.deltaY * (event.ctrlKey ? 6 : 1) * (event.deltaMode === 1 ? 30 : 1);
      const steps = Math.trunc(wheel / WHEEL_STEP);
      wheel -= steps * WHEEL_STEP;
      const { dx, dy } = placeOf(canvas, event);
      zoomBy(steps, dx, dy);
    }, { passive: false });
  }
  handle.addEventListener("keydown", handleKey);
  handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const box = panes[0].canvas.getBoundingClientRect();
    setSplit((event.clientX - box.left) / box.width);
  });
  stage.addEventListener("keydown", stageKey);
  byId("zoom-in").addEventListener("click", () => zoomBy(1));
  byId("zoom-out").addEventListener("click", () => zoomBy(-1));
  byId("zoom-fit").addEventListener("click", fit);
  byId("worst").addEventListener("click", () => lookAt(view.entry.change.worst));
  byId("outline").addEventListener("click", () => { view.outline = !view.outline; layout(); });
  for (const { canvas } of panes) {
    try {
      sizes.observe(canvas, { box: "device-pixel-content-box" });
    } catch {
      sizes.observe(canvas);
    }
  }
  if (isNarrow.matches) view.mode = "slider";
  showValues();
}
