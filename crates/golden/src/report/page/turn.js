// The models of a failed golden: old and new side by side, by one camera at one moment, and the difference of what is seen.

/// Width in pixels up to which small pictures are drawn in whole multiples of theirs.
const TURN_WIDTH = 480;
/// Factor of the difference, as in the pictures beside it.
const TURN_TIMES = 16;

const turned = { entry: null, views: {}, diff: byId("turn-diff") };

/// What can be turned of an entry; what was turned before goes.
function showTurning(entry) {
  if (turned.entry === entry) return;
  turned.entry = entry;
  turned.views = {};
  const { turn } = entry;
  byId("turning").hidden = !turn;
  byId("turn-views").hidden = true;
  byId("turn-old").replaceChildren();
  byId("turn-new").replaceChildren();
  if (!turn) return;
  byId("turn-open").hidden = !turn.script;
  byId("turn-open").disabled = false;
  byId("turn-size").textContent = turn.script ? `${(turn.bytes / 2 ** 20).toFixed(1)} MiB` : "";
  byId("turn-notes").replaceChildren(...turn.notes.map((note) => make("li", {}, note)));
}

async function openTurning() {
  const { entry } = turned;
  const { turn } = entry;
  byId("turn-open").disabled = true;
  try {
    turnEngine ??= startEngine();
    await turnEngine;
    const { fresh, old } = await turnScript(turn.script);
    const sides = [["new", fresh, turn.new_index], ["old", old, turn.old_index]];
    byId("turn-views").hidden = false;
    for (const [side, scene, index] of sides) {
      const none = scene === null ? "The golden's model is not available." : "The scene does not have this frame.";
      byId(`turn-${side}-same`).textContent = "";
      if (scene === null || index === null) {
        byId(`turn-${side}`).replaceChildren(make("p", { className: "muted" }, none));
        continue;
      }
      const files = await filesOf(scene);
      if (turned.entry !== entry) return;
      startView(side, { scene: scene.scene, name: scene.name, files, fit: turn.fit ?? undefined }, index);
    }
    layDifference();
  } catch (error) {
    turnEngine = undefined;
    turnScripts.clear();
    byId("turn-open").disabled = false;
    byId("turn-notes").append(make("li", { role: "alert" }, error.message));
  }
}

/// A viewer of one side. Its first picture is compared with that of the report; then both are drawn larger.
function startView(side, source, index) {
  const { entry } = turned;
  const size = entry.size ?? [256, 256];
  const viewer = document.createElement("tintype-viewer");
  viewer.setAttribute("size", size.join("x"));
  viewer.setAttribute("aria-label", side === "old" ? "golden" : "new");
  if (entry.turn.aov) viewer.setAttribute("aov", entry.turn.aov);
  turned.views[side] = viewer;
  viewer.index = index;
  viewer.source = source;
  viewer.addEventListener("frame", () => {
    if (turned.entry !== entry) return;
    if (!viewer.dataset.compared && viewer.picture.width === size[0]) {
      viewer.dataset.compared = "yes";
      tellSame(side, viewer.picture, entry);
      const times = Math.max(1, Math.floor(TURN_WIDTH / size[0]));
      viewer.setAttribute("size", size.map((pixels) => pixels * times).join("x"));
    }
    drawDifference();
  });
  viewer.addEventListener("change", ({ detail }) => {
    const other = turned.views[side === "old" ? "new" : "old"];
    if (!other) return;
    other.camera = detail.camera;
    if (other.index !== detail.index) other.index = detail.index;
  });
  byId(`turn-${side}`).replaceChildren(viewer);
}

/// Says whether a view begins with the picture of the report, byte for byte.
async function tellSame(side, shown, entry) {
  const label = byId(`turn-${side}-same`);
  const kept = await pixelsOf(entry).catch(() => null);
  const wanted = side === "old" ? kept?.golden : kept?.new;
  if (turned.entry !== entry) return;
  const isSame = wanted && wanted.width === shown.width && wanted.height === shown.height && wanted.bytes.every((byte, k) => byte === shown.data[k]);
  const what = side === "old" ? "the golden" : "the new picture";
  label.textContent = !wanted ? "" : isSame ? `First frame matches ${what} byte for byte.` : `First frame does not match ${what}: ${side === "old" ? "the golden was made from other files" : "the package has another version"}.`;
}

function drawDifference() {
  const { old, new: fresh } = turned.views;
  const [a, b] = [old?.picture, fresh?.picture];
  if (!a || !b || a.width !== b.width || a.height !== b.height) return;
  const canvas = turned.diff;
  Object.assign(canvas, { width: a.width, height: a.height });
  const isOver = byId("turn-over").checked;
  const picture = new ImageData(a.width, a.height);
  let count = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    let largest = 0;
    for (let k = 0; k < 4; k++) {
      const by = Math.abs(a.data[at + k] - b.data[at + k]);
      if (by > largest) largest = by;
      if (k < 3) picture.data[at + k] = by * TURN_TIMES;
    }
    picture.data[at + 3] = isOver && largest === 0 ? 0 : 255;
    if (largest) count++;
  }
  canvas.getContext("2d").putImageData(picture, 0, 0);
  // While they move, one may be ahead of the other.
  const isStill = old.state === "still" && fresh.state === "still";
  byId("turn-count").textContent = isStill ? `${counted(count, "pixel")} ${count === 1 ? "differs" : "differ"}` : "";
}

/// Puts the difference over the new view, or beside it.
function layDifference() {
  const figure = byId("turn-count").closest("figure");
  if (byId("turn-over").checked) byId("turn-new").append(turned.diff);
  else figure.querySelector("figcaption").after(turned.diff);
  drawDifference();
}

function startTurning() {
  byId("turn-open").addEventListener("click", openTurning);
  byId("turn-over").addEventListener("change", layDifference);
}
