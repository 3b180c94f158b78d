// What is looked at, its facts, addresses, keys, and the start of the page.

let current = null;

/// Looks at an entry. `quiet` leaves list, address and facts alone, as a film runs; `focus` moves the focus to its row.
function select(entry, { quiet = false, focus = false, keepMark = false, address = true } = {}) {
  const before = current;
  current = entry;
  showPictures(entry, { keepMark });
  showInSequence(entry);
  showHeading(entry);
  if (quiet) return;
  showInList(entry, listed);
  listed = entry;
  showFacts(entry);
  if (address && location.hash !== hashOf(entry)) history.replaceState(null, "", hashOf(entry));
  if (focus) rows.get(entry).link.focus({ preventScroll: true });
  if (before !== entry) askForNeighbours(entry);
}
let listed = null;

const hashOf = (entry) => `#${encodeURI(entry.id)}`;

/// The pictures that will likely be looked at next.
function askForNeighbours(entry) {
  const at = shown.indexOf(entry);
  for (const near of [shown[at + 1], shown[at - 1]]) {
    if (near && at >= 0) ["golden", "new", "diff"].forEach((kind) => near.pictures[kind] && picture(near.pictures[kind]));
  }
}

function showHeading(entry) {
  byId("title").textContent = `${entry.scene.name} · ${entry.name}`;
  byId("badge").textContent = entry.status.label;
  byId("badge").className = `badge ${entry.status.kind}`;
  const cause = byId("cause");
  cause.replaceChildren();
  if (entry.cause) cause.append(make("b", { className: "stage" }, entry.cause.stage), " ", withoutStage(entry));
  else cause.textContent = entry.word === "same" ? "Every channel of every pixel is the same." : entry.headline;
  cause.classList.toggle("lines", cause.textContent.includes("\n"));
  byId("evidence").replaceChildren(...(entry.cause?.evidence ?? []).map((line) => make("li", {}, line)));
  byId("why").hidden = !entry.cause?.evidence.length;
  byId("viewer").hidden = !hasPictures(entry);
  showCommand("frame", entry.accept);
  showCommand("scene", entry.scene.accept === entry.accept ? null : entry.accept && entry.scene.accept);
  byId("accept").hidden = !entry.accept;
  byId("accept-said").textContent = "";
  showAccept(entry);
  showTurning(entry);
}

function showCommand(which, text) {
  byId(`command-${which}`).textContent = text ?? "";
  byId(`command-${which}`).closest(".command").hidden = !text;
  byId(`copy-${which}`).textContent = "Copy";
}

function showFacts(entry) {
  const list = make("dl");
  const fact = (name, ...values) => list.append(make("div", {}, make("dt", {}, name), make("dd", {}, ...values)));
  const place = (pixel) => {
    const button = make("button", { type: "button", className: "place", title: "Go to this pixel" }, `(${pixel.join(", ")})`);
    button.addEventListener("click", () => lookAt(pixel));
    return button;
  };
  fact("Rule", entry.rule);
  for (const metric of entry.metrics) {
    fact(metric.name.replace(/^flip|^ssim/, (word) => word.toUpperCase()), shortNumber(metric.value), metric.bound === null ? "" : make("span", { className: "muted" }, ` bound ${shortNumber(metric.bound)}`));
  }
  const change = entry.change;
  if (change?.kind === "pixels") {
    const all = entry.size ? entry.size[0] * entry.size[1] : 0;
    const share = all ? make("span", { className: "muted" }, ` of ${all.toLocaleString("en")}, ${shortNumber((change.count / all) * 100)} %`) : "";
    fact("Differing pixels", change.count.toLocaleString("en"), share);
    fact("Largest difference", String(change.largest), make("span", { className: "muted" }, " of 255, at "), place(change.worst));
    fact("Mean difference", shortNumber(change.mean));
    fact("First pixel", place(change.first));
    fact("Bounding box", place(change.low), make("span", { className: "muted" }, " to "), place(change.high));
  } else if (change?.kind === "size") {
    fact("Size", `golden ${change.golden.join(" × ")}, new ${change.new.join(" × ")}`);
  }
  if (entry.size && change?.kind !== "size") fact("Size", entry.size.join(" × "));
  if (entry.golden) fact("Golden", make("code", {}, entry.golden));
  if (entry.scene.path) fact("Scene", make("code", {}, entry.scene.path));
  if (entry.cause && entry.message !== entry.cause.text) fact("Message", entry.message);
  entry.notes.forEach((note) => fact("Note", note));
  const files = KINDS.filter((kind) => entry.pictures[kind]);
  if (files.length) {
    fact("Files", ...files.flatMap((kind, k) => [k ? ", " : "", make("a", { href: fileAddress(entry.pictures[kind]) }, CAPTIONS[kind])]));
  }
  byId("facts").replaceChildren(list);
}

