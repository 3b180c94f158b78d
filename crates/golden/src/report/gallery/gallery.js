'use strict';

// The models of the page: search, order and details. What is shown is set as text, never as markup.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId('data').textContent);
const numbers = new Intl.NumberFormat('en');
const counted = (count, noun) => `${numbers.format(count)} ${noun}${count === 1 ? '' : 's'}`;
const address = (path) => path.split('/').map(encodeURIComponent).join('/');
// 2 stands before 10.
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const STATUS = { drawn: 'Drawn', unchanged: 'Up to date', failed: 'Failed', 'no-mesh': 'Without a mesh' };

function element(kind, text, name) {
  const made = document.createElement(kind);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

const all = data.models.map((model, place) => {
  const cut = model.model.lastIndexOf('/') + 1;
  const clips = model.facts ? model.facts.clips : [];
  return {
    ...model,
    place,
    file: model.model.slice(cut),
    folder: model.model.slice(0, cut),
    words: [model.model, ...clips].join('\n').toLowerCase(),
    triangles: model.facts ? model.facts.triangles : -1,
    joints: model.facts ? model.facts.joints : -1,
    clips: model.facts ? clips.length : -1,
  };
});

// Models with a picture are shown; the others are told below them.
const models = all.filter((model) => model.picture);
const others = all.filter((model) => !model.picture);
// Files of clips are no models.
const count = all.filter((model) => model.status !== 'no-mesh').length;

// Clips that a card names; more are told by their number.
const CHIPS = 3;

function image(path, name) {
  const picture = element('img', undefined, name);
  picture.loading = 'lazy';
  picture.decoding = 'async';
  picture.width = data.width;
  picture.height = data.height;
  picture.alt = '';
  picture.src = address(path);
  return picture;
}

// A button that searches for a clip.
function chip(clip, text) {
  const button = element('button', text || clip, 'chip');
  button.type = 'button';
  button.title = `Models with the clip ${clip}`;
  button.addEventListener('click', () => {
    byId('search').value = clip;
    update();
  });
  return button;
}

function card(model) {
  const item = element('li', undefined, 'card');
  const link = element('a');
  link.href = address(model.picture);
  const stage = element('span', undefined, 'stage');
  stage.append(image(model.picture));
  if (model.spin) stage.append(image(model.spin, 'spin'));
  if (model.view && model.view.untextured) stage.append(element('span', 'no textures', 'badge'));
  if (model.warnings.length > 0) stage.append(element('span', counted(model.warnings.length, 'warning'), 'badge warned'));
  const name = element('b', model.file);
  name.title = model.model;
  link.append(stage, name);
  const [first, second] = model.facts
    ? [counted(model.triangles, 'triangle'), [counted(model.joints, 'joint'), counted(model.clips, 'clip')].join(', ')]
    : [STATUS[model.status], '\u00a0'];
  link.append(element('small', first), element('small', second));
  link.append(element('small', model.folder || '\u00a0'));
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(model);
  });
  item.append(link);
  const clips = model.facts ? model.facts.clips : [];
  if (clips.length > 0) {
    const chips = element('p', undefined, 'chips');
    chips.append(...clips.slice(0, CHIPS).map((clip) => chip(clip)));
    if (clips.length > CHIPS) chips.append(element('span', `+${clips.length - CHIPS}`));
    item.append(chips);
  }
  model.item = item;
  model.link = link;
}

// Elements of more models than this at once make browsers slow.
const PAGE = 500;
let shown = [];
let page = 0;

// The orders by name and by folder, once: collating is slow.
[...models].sort((a, b) => collator.compare(a.file, b.file) || collator.compare(a.folder, b.folder) || a.place - b.place)
  .forEach((model, rank) => { model.name = rank; });
[...models].sort((a, b) => collator.compare(a.folder, b.folder) || a.name - b.name)
  .forEach((model, rank) => { model.path = rank; });

function turnTo(next) {
  const pages = Math.max(1, Math.ceil(shown.length / PAGE));
  page = Math.min(Math.max(next, 0), pages - 1);
  const part = shown.slice(page * PAGE, (page + 1) * PAGE);
  for (const model of part) if (!model.item) card(model);
  byId('grid').replaceChildren(...part.map((model) => model.item));
  byId('pager').hidden = pages === 1;
  byId('pager-text').textContent = shown.length === 0 ? ''
    : `${numbers.format(page * PAGE + 1)} to ${numbers.format(page * PAGE + part.length)} of ${numbers.format(shown.length)}`;
  byId('page-before').disabled = page === 0;
  byId('page-after').disabled = page + 1 >= pages;
}

