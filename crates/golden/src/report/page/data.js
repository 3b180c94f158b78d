// The report's data, as the page reads it, and the small things that every part needs.
"use strict";

const report = JSON.parse(document.getElementById("report").textContent);

/// What a status is called, and whether it fails, passes or neither. The order is that of the list.
const STATUSES = {
  "different": { label: "Different", kind: "fail", mark: "≠" },
  "missing": { label: "Missing", kind: "fail", mark: "?" },
  "unreadable": { label: "Unreadable", kind: "fail", mark: "!" },
  "other-revision": { label: "Other revision", kind: "fail", mark: "↻" },
  "not-drawn": { label: "Not drawn", kind: "fail", mark: "!" },
  "empty": { label: "Nothing seen", kind: "fail", mark: "○" },
  "dangling": { label: "Dangling", kind: "fail", mark: "∅" },
  "skipped": { label: "Skipped", kind: "skip", mark: "–" },
  "within": { label: "Within bound", kind: "pass", mark: "≈" },
  "same": { label: "Same", kind: "pass", mark: "=" },
};

/// Address at which a server accepts goldens; none of a page that is a file.
const acceptAddress = document.querySelector("meta[name=tintype-accept]")?.content ?? null;

const byId = (id) => document.getElementById(id);

/// An element with properties and children. Text is set as text.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/// The address of a file of the report.
const fileAddress = (path) => path.split("/").map(encodeURIComponent).join("/");

const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

const shortNumber = (value) => (value === null ? "not a number" : String(Number(value.toPrecision(4))));

/// Calls a function once, when no further call came for that many milliseconds.
function debounced(wait, call) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), wait);
  };
}

/// How much differs, in few words; empty if nothing was compared.
function amountOf(change) {
  if (change?.kind !== "pixels") return "";
  return `${counted(change.count, "pixel")} ${change.count === 1 ? "differs" : "differ"}, by ${change.largest} at most`;
}

/// All goldens, each with its scene, the name that it has in addresses, and the text that a search looks through.
const entries = [];
for (const scene of report.scenes) {
  scene.entries = scene.frames.map((own, index) => {
    const name = own.frame !== null ? `frame ${own.frame}` : own.golden ?? "scene";
    const tail = own.frame !== null ? String(own.frame) : own.golden ?? "scene";
    const cause = own.cause;
    const status = STATUSES[own.status];
    const words = [scene.name, scene.path, name, own.golden, status.label, own.message, own.rule, cause?.stage, cause?.text,
      ...(cause?.evidence ?? []), ...own.notes];
    const entry = {
      ...own, scene, name, index, status, word: own.status,
      id: `${scene.name}/${tail}`,
      amount: amountOf(own.change),
      headline: cause?.text ?? (amountOf(own.change) || own.message),
      fails: status.kind === "fail",
      text: words.filter(Boolean).join("\n").toLowerCase(),
    };
    // Where nothing differs, the picture of today is the golden.
    if (entry.word === "same" && !own.pictures.new) entry.pictures = { ...own.pictures, new: own.pictures.golden };
    entries.push(entry);
    return entry;
  });
  // What can be played: frames with a number and a picture, in order.
  scene.sequence = scene.entries
    .filter((entry) => entry.frame !== null && (entry.pictures.golden || entry.pictures.new))
    .sort((a, b) => a.frame - b.frame);
}
const entryById = new Map(entries.map((entry) => [entry.id, entry]));
const failures = entries.filter((entry) => entry.fails);
const prefersLessMotion = matchMedia("(prefers-reduced-motion: reduce)");
const isNarrow = matchMedia("(max-width: 820px)");
