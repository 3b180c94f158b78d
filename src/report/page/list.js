// The list of goldens: failures first, by scene; what passed as strips of small pictures; filters and search.

const filters = { words: [], statuses: new Set(), scene: "", stage: "" };
/// Entry -> its row. Rows are made once; filters hide them.
const rows = new Map();
/// The boxes of rows with a heading: { box, entries, count }.
const groups = [];

function thumbnail(entry) {
  const path = entry.pictures.new ?? entry.pictures.golden;
  if (!path) return make("span", { className: "thumb none", "aria-hidden": "true" }, entry.status.mark);
  return make("img", { className: "thumb", loading: "lazy", decoding: "async", alt: "", src: fileAddress(path) });
}

function row(entry) {
  const address = `#${encodeURI(entry.id)}`;
  const link = entry.status.kind === "pass"
    ? make("a", { href: address, className: "tile", tabIndex: -1, title: `${entry.scene.name}, ${entry.name}: ${entry.message}`,
        "aria-label": `${entry.scene.name}, ${entry.name}: ${entry.status.label}` }, thumbnail(entry), make("span", {}, String(entry.frame ?? entry.name)),
        entry.notes.length ? make("i", { className: "dot", title: entry.notes.join("\n") }) : null)
    : make("a", { href: address, className: "row", tabIndex: -1 }, thumbnail(entry),
        make("span", { className: "words" },
          make("span", { className: "first" }, make("b", {}, entry.name),
            make("span", { className: `badge ${entry.status.kind}` }, entry.cause ? entry.cause.stage : entry.status.label)),
          make("span", { className: "why" }, withoutStage(entry))));
  const item = make("li", {}, link);
  rows.set(entry, { item, link });
  return item;
}

/// The headline without the stage's name before it, as the badge says that.
function withoutStage(entry) {
  const stage = entry.cause?.stage;
  const start = stage ? `${stage}: ` : "";
  return start && entry.headline.startsWith(start) ? entry.headline.slice(start.length) : entry.headline;
}

function group(title, detail, entries, kind) {
  const count = make("span", { className: "muted" });
  const box = make("section", { className: `group ${kind}` }, make("h3", {}, make("span", {}, title), count), make("ol", {}, ...entries.map(row)));
  // A guess of the height of what is not drawn yet, so that the bar at the side is right from the start.
  const lines = kind === "pass" ? Math.ceil(entries.length / 5) * 62 : entries.length * 66;
  box.style.containIntrinsicSize = `auto 300px auto ${lines + 34}px`;
  groups.push({ box, entries, count, detail });
  return box;
}

function makeList() {
  const list = byId("list");
  const kinds = [["fail", "failed"], ["skip", "not compared"], ["pass", "passed"]];
  for (const [kind, word] of kinds) {
    for (const scene of report.scenes) {
      const own = scene.entries.filter((entry) => entry.status.kind === kind);
      const all = scene.entries.length;
      const detail = (shown) => `${shown === own.length ? "" : `${shown} shown, `}${own.length === all ? `all ${all}` : `${own.length} of ${all}`} ${word}`;
      if (own.length) list.append(group(scene.name, detail, own, kind));
    }
  }
}

function makeFilters() {
  for (const [word, status] of Object.entries(STATUSES)) {
    const count = entries.filter((entry) => entry.word === word).length;
    if (!count) continue;
    const chip = make("button", { type: "button", className: `chip ${status.kind}`, "aria-pressed": "false", "data-status": word },
      make("span", { className: "mark", "aria-hidden": "true" }, status.mark), `${status.label} `, make("b", {}, count.toLocaleString("en")));
    chip.addEventListener("click", () => {
      if (!filters.statuses.delete(word)) filters.statuses.add(word);
      chip.setAttribute("aria-pressed", String(filters.statuses.has(word)));
      applyFilters();
    });
    byId("statuses").append(chip);
  }
  const options = (select, values, one) => {
    values.forEach((value) => select.append(make("option", { value }, value)));
    select.closest("label").hidden = values.length < one;
  };
  options(byId("scene"), report.scenes.map((scene) => scene.name), 2);
  options(byId("stage-filter"), [...new Set(entries.map((entry) => entry.cause?.stage).filter(Boolean))], 1);
  byId("scene").addEventListener("change", (event) => { filters.scene = event.target.value; applyFilters(); });
  byId("stage-filter").addEventListener("change", (event) => { filters.stage = event.target.value; applyFilters(); });
  byId("search").addEventListener("input", (event) => {
    filters.words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    applyFilters();
  });
}

const isShown = (entry) =>
  (filters.statuses.size === 0 || filters.statuses.has(entry.word)) &&
  (filters.scene === "" || entry.scene.name === filters.scene) &&
  (filters.stage === "" || entry.cause?.stage === filters.stage) &&
  filters.words.every((word) => entry.text.includes(word));

/// What the list shows, in its order.
let shown = [];

function applyFilters() {
  shown = [];
  for (const { box, entries: own, count, detail } of groups) {
    let here = 0;
    for (const entry of own) {
      const visible = isShown(entry);
      rows.get(entry).item.hidden = !visible;
      if (visible) {
        here++;
        shown.push(entry);
      }
    }
    box.hidden = here === 0;
    count.textContent = detail(here);
  }
  const all = entries.length;
  byId("shown").textContent = shown.length === all ? `${counted(all, "golden")}, failures first`
    : shown.length ? `${shown.length.toLocaleString("en")} of ${all.toLocaleString("en")} shown` : "Nothing matches. Clear the search or a filter.";
  keepOneTabStop();
}

/// One row takes the focus of the Tab key: the selected one, or the first.
let tabStop = null;
function keepOneTabStop() {
  const stop = shown.includes(current) ? current : shown[0];
  if (tabStop && tabStop !== stop) rows.get(tabStop).link.tabIndex = -1;
  tabStop = stop ?? null;
  if (tabStop) rows.get(tabStop).link.tabIndex = 0;
}

/// Marks a row as the one that is looked at.
function showInList(entry, before) {
  if (before) rows.get(before).link.removeAttribute("aria-current");
  const { link } = rows.get(entry);
  link.setAttribute("aria-current", "true");
  link.scrollIntoView({ block: "nearest" });
  keepOneTabStop();
}

function startList() {
  makeList();
  makeFilters();
  applyFilters();
  byId("list").addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 };
    const to = { Home: shown[0], End: shown.at(-1) }[event.key];
    if (!(event.key in steps) && !to) return;
    event.preventDefault();
    if (to) select(to, { focus: true });
    else stepList(steps[event.key], { focus: true });
  });
}
