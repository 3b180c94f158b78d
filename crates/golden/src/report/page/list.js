// The list of goldens: failures first, by cause or by scene; what passed as strips of small pictures; filters and search.

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
          make("span", { className: "first" }, make("b", {}, byCause && entry.fails ? `${entry.scene.name}, ${entry.name}` : entry.name),
            make("span", { className: `badge ${entry.status.kind}` }, entry.cause ? entry.cause.stage : entry.status.label)),
          make("span", { className: "why" }, withoutStage(entry))));
  const item = make("li", {}, link);
  let tick = null;
  if (entry.accept && entry.golden) {
    tick = make("input", { type: "checkbox", className: "tick", tabIndex: -1, "aria-label": `Accept ${entry.scene.name}, ${entry.name}`, title: "Tick to accept (t)" });
    tick.addEventListener("change", () => tickEntries([entry], tick.checked));
    item.append(tick);
  }
  rows.set(entry, { item, link, tick });
  return item;
}

/// Rows of a group that are shown before the others are asked for.
const FIRST_ROWS = 8;
/// The failures that are ticked, to be accepted together.
const ticked = new Set();

function tickEntries(list, on) {
  for (const entry of list) {
    const { tick } = rows.get(entry);
    if (!tick) continue;
    tick.checked = on;
    if (on) ticked.add(entry);
    else ticked.delete(entry);
  }
  for (const { all, entries: own } of groups) {
    if (!all) continue;
    const can = own.filter((entry) => rows.get(entry).tick);
    const count = can.filter((entry) => ticked.has(entry)).length;
    all.checked = count > 0 && count === can.length;
    all.indeterminate = count > 0 && count < can.length;
  }
  byId("ticked").hidden = ticked.size === 0;
  byId("ticked-command").textContent = tickedCommand();
  byId("command-copy").textContent = "Copy";
  if (current) showAccept(current);
  byId("ticked-count").textContent = `${counted(ticked.size, "golden")} ticked`;
}

/// The list that `tintype bless --from` reads, in the order of the report.
const tickedList = () => entries.filter((entry) => ticked.has(entry)).map((entry) => `${entry.golden}\n`).join("");

/// Most goldens that a command names one by one; more are listed in a file.
const MOST_NAMED = 12;
/// `tintype bless`, one word as a shell reads it, and options.
const BLESS = /^tintype bless ((?:\$'(?:[^'\\]|\\.)*'|'[^']*'|\\'|[^\s'\\])+)(.*)$/s;