// Shows the page that a model is on.
function show(model) {
  const at = Math.floor(shown.indexOf(model) / PAGE);
  if (at >= 0 && at !== page) turnTo(at);
}

// Models without a picture, and why.
function tellOthers(told) {
  for (const [list, status] of [['failed', 'failed'], ['no-mesh', 'no-mesh']]) {
    const rows = told.filter((model) => model.status === status).map((model) => {
      const row = element('li');
      row.append(element('b', model.model), element('span', model.message || ''));
      return row;
    });
    byId(list).replaceChildren(...rows);
    byId(list).parentElement.hidden = rows.length === 0;
  }
}

function update() {
  const wanted = byId('search').value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const status = byId('status').value;
  const key = byId('sort').value;
  const sign = byId('order').getAttribute('aria-pressed') === 'true' ? -1 : 1;
  const fits = (model) => (!status || (status === 'warned' ? model.warnings.length > 0 : model.status === status))
    && wanted.every((word) => model.words.includes(word));
  shown = models.filter(fits);
  shown.sort((a, b) => sign * (a[key] - b[key] || a.name - b.name));
  turnTo(0);
  const told = others.filter(fits);
  tellOthers(told);
  byId('none').hidden = shown.length + told.length > 0;
  const found = shown.length + told.filter((model) => model.status !== 'no-mesh').length;
  byId('count').textContent = shown.length + told.length === all.length
    ? counted(count, 'model')
    : `${numbers.format(found)} of ${counted(count, 'model')}`;
  remember();
}

// What is looked for is part of the address, so that it can be passed on and comes back with the page.
const FIELDS = { q: 'search', sort: 'sort', show: 'status' };

function remember() {
  const words = new URLSearchParams();
  for (const [word, id] of Object.entries(FIELDS)) {
    const usual = word === 'sort' ? 'name' : '';
    if (byId(id).value !== usual) words.set(word, byId(id).value);
  }
  if (byId('order').getAttribute('aria-pressed') === 'true') words.set('order', 'descending');
  const text = String(words);
  if (text !== location.hash.slice(1)) history.replaceState(null, '', text ? `#${text}` : location.pathname + location.search);
}

function recall() {
  const words = new URLSearchParams(location.hash.slice(1));
  for (const [word, id] of Object.entries(FIELDS)) {
    byId(id).value = words.get(word) ?? '';
    if (byId(id).selectedIndex === -1) byId(id).selectedIndex = 0;
  }
  byId('order').setAttribute('aria-pressed', String(words.get('order') === 'descending'));
  update();
}

// The model turns in the place of its picture; files and the package that draws are fetched now.
async function turn(model) {
  try {
    turnEngine ??= startEngine();
    await turnEngine;
    const { fresh } = await turnScript(model.turn.script);
    const { [fresh.name]: source, ...files } = await filesOf(fresh);
    if (current !== model || !byId('detail').open) return;
    const viewer = element('tintype-viewer');
    viewer.style.setProperty('--aspect', `${data.width} / ${data.height}`);
    for (const [name, word] of Object.entries(fresh.attributes)) viewer.setAttribute(name, word);
    if (model.view) viewer.timeS = model.view.moment_s ?? 0;
    viewer.source = { source, name: fresh.name, files, clips: fresh.clips };
    byId('detail-picture').hidden = true;
    byId('detail-turning').replaceChildren(viewer);
  } catch (error) {
    turnEngine = undefined;
    turnScripts.clear();
    if (current === model) byId('detail-message').textContent = error.message;
  }
}

let current = null;
let opener = null;

function open(model) {
  current = model;
  opener = model.link;
  byId('detail-name').textContent = model.model;
  byId('detail-message').textContent = model.message || '';
  const picture = byId('detail-picture');
  picture.parentElement.hidden = !model.picture;
  picture.hidden = false;
  byId('detail-turning').replaceChildren();
  if (model.picture) {
    picture.src = address(model.picture);
    picture.alt = `Picture of ${model.file}`;
  }
  const facts = byId('detail-facts');
  facts.replaceChildren();
  const say = (key, value) => facts.append(element('dt', key), element('dd', value));
  say('Status', STATUS[model.status]);
  if (model.facts) {
    say('Triangles', numbers.format(model.facts.triangles));
    say('Vertices', numbers.format(model.facts.vertices));
    say('Meshes', numbers.format(model.facts.meshes));
    say('Joints', numbers.format(model.facts.joints));
    say('Clips', model.facts.clips.length > 0 ? model.facts.clips.join(', ') : 'none');
  }
  if (model.view) {
    const { clip, moment_s: moment, azimuth_deg: azimuth, elevation_deg: elevation } = model.view;
    say('Shown', clip === null ? 'bind pose' : `${clip || 'clip'} at ${moment.toFixed(2)} s`);
    say('Seen from', `azimuth ${azimuth}°, elevation ${elevation}°`);
    if (model.view.untextured) say('Textures', 'none found; drawn plain');
  }
  if (model.turn) say('Viewer', `${(model.turn.bytes / 2 ** 20).toFixed(1)} MiB of files`);
  for (const warning of model.warnings) say('Warning', warning);
  const at = shown.indexOf(model);
  byId('previous').disabled = at <= 0;
  byId('next').disabled = at < 0 || at + 1 >= shown.length;
  if (!byId('detail').open) byId('detail').showModal();
  if (model.turn) turn(model);
}