/// The entry some steps further in what the list shows, or in the failures that it shows.
function stepList(step, { failing = false, ...how } = {}) {
  const line = failing ? shown.filter((entry) => entry.fails) : shown;
  if (line.length === 0) return;
  const at = line.indexOf(current);
  let next = at + step;
  if (at < 0) next = step > 0 ? 0 : line.length - 1;
  if (next >= 0 && next < line.length) select(line[next], how);
}

/// Puts text into the clipboard; whether that was possible.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without the right to use the clipboard: the old way, by a selection.
    const field = make("textarea", { value: text, className: "hidden" });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

async function copyCommand(which) {
  const text = byId(`command-${which}`).textContent;
  if (!text) return;
  await copyText(text);
  byId(`copy-${which}`).textContent = "Copied";
  byId("spoken").textContent = "Copied";
}

/// What the address asks for. Without an address a narrow window shows the list, a wide one the first entry.
function followAddress() {
  let id = "";
  try {
    id = decodeURI(location.hash.slice(1));
  } catch { /* no address of ours */ }
  const entry = entryById.get(id);
  document.body.classList.toggle("detail", entry !== undefined);
  const wanted = entry ?? current ?? shown[0];
  if (wanted && wanted !== current) select(wanted, { address: false });
  if (entry && isNarrow.matches) scrollTo(0, 0);
}

const KEYS = {
  "j": () => stepList(1), "k": () => stepList(-1),
  "n": () => stepList(1, { failing: true }), "p": () => stepList(-1, { failing: true }),
  ",": () => { pause(); goTo(film.at - 1); }, ".": () => { pause(); goTo(film.at + 1); },
  " ": togglePlay,
  "x": swap, "+": () => zoomBy(1), "=": () => zoomBy(1), "-": () => zoomBy(-1), "0": fit,
  "[": () => setSplit(view.split - 0.05), "]": () => setSplit(view.split + 0.05),
  "w": () => !byId("worst").disabled && lookAt(view.entry.change.worst),
  "o": () => byId("outline").click(),
  "c": () => copyCommand("frame"),
  "t": () => current && rows.get(current).tick && tickEntries([current], !ticked.has(current)),
  "/": () => byId("search").focus(),
  "?": () => byId("help").showModal(),
  "Escape": () => setMark(null, false),
};
MODES.forEach(([mode], index) => { KEYS[String(index + 1)] = () => setMode(mode); });

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
  const { target } = event;
  const typing = target.matches("input[type=search], select, textarea");
  if (typing) {
    if (event.key === "Escape") target.blur();
    return;
  }
  // A button or a link has its own use of the space bar.
  if (event.key === " " && target.matches("button, a, input")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function start() {
  const failed = failures.length;
  const total = entries.length;
  const verdict = byId("verdict");
  verdict.className = failed ? "fail" : "pass";
  verdict.textContent = failed ? `${failed.toLocaleString("en")} of ${counted(total, "golden")} failed`
    : total === 0 ? "No goldens were compared" : entries.every((entry) => entry.status.kind === "pass") ? `All ${counted(total, "golden")} passed` : "No goldens failed";
  byId("program").textContent = `tintype ${report.program.version}, pixel revision ${report.program.pixel_revision}, ${counted(report.scenes.length, "scene")}`;
  byId("app").hidden = false;
  startStage();
  startSequence();
  startTurning();
  startList();
  byId("previous").addEventListener("click", () => stepList(-1));
  byId("next").addEventListener("click", () => stepList(1));
  for (const which of ["frame", "scene"]) byId(`copy-${which}`).addEventListener("click", () => copyCommand(which));
  byId("back").addEventListener("click", () => {
    history.replaceState(null, "", location.pathname + location.search);
    followAddress();
    if (current) rows.get(current).link.scrollIntoView({ block: "center" });
  });
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("help-close").addEventListener("click", () => byId("help").close());
  byId("help").addEventListener("click", (event) => event.target === byId("help") && byId("help").close());
  document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); stage.focus(); });
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", followAddress);
  document.body.classList.toggle("empty", total === 0);
  followAddress();
}
start();