/// The command that accepts what is ticked: by name, or of many by the list, with the folders that the other commands of the report name.
function tickedCommand() {
  const [first] = ticked;
  const parts = [...ticked].map((entry) => BLESS.exec(entry.accept));
  if (ticked.size <= MOST_NAMED && parts.every(Boolean)) {
    const words = new Map();
    // Options such as --prune are commands of their own.
    for (const [, word, options] of parts) {
      const key = word.startsWith("--") ? `${word}${options}` : options;
      words.set(key, (words.get(key) ?? new Set()).add(word));
    }
    const command = ([key, own]) => [...own][0].startsWith("--") ? `tintype bless ${key}` : `tintype bless ${[...own].join(" ")}${key}`;
    return [...words].map(command).join("; ");
  }
  const folders = first ? first.accept.match(/ --(scenes|golden|models) ('[^']*'|\S+)/g) ?? [] : [];
  return `tintype bless --from accept.txt${folders.join("")}`;
}

function exportTicked() {
  const address = URL.createObjectURL(new Blob([tickedList()], { type: "text/plain" }));
  const link = make("a", { href: address, download: "accept.txt" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
  byId("ticked-command").textContent = tickedCommand();
}

/// Asks the server that handed the page out to accept goldens, and says what it did.
async function acceptEntries(list) {
  byId("accept-said").textContent = "…";
  const body = list.map((entry) => `${entry.golden}\n`).join("");
  let said;
  try {
    const answer = await fetch(acceptAddress, { method: "POST", body });
    if (!answer.ok) throw new Error(answer.status === 404 ? "this picture cannot be accepted here; use the command" : `status ${answer.status}`);
    const { accepted, refused } = await answer.json();
    for (const entry of list.filter((own) => accepted.includes(own.golden))) {
      entry.accepted = true;
      rows.get(entry).item.classList.add("accepted");
    }
    said = [`${counted(accepted.length, "golden")} accepted`, ...refused.map(({ golden, why }) => `${golden}: ${why}`)].join("; ");
    tickEntries(list.filter((entry) => entry.accepted), false);
  } catch (error) {
    said = error instanceof TypeError ? "tintype test --serve has stopped: start it again" : error.message;
  }
  if (current) showAccept(current);
  byId("accept-said").textContent = said;
}

/// The button of an entry: it accepts where a server does, else it collects for one command.
function showAccept(entry) {
  const tick = rows.get(entry)?.tick;
  const button = byId("accept-this");
  byId("accept-line").hidden = !tick;
  button.disabled = Boolean(entry.accepted);
  button.textContent = entry.accepted ? "Accepted" : acceptAddress ? "Accept" : ticked.has(entry) ? "Collected ✓" : "Collect to accept";
  button.title = acceptAddress ? "" : "Accept everything collected with the command below the list (t)";
}

function pressAccept() {
  if (acceptAddress) acceptEntries([current]);
  else tickEntries([current], !ticked.has(current));
}

/// The headline without the stage's name before it, as the badge says that.
const withoutStage = (entry) => entry.cause?.what ?? entry.headline;

function group(title, detail, entries, kind, accept = null) {
  const count = make("span", { className: "muted" });
  let all = null;
  if (kind === "fail" && entries.some((entry) => entry.accept && entry.golden)) {
    all = make("input", { type: "checkbox", className: "tick", "aria-label": `Accept all of ${title}`, title: "Tick all of them" });
    all.addEventListener("change", () => tickEntries(entries, all.checked));
  }
  const heading = make("h3", {}, make("span", {}, title), count, all);
  const box = make("section", { className: `group ${kind}` }, heading);
  if (accept) {
    const copy = make("button", { type: "button", className: "quiet" }, "Copy");
    copy.addEventListener("click", async () => { copy.textContent = (await copyText(accept)) ? "Copied" : "Copy"; });
    box.append(make("p", { className: "accept-cause" }, make("code", {}, accept), copy));
  }
  box.append(make("ol", {}, ...entries.map(row)));
  const own = { box, entries, count, detail, all, open: entries.length <= 2 * FIRST_ROWS || kind !== "fail", more: null };
  if (!own.open) {
    own.more = make("button", { type: "button", className: "more" });
    own.more.addEventListener("click", () => { own.open = true; applyFilters(); });
    box.append(own.more);
  }
  // A guess of the height of what is not drawn yet, so that the bar at the side is right from the start.
  const height = own.open ? entries.length : FIRST_ROWS;
  const lines = kind === "pass" ? Math.ceil(entries.length / 5) * 62 : height * 66;
  box.style.containIntrinsicSize = `auto 300px auto ${lines + 34}px`;
  groups.push(own);
  return box;
}

/// Whether failures are listed by cause: the default where many have one cause.
let byCause = report.groups.some((one) => one.count > FIRST_ROWS);

function makeList() {
  groups.length = 0;
  byId("list").replaceChildren();
  const list = byId("list");
  const kinds = [["fail", "failed"], ["skip", "not compared"], ["pass", "passed"]];
  for (const [kind, word] of kinds) {
    if (kind === "fail" && byCause) {
      for (const { text, scenes, accept, entries: places } of report.groups) {
        const own = places.map(([scene, entry]) => report.scenes[scene].entries[entry]);
        const detail = (shown) => `${shown === own.length ? "" : `${shown.toLocaleString("en")} shown, `}${counted(own.length, "golden")} in ${counted(scenes, "scene")}`;
        list.append(group(text.split("\n")[0], detail, own, kind, accept));
      }
      continue;
    }
    for (const scene of report.scenes) {
      const own = scene.entries.filter((entry) => entry.status.kind === kind);
      const all = scene.entries.length;
      const detail = (shown) => `${shown === own.length ? "" : `${shown} shown, `}${own.length === all ? `all ${all}` : `${own.length} of ${all}`} ${word}`;
      if (own.length) list.append(group(scene.name, detail, own, kind));
    }
  }
  tickEntries([...ticked], true);
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
  byId("by-cause").closest("label").hidden = failures.length < 2;
  byId("by-cause").checked = byCause;
  byId("by-cause").addEventListener("change", (event) => {
    byCause = event.target.checked;
    makeList();
    applyFilters();
    if (current) showInList(current, null);
  });
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
  for (const { box, entries: own, count, detail, open, more } of groups) {
    let here = 0;
    for (const entry of own) {
      const visible = isShown(entry);
      rows.get(entry).item.hidden = !visible || !open && here >= FIRST_ROWS;
      if (visible) {
        here++;
        shown.push(entry);
      }
    }
    box.hidden = here === 0;
    if (more) {
      more.hidden = open || here <= FIRST_ROWS;
      more.textContent = `Show all ${here.toLocaleString("en")}`;
    }
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
  const { link, item } = rows.get(entry);
  // A row that is left out of a long group is shown when it is looked at.
  if (item.hidden && shown.includes(entry)) {
    const own = groups.find((one) => one.entries.includes(entry));
    own.open = true;
    applyFilters();
  }
  link.setAttribute("aria-current", "true");
  link.scrollIntoView({ block: "nearest" });
  keepOneTabStop();
}

function startList() {
  makeList();
  makeFilters();
  applyFilters();
  byId("ticked-export").addEventListener("click", exportTicked);
  byId("ticked-copy").addEventListener("click", async () => {
    byId("ticked-copy").textContent = (await copyText(tickedList())) ? "Copied" : "Copy list";
  });
  byId("command-copy").addEventListener("click", async () => {
    byId("command-copy").textContent = (await copyText(byId("ticked-command").textContent)) ? "Copied" : "Copy";
  });
  byId("ticked-accept").hidden = !acceptAddress;
  byId("ticked-accept").addEventListener("click", () => acceptEntries([...ticked]));
  byId("accept-this").addEventListener("click", pressAccept);
  byId("ticked-clear").addEventListener("click", () => tickEntries([...ticked], false));
  byId("list").addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 };
    const to = { Home: shown[0], End: shown.at(-1) }[event.key];
    if (!(event.key in steps) && !to) return;
    event.preventDefault();
    if (to) select(to, { focus: true });
    else stepList(steps[event.key], { focus: true });
  });
}