function step(by) {
  const next = shown[shown.indexOf(current) + by];
  if (!next) return;
  show(next);
  open(next);
}

// Columns of the grid, as it stands now.
function columns() {
  return getComputedStyle(byId('grid')).gridTemplateColumns.split(' ').length;
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns(), ArrowDown: columns() };
  if (byId('detail').open) {
    // A model that turns has these keys for itself.
    if (event.target.matches('tintype-viewer')) return;
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') step(steps[event.key]);
    return;
  }
  const isTyping = event.target.matches('input, select');
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    byId('search').focus();
  } else if (event.key === 'Escape' && event.target === byId('search')) {
    byId('search').value = '';
    update();
  } else if ((event.key === 'Home' || event.key === 'End') && !isTyping && shown.length > 0) {
    event.preventDefault();
    const end = shown[event.key === 'Home' ? 0 : shown.length - 1];
    show(end);
    end.link.focus();
  } else if (event.key in steps && !isTyping) {
    const at = shown.findIndex((model) => model.link === document.activeElement);
    const next = at < 0 ? shown[0] : shown[at + steps[event.key]];
    if (next && (at >= 0 || event.key === 'ArrowDown' || event.key === 'ArrowRight')) {
      event.preventDefault();
      show(next);
      next.link.focus();
    }
  }
});

byId('tools').addEventListener('submit', (event) => event.preventDefault());
byId('search').addEventListener('input', update);
byId('sort').addEventListener('change', () => {
  // The largest are looked for first.
  byId('order').setAttribute('aria-pressed', String(!['name', 'path'].includes(byId('sort').value)));
  update();
});
byId('order').addEventListener('click', () => {
  const button = byId('order');
  button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
  update();
});
byId('status').addEventListener('change', update);
byId('clear').addEventListener('click', () => {
  byId('search').value = '';
  byId('status').value = '';
  update();
  byId('search').focus();
});
byId('previous').addEventListener('click', () => step(-1));
byId('next').addEventListener('click', () => step(1));
byId('page-before').addEventListener('click', () => turnTo(page - 1));
byId('page-after').addEventListener('click', () => {
  turnTo(page + 1);
  byId('models').scrollIntoView();
});
byId('detail').addEventListener('close', () => byId('detail-turning').replaceChildren());
byId('detail').addEventListener('close', () => (current && current.item && current.item.isConnected ? current.link : opener)?.focus());
byId('detail').addEventListener('click', (event) => {
  if (event.target === byId('detail')) byId('detail').close();
});

byId('heading').textContent = data.title || counted(count, 'model');
for (const [status, name] of Object.entries(STATUS)) {
  const own = all.filter((model) => model.status === status).length;
  if (own > 0) byId('status').append(new Option(`${name} (${numbers.format(own)})`, status));
}
const warned = all.filter((model) => model.warnings.length > 0).length;
if (warned > 0) byId('status').append(new Option(`With warnings (${numbers.format(warned)})`, 'warned'));
byId('gone').replaceChildren(...data.gone.map((name) => element('li', name)));
byId('gone').parentElement.hidden = data.gone.length === 0;
// Clips that several models have, the commonest first.
const commonness = new Map();
for (const model of models) {
  for (const clip of new Set(model.facts ? model.facts.clips : [])) commonness.set(clip, (commonness.get(clip) || 0) + 1);
}
const common = [...commonness].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1] || collator.compare(a[0], b[0]));
byId('clips').append(...common.slice(0, 10).map(([clip, count]) => chip(clip, `${clip} (${numbers.format(count)})`)));
byId('clips').hidden = common.length === 0;
addEventListener('hashchange', recall);
recall();
byId('app').hidden = false;
