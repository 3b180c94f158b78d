// The golden frames of a scene in order: a scrubber, and play at the scene's own speed.
//
// Golden frames may be far apart; each is shown as long as it would be on the film, until the next one comes.

/// How many pictures are asked for ahead of the one that is shown.
const AHEAD = 12;

const film = { scene: null, frames: [], starts: [], period: 0, at: 0, playing: false, position: 0, last: 0 };

/// The times of a scene's frames in seconds from the first, and the length of the whole.
function filmOf(scene) {
  const frames = scene.sequence;
  const starts = frames.map((entry) => (entry.frame - frames[0].frame) / scene.fps);
  const gaps = starts.slice(1).map((start, k) => start - starts[k]).sort((a, b) => a - b);
  const gap = gaps.length ? gaps[gaps.length >> 1] : 1 / scene.fps;
  return { frames, starts, period: (starts.at(-1) ?? 0) + gap };
}

/// Puts the scrubber where an entry is.
function showInSequence(entry) {
  if (film.scene !== entry.scene) {
    pause();
    Object.assign(film, { scene: entry.scene }, filmOf(entry.scene));
    byId("scrubber").max = String(Math.max(0, film.frames.length - 1));
    drawTicks();
  }
  film.at = film.frames.indexOf(entry);
  const usable = film.at >= 0 && film.frames.length > 1;
  byId("sequence").hidden = !usable;
  if (!usable) return;
  byId("scrubber").value = String(film.at);
  byId("scrubber").setAttribute("aria-valuetext", `${entry.name}, ${entry.status.label}`);
  const seconds = (entry.frame / film.scene.fps).toFixed(3);
  byId("clock").textContent = `${entry.frame} · ${seconds} s · ${shortNumber(film.scene.fps)} fps`;
}

/// A tick for each frame, in the colour of its status.
function drawTicks() {
  const canvas = byId("ticks");
  const box = canvas.getBoundingClientRect();
  [canvas.width, canvas.height] = [Math.round(box.width * ratio()), Math.round(box.height * ratio())];
  const context = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const step = film.frames.length > 1 ? (canvas.width - 16 * ratio()) / (film.frames.length - 1) : 0;
  const width = Math.max(1, Math.min(4 * ratio(), step * 0.6));
  film.frames.forEach((entry, k) => {
    context.fillStyle = style.getPropertyValue(`--${entry.status.kind}`);
    context.fillRect(8 * ratio() + k * step - width / 2, entry.fails ? 0 : canvas.height * 0.4, width, canvas.height);
  });
}

function goTo(index) {
  if (film.frames.length === 0) return;
  const entry = film.frames[(index + film.frames.length) % film.frames.length];
  select(entry, { quiet: film.playing, keepMark: true });
}

function play() {
  if (film.frames.length < 2) return;
  Object.assign(film, { playing: true, position: film.starts[film.at], last: 0 });
  showPlaying();
  requestAnimationFrame(advance);
}

function pause() {
  if (!film.playing) return;
  film.playing = false;
  showPlaying();
  if (film.frames[film.at]) select(film.frames[film.at], { keepMark: true });
}

const togglePlay = () => (film.playing ? pause() : play());

function showPlaying() {
  byId("play").textContent = film.playing ? "❚❚" : "▶";
  byId("play").setAttribute("aria-label", film.playing ? "Pause" : "Play");
}

/// One step of the screen: the frame whose time has come is shown, once its pictures are there.
function advance(now) {
  if (!film.playing) return;
  const passed = film.last ? ((now - film.last) / 1000) * Number(byId("speed").value) : 0;
  film.last = now;
  let position = (film.position + passed) % film.period;
  let index = film.starts.findLastIndex((start) => start <= position + 1e-9);
  // A slow screen slows the film down, as no frame is left out.
  const follower = (film.at + 1) % film.frames.length;
  if (index !== film.at && index !== follower) [index, position] = [follower, film.starts[follower]];
  const wanted = film.frames.slice(index, index + AHEAD).concat(film.frames.slice(0, Math.max(0, index + AHEAD - film.frames.length)));
  wanted.forEach((entry) => ["golden", "new", "diff"].forEach((kind) => entry.pictures[kind] && picture(entry.pictures[kind])));
  const next = film.frames[index];
  const waiting = ["golden", "new", "diff"].some((kind) => {
    const held = pictures.get(next.pictures[kind]);
    return held && !held.ready && !held.failed;
  });
  // The film waits for its pictures: no frame is skipped because a disk is slow.
  if (!waiting) {
    film.position = position;
    if (index !== film.at) goTo(index);
  }
  requestAnimationFrame(advance);
}

function startSequence() {
  byId("play").addEventListener("click", togglePlay);
  byId("scrubber").addEventListener("input", () => {
    if (film.playing) pause();
    goTo(Number(byId("scrubber").value));
  });
  new ResizeObserver(drawTicks).observe(byId("ticks"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTicks);
}
