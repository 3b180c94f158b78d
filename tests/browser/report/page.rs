//! The page in a headless Chromium: content, keys, pointers, and no request to any server.

use super::sample;
use crate::chromium::{Browser, Page, with_browser};
use crate::support::trial;
use image::{Rgba, RgbaImage};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

type Outcome = Result<(), Failed>;
const WIDE: [u32; 2] = [1400, 900];
const NARROW: [u32; 2] = [390, 844];

pub(super) fn address(folder: &Path) -> String {
    format!("file://{}/index.html", folder.display())
}

/// A page with every status, in a window of that size.
struct Opened {
    page: Page,
    folder: TempDir,
}

fn open_at(browser: &Browser, [width, height]: [u32; 2], place: &str) -> Result<Opened, Failed> {
    let folder = TempDir::new()?;
    sample::every_status(folder.path());
    let mut page = browser.open(width, height)?;
    page.open(&format!("{}{place}", address(folder.path())))?;
    Ok(Opened { page, folder })
}

fn open(browser: &Browser, place: &str) -> Result<Opened, Failed> {
    open_at(browser, WIDE, place)
}

fn same<T: PartialEq + std::fmt::Debug>(found: T, wanted: T, what: &str) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found:?}, not {wanted:?}").into()) }
}

/// The position in the window of the centre of a picture's pixel.
fn place_of(page: &mut Page, pane: usize, [x, y]: [u32; 2]) -> Result<[f64; 2], Failed> {
    let place = page.value(&format!(
        "(() => {{ const c = panes[{pane}].canvas, [x, y] = cornerOf(c), [l, t] = origin(c); \
         return [(x + l + ({x} + 0.5) * view.zoom) / ratio(), (y + t + ({y} + 0.5) * view.zoom) / ratio()]; }})()"
    ))?;
    Ok([place[0].as_f64().unwrap(), place[1].as_f64().unwrap()])
}

/// The colour that the window shows there.
fn seen(picture: &RgbaImage, [x, y]: [f64; 2]) -> [u8; 4] {
    let Rgba(pixel) = *picture.get_pixel(x.round() as u32, y.round() as u32);
    pixel
}

#[trial(with_browser)]
fn page_failures_come_first_and_say_why(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "")?;
    same(page.text("byId('verdict').textContent")?, "10 of 22 goldens failed".into(), "verdict")?;
    page.holds("document.title === 'tintype: 10 of 22 goldens failed'")?;
    let order = page.value("shown.map((entry) => entry.status.kind)")?;
    let kinds: Vec<&str> = order.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    same(kinds.len(), 22, "entries in the list")?;
    assert!(kinds.windows(2).all(|two| {
        let rank = |kind| ["fail", "skip", "pass"].iter().position(|own| *own == kind);
        rank(two[0]) <= rank(two[1])
    }));
    // The first failure is looked at.
    same(page.text("byId('title').textContent")?, "walk · frame 3".into(), "title")?;
    same(
        page.text("byId('cause').textContent")?,
        "pose joint lowerarm.L turned 3.1° and moved 0.42 (9 joints below it follow)".into(),
        "cause",
    )?;
    page.holds("[...document.querySelectorAll('#evidence li')].map((li) => li.textContent).join() === 'walk.md5anim has changed,skin follows'")?;
    let facts = page.text("byId('facts').innerText.replace(/\\s+/g, ' ')")?;
    for fact in [
        "Rule exact",
        "Differing pixels 1,200 of 1,200, 100 %",
        "Largest difference 170 of 255, at (0, 0)",
        "golden/walk/0003.png",
        "scenes/walk.toml",
    ] {
        assert!(facts.contains(fact), "{fact} in {facts}");
    }
    // A rule with a metric shows its values and bound; NaN is shown as such.
    page.value("select(entryById.get('odd/a b#c?d%25/5'))")?;
    let facts = page.text("byId('facts').innerText.replace(/\\s+/g, ' ')")?;
    for fact in ["Rule flip <= 0.02", "FLIP 0.0123 bound 0.02", "SSIM not a number"] {
        assert!(facts.contains(fact), "{fact} in {facts}");
    }
    page.value("select(entryById.get('walk/7'))")?;
    page.holds("byId('facts').innerText.includes('textures/imp.png changed, and no pixel did')")?;
    page.keep_picture("wide")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_foreign_text_stays_text(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "")?;
    page.value("select(entryById.get('odd/a b#c?d%25/0'))")?;
    page.settle()?;
    let wanted = Value::from(sample::HOSTILE);
    page.holds(&format!("byId('cause').textContent === 'shading ' + {wanted}"))?;
    page.holds(&format!("document.querySelector('#evidence li').textContent === {wanted}"))?;
    page.holds(&format!("[...document.querySelectorAll('#facts dd')].filter((dd) => dd.textContent === {wanted}).length >= 2"))?;
    page.holds(
        "typeof window.broken === 'undefined' && document.querySelector('img[src=x]') === null",
    )?;
    // Its pictures have names with letters that are special in an address.
    page.holds(
        "['golden', 'new', 'diff'].every((kind) => pictures.get(current.pictures[kind]).ready)",
    )?;
    let hash = page.text("location.href")?;
    page.open(&hash)?;
    same(page.text("current.id")?, "odd/a b#c?d%25/0".into(), "the address leads back")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_pixel_values_are_exact(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "")?;
    page.value("select(entryById.get('odd/a b#c?d%25/0'))")?;
    page.settle()?;
    // Every pixel that the page decoded, transparent ones too.
    let (golden, new) = sample::odd_pair();
    for (name, frame) in [("golden", &golden), ("new", &new)] {
        let found = page.value(&format!("[...view.decoded.{name}.bytes]"))?;
        let found: Vec<u64> = found.as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        let wanted: Vec<u64> = frame.rgba.iter().flatten().map(|&byte| u64::from(byte)).collect();
        assert!(found == wanted, "the pixels of {name} differ");
    }
    // The values under the pointer, in each of the three pictures.
    for pane in 0..3 {
        for place in [[7, 5], [20, 11], [0, 0], [32, 16]] {
            let at = place_of(&mut page, pane, place)?;
            page.hover(at)?;
            let [g, n] = [golden.pixel(place[0], place[1]), new.pixel(place[0], place[1])];
            let words = |pixel: [u8; 4]| pixel.map(|byte| byte.to_string()).join(" ");
            let difference: Vec<String> = (0..4)
                .map(|k| match i32::from(n[k]) - i32::from(g[k]) {
                    0 => "0".to_owned(),
                    more if more > 0 => format!("+{more}"),
                    less => format!("−{}", -less),
                })
                .collect();
            let found = page.text("['place', 'golden', 'new', 'diff'].map((cell) => cells[cell].textContent).join('|')")?;
            let wanted = format!(
                "({}, {})|{}|{}|{}",
                place[0],
                place[1],
                words(g),
                words(n),
                difference.join(" ")
            );
            same(found, wanted, "values under the pointer")?;
        }
    }
    // A click locks the pixel; the pointer moves on without it; Escape releases it.
    let [first, second] = [place_of(&mut page, 0, [7, 5])?, place_of(&mut page, 0, [20, 11])?];
    page.click_at(first)?;
    page.hover(second)?;
    same(page.text("cells.place.textContent")?, "(7, 5) held".into(), "held")?;
    page.key("Escape")?;
    page.hover(second)?;
    same(page.text("cells.place.textContent")?, "(20, 11)".into(), "let go")?;
    // If golden and new have different sizes, the part that one of them lacks is shown as absent.
    page.value("select(entryById.get('odd/a b#c?d%25/1'))")?;
    page.settle()?;
    page.value("setMark([3, 17], true)")?;
    same(page.text("cells.golden.textContent")?, "none".into(), "beyond the golden")?;
    page.holds("/^\\d+ \\d+ \\d+ \\d+$/.test(cells.new.textContent)")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_slider_parts_golden_from_new(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "#walk/3")?;
    page.key("2")?;
    page.settle()?;
    let [left, right] = [place_of(&mut page, 0, [4, 15])?, place_of(&mut page, 0, [35, 15])?];
    let picture = page.picture()?;
    same(seen(&picture, left), sample::RED, "golden on the left")?;
    same(seen(&picture, right), sample::BLUE, "new on the right")?;
    page.keep_picture("slider")?;
    // By its handle, to the right of both positions.
    let handle = page.middle("#handle")?;
    let end = place_of(&mut page, 0, [39, 15])?;
    page.drag(handle, [end[0] + 20.0, end[1]])?;
    page.settle()?;
    let picture = page.picture()?;
    same(seen(&picture, right), sample::RED, "the golden reaches further")?;
    page.holds("Number(byId('handle').getAttribute('aria-valuenow')) > 60")?;
    // By keys on the handle.
    page.value("handle.focus()")?;
    page.key("Home")?;
    page.settle()?;
    same(seen(&page.picture()?, left), sample::BLUE, "new everywhere")?;
    page.holds("byId('handle').getAttribute('aria-valuenow') === '0'")?;
    page.key("ArrowRight")?;
    page.holds("byId('handle').getAttribute('aria-valuenow') === '2'")?;
    // By a drag on the picture itself, and by swap.
    page.drag(left, right)?;
    page.settle()?;
    same(seen(&page.picture()?, left), sample::RED, "dragged on the picture")?;
    page.key("x")?;
    page.settle()?;
    same(seen(&page.picture()?, left), sample::BLUE, "swapped")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_blink_and_swap_show_both(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "#walk/3")?;
    page.key("4")?;
    page.settle()?;
    let place = place_of(&mut page, 0, [20, 15])?;
    same(seen(&page.picture()?, place), sample::RED, "golden")?;
    page.key("x")?;
    page.settle()?;
    same(seen(&page.picture()?, place), sample::BLUE, "new after a swap")?;
    page.holds(
        "document.querySelector('[data-mode=new]').getAttribute('aria-pressed') === 'true'",
    )?;
    page.click("[data-mode=blink]")?;
    for caption in ["new", "golden", "new"] {
        page.wait(&format!("panes[0].caption.textContent === '{caption}'"))?;
    }
    page.key("x")?;
    let before = page.text("panes[0].caption.textContent")?;
    page.key("x")?;
    page.settle()?;
    let wanted = if before == "new" { sample::RED } else { sample::BLUE };
    same(seen(&page.picture()?, place), wanted, "swapped while blinking")?;
    page.holds("view.blinks === false")?;
    // With reduced motion the user swaps by hand.
    page.prefer(&[("prefers-reduced-motion", "reduce")])?;
    page.key("3")?;
    page.holds("view.mode === 'blink' && view.blinks === false")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_zoom_is_exact_and_shared(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "#walk/4")?;
    let (golden, new) = sample::walk_pair(4);
    page.holds("view.fit && Number.isInteger(view.zoom)")?;
    // The wheel keeps the pixel below the pointer in place.
    let place = place_of(&mut page, 0, [10, 20])?;
    page.hover(place)?;
    let before = page.number("view.zoom")?;
    for _ in 0..3 {
        page.wheel(place, -120.0)?;
    }
    page.settle()?;
    page.wait(&format!("view.zoom > {before}"))?;
    page.hover([place[0] + 1.0, place[1]])?;
    page.hover(place)?;
    same(page.text("cells.place.textContent")?, "(10, 20)".into(), "the pixel stays")?;
    // Every device pixel of a picture's pixel has its colour, in all three pictures, at the same
    // position.
    page.value("zoomTo(7); view.mark = null")?;
    page.settle()?;
    let zoom = page.number("view.zoom")?;
    assert!(zoom.fract() == 0.0 && zoom > 4.0, "{zoom}");
    let picture = page.picture()?;
    let difference = tintype_compare::difference_picture(&golden, &new);
    let mut checked = 0;
    for (pane, frame) in [(0, &golden), (1, &new), (2, &difference)] {
        for (x, y) in (8..14).flat_map(|x| (18..24).map(move |y| (x, y))) {
            let middle = place_of(&mut page, pane, [x, y])?;
            let half = zoom / 2.0;
            for (dx, dy) in
                [(0.0, 0.0), (-half, -half), (half - 1.0, half - 1.0), (half - 1.0, -half)]
            {
                let at = [(middle[0] + dx).floor(), (middle[1] + dy).floor()];
                same(
                    seen(&picture, at),
                    frame.pixel(x, y),
                    &format!("pane {pane}, pixel {x} {y}, {dx} {dy}"),
                )?;
                checked += 1;
            }
        }
    }
    same(checked, 3 * 36 * 4, "places")?;
    // A drag moves all three; keys too.
    let [from, far] = [place_of(&mut page, 1, [20, 15])?, place_of(&mut page, 0, [20, 15])?];
    page.drag(from, [from[0] - 30.0, from[1] - 20.0])?;
    page.settle()?;
    let now = [place_of(&mut page, 1, [20, 15])?, place_of(&mut page, 0, [20, 15])?];
    for (before, after) in [(from, now[0]), (far, now[1])] {
        assert!(
            (before[0] - 30.0 - after[0]).abs() < 2.0 && (before[1] - 20.0 - after[1]).abs() < 2.0,
            "{before:?} {after:?}"
        );
    }
    page.value("stage.focus()")?;
    let x = page.number("view.x")?;
    page.key_with("ArrowRight", 8)?;
    page.settle()?;
    assert!(page.number("view.x")? > x, "panned by a key");
    page.key("0")?;
    page.settle()?;
    page.holds("view.fit")?;
    // The worst pixel, its position in the middle, and the outline of the change.
    page.key("w")?;
    page.settle()?;
    page.holds(
        "view.mark.join() === '10,20' && view.x === 10.5 && view.y === 20.5 && view.zoom >= 12",
    )?;
    same(page.text("cells.new.textContent")?, "255 255 255 255".into(), "the worst pixel")?;
    page.key("ArrowRight")?;
    page.key("ArrowDown")?;
    same(page.text("cells.place.textContent")?, "(11, 21) held".into(), "moved by keys")?;
    page.holds("byId('spoken').textContent.startsWith('Pixel 11, 21: golden 20 124 90 255, new 21 125 90 255')")?;
    page.key("o")?;
    page.holds("byId('outline').getAttribute('aria-pressed') === 'true'")?;
    // The lines between pixels end with the picture.
    let zoom = page.number("view.zoom")?;
    let picture = page.picture()?;
    for (row, is_lined) in [(28, true), (30, false)] {
        let [x, y] = place_of(&mut page, 0, [13, row])?.map(f64::floor);
        let line = (x - zoom / 2.0).floor();
        let found =
            (-1..=1).any(|k| seen(&picture, [line + f64::from(k), y]) != seen(&picture, [x, y]));
        same(found, is_lined, &format!("a line in row {row}"))?;
    }
    page.keep_picture("zoom")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_pinch_zooms_on_a_phone(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open_at(browser, NARROW, "#walk/4")?;
    page.call(
        "Emulation.setTouchEmulationEnabled",
        json!({ "enabled": true, "maxTouchPoints": 2 }),
    )?;
    let before = page.number("view.zoom")?;
    let [x, y] = page.middle("#stage canvas")?;
    page.touch("touchStart", &[[x - 30.0, y - 40.0], [x + 30.0, y - 40.0]])?;
    page.touch("touchMove", &[[x - 45.0, y - 40.0], [x + 45.0, y - 40.0]])?;
    page.touch("touchMove", &[[x - 60.0, y - 40.0], [x + 60.0, y - 40.0]])?;
    page.touch("touchEnd", &[])?;
    page.settle()?;
    page.holds(&format!("view.zoom >= {before} * 1.7 && !view.fit"))?;
    // A tap marks a pixel.
    page.key("0")?;
    page.key("5")?;
    page.settle()?;
    let tap = place_of(&mut page, 0, [10, 20])?;
    page.touch("touchStart", &[tap])?;
    page.touch("touchEnd", &[])?;
    page.wait("cells.place.textContent === '(10, 20) held'")?;
    same(page.text("cells.new.textContent")?, "255 255 255 255".into(), "its value")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_filters_and_search_leave_what_matches(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "")?;
    let ids = "[...document.querySelectorAll('#list li:not([hidden]) a')].filter((a) => a.closest('section').hidden === false).map((a) => decodeURI(a.getAttribute('href'))).join(' | ')";
    page.click("[data-status=missing]")?;
    same(page.text(ids)?, "#odd/a b#c?d%25/2".into(), "missing ones")?;
    page.click("[data-status=dangling]")?;
    same(
        page.text(ids)?,
        "#odd/a b#c?d%25/2 | #goldens without a scene/golden/gone/0000.png".into(),
        "and dangling ones",
    )?;
    same(page.text("byId('shown').textContent")?, "2 of 22 shown".into(), "count")?;
    page.click("[data-status=missing]")?;
    page.click("[data-status=dangling]")?;
    // By stage and by scene, as selected in a box.
    let pick = |id: &str, value: &str| {
        format!(
            "byId('{id}').value = {}; byId('{id}').dispatchEvent(new Event('change'))",
            Value::from(value)
        )
    };
    page.value(&pick("stage-filter", "pose"))?;
    same(page.text(ids)?, "#walk/3 | #walk/4".into(), "pose")?;
    page.value(&pick("stage-filter", ""))?;
    page.value(&pick("scene", "broken"))?;
    same(page.text(ids)?, "#broken/scene".into(), "one scene")?;
    page.value(&pick("scene", ""))?;
    // By words: all of them, in any field.
    page.key("/")?;
    page.typed("LOWERARM walk/0004.png")?;
    same(page.text(ids)?, "#walk/4".into(), "words")?;
    page.value("byId('search').select()")?;
    page.typed("textures/imp.png")?;
    same(page.text(ids)?, "#walk/7".into(), "a note")?;
    page.value("byId('search').select()")?;
    page.typed("no such thing")?;
    same(page.text(ids)?, "".into(), "nothing")?;
    page.holds("byId('shown').textContent.startsWith('Nothing matches')")?;
    // Keys of the page are letters while one types.
    page.value("byId('search').select()")?;
    page.key("j")?;
    page.holds("byId('search').value === 'j' && current.id === 'walk/3'")?;
    page.key("Escape")?;
    page.key("Escape")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_keyboard_reaches_everything(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "")?;
    let here = "current.id";
    for (key, id) in [
        ("j", "walk/4"),
        ("j", "odd/a b#c?d%25/0"),
        ("k", "walk/4"),
        ("p", "walk/3"),
        ("p", "walk/3"),
        ("n", "walk/4"),
    ] {
        page.key(key)?;
        same(page.text(here)?, id.into(), key)?;
    }
    for (key, id) in [(".", "walk/5"), (",", "walk/4"), (",", "walk/3"), (",", "walk/2")] {
        page.key(key)?;
        same(page.text(here)?, id.into(), key)?;
    }
    for (key, mode) in [
        ("1", "side"),
        ("2", "slider"),
        ("3", "blink"),
        ("4", "golden"),
        ("5", "new"),
        ("6", "diff"),
        ("7", "heat"),
    ] {
        page.key(key)?;
        same(page.text("view.mode")?, mode.into(), key)?;
    }
    page.key("?")?;
    page.holds("byId('help').open")?;
    page.keep_picture("help")?;
    page.key("j")?;
    same(page.text(here)?, "walk/2".into(), "no key passes the help")?;
    page.key("Escape")?;
    page.holds("!byId('help').open")?;
    // The Tab key: the list is one stop, every stop shows its focus, and the round ends.
    page.value("document.activeElement.blur(); scrollTo(0, 0)")?;
    let mut stops = Vec::new();
    for _ in 0..60 {
        page.key("Tab")?;
        let stop = page.text("(() => { const e = document.activeElement; return e.id || e.dataset.status || e.dataset.mode || e.className || e.tagName; })()")?;
        if stop == "BODY" || stops.first() == Some(&stop) {
            break;
        }
        page.holds(
            "(() => { const e = document.activeElement, s = getComputedStyle(e), h = getComputedStyle(e, '::after'); \
             return s.outlineStyle !== 'none' || h.outlineStyle !== 'none'; })()",
        )?;
        stops.push(stop);
    }
    same(
        stops.iter().filter(|stop| ["row", "tile"].contains(&stop.as_str())).count(),
        1,
        "one stop for the list",
    )?;
    for wanted in
        ["search", "different", "scene", "side", "zoom-in", "stage", "play", "scrubber", "speed"]
    {
        assert!(stops.iter().any(|stop| stop == wanted), "{wanted} in {stops:?}");
    }
    // In the list, arrows move; Enter follows the link, if there is one.
    page.value("document.querySelector('#list a[tabindex=\"0\"]').focus()")?;
    page.key("Home")?;
    page.key("ArrowDown")?;
    page.holds("current.id === 'walk/4' && document.activeElement === rows.get(current).link && document.activeElement.getAttribute('aria-current') === 'true'")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_sequence_plays_every_frame_in_order(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "#walk/0")?;
    page.holds(
        "byId('scrubber').max === '11' && byId('clock').textContent === '0 · 0.000 s · 10 fps'",
    )?;
    // The scrubber, by its keys: focus it, then to the end and one back.
    page.value("byId('scrubber').focus()")?;
    page.key("End")?;
    page.key("ArrowLeft")?;
    page.holds(
        "current.id === 'walk/10' && byId('clock').textContent === '10 · 1.000 s · 10 fps'",
    )?;
    page.key("Home")?;
    page.settle()?;
    // A passed frame shows its golden on both sides, with a message that nothing differs.
    let place = place_of(&mut page, 1, [1, 15])?;
    same(seen(&page.picture()?, place), [240, 200, 60, 255], "frame 0 as new")?;
    page.holds("panes[2].absent.textContent === 'no difference'")?;
    // Every frame is shown, in order, in a loop, with its pictures.
    page.value(
        "window.visited = []; const watch = new MutationObserver(() => visited.push(current.frame)); \
         watch.observe(byId('clock'), { childList: true }); byId('speed').value = '2'; document.activeElement.blur();",
    )?;
    page.key(" ")?;
    page.wait("visited.length >= 26")?;
    page.holds("byId('play').getAttribute('aria-label') === 'Pause'")?;
    page.key(" ")?;
    page.holds("!film.playing && byId('play').getAttribute('aria-label') === 'Play'")?;
    let visited: Vec<i64> = page
        .value("visited.slice(0, 26)")?
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_i64)
        .collect();
    assert!(visited.windows(2).all(|two| two[1] == (two[0] + 1) % 12), "{visited:?}");
    page.holds("location.hash === `#${encodeURI(current.id)}`")?;
    // Frames that are far apart are shown for as long as they last.
    page.holds(
        "(() => { const film = filmOf({ fps: 24, sequence: [{ frame: 0 }, { frame: 12 }, { frame: 36 }] }); \
         return film.starts.join() === '0,0.5,1.5' && film.period === 2.5; })()",
    )?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_command_is_copied(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "#walk/4")?;
    page.call(
        "Browser.grantPermissions",
        json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
    )?;
    page.click("#copy-frame")?;
    page.wait("byId('copy-frame').textContent === 'Copied'")?;
    same(
        page.text("navigator.clipboard.readText()")?,
        "tintype bless golden/walk/0004.png".into(),
        "this frame",
    )?;
    page.click("#copy-scene")?;
    page.wait("byId('copy-scene').textContent === 'Copied'")?;
    same(
        page.text("navigator.clipboard.readText()")?,
        "tintype bless scenes/walk.toml".into(),
        "the scene",
    )?;
    page.value("select(entryById.get('goldens without a scene/golden/gone/0000.png'))")?;
    page.key("c")?;
    page.wait("byId('copy-frame').textContent === 'Copied'")?;
    same(page.text("navigator.clipboard.readText()")?, "tintype bless --prune".into(), "by key")?;
    // Passed frames need no command.
    page.value("select(entryById.get('walk/0'))")?;
    page.holds("byId('accept').hidden")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_asks_nobody(browser: &Browser) -> Outcome {
    let Opened { mut page, folder } = open(browser, "")?;
    // Everything once: all entries in all modes, the film, the help.
    page.value("(async () => { for (const entry of entries) { select(entry); for (const [mode] of MODES) setMode(mode); await new Promise((done) => setTimeout(done, 80)); } })()")?;
    page.settle()?;
    page.key(" ")?;
    page.key("?")?;
    page.key("Escape")?;
    let own = format!("file://{}/", folder.path().display());
    let asked = page.requests()?;
    let foreign: Vec<&String> = asked
        .iter()
        .filter(|url| !url.starts_with(&own) && !url.starts_with("data:") && *url != "about:blank")
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    let of = |end: &str| asked.iter().filter(|url| url.ends_with(end)).count();
    assert!(of(".pixels.js") >= 6 && of("diff.png") >= 3, "{asked:?}");
    same(page.complaints()?, Vec::new(), "complaints")?;
    // It could not connect even if it tried.
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let target = format!("http://{}/", listener.local_addr()?);
    for attempt in [
        format!("fetch('{target}a').then(() => 'answered', () => 'refused')"),
        format!(
            "new Promise((done) => {{ const i = new Image(); i.onload = () => done('answered'); i.onerror = () => done('refused'); i.src = '{target}b.png'; }})"
        ),
        format!(
            "new Promise((done) => {{ const s = document.createElement('script'); s.onload = () => done('answered'); s.onerror = () => done('refused'); s.src = '{target}c.js'; document.head.append(s); }})"
        ),
        format!(
            "new Promise((done) => {{ const l = document.createElement('link'); l.rel = 'stylesheet'; l.onload = () => done('answered'); l.onerror = () => done('refused'); l.href = '{target}d.css'; document.head.append(l); }})"
        ),
        format!(
            "new Promise((done) => {{ document.addEventListener('securitypolicyviolation', () => done('refused'), {{ once: true }}); const f = document.createElement('iframe'); f.src = '{target}e.html'; document.body.append(f); }})"
        ),
        format!(
            "new Promise((done) => {{ try {{ const s = new WebSocket('{}'); s.onopen = () => done('answered'); s.onerror = () => done('refused'); }} catch {{ done('refused'); }} }})",
            target.replace("http", "ws")
        ),
    ] {
        same(page.text(&attempt)?, "refused".into(), &attempt)?;
    }
    match listener.accept() {
        Ok((mut stream, _)) => {
            let mut asked = [0; 400];
            stream.set_nonblocking(false)?;
            // The browser may open a connection in advance; nothing is sent on it.
            let length = stream.read(&mut asked)?;
            same(String::from_utf8_lossy(&asked[..length]).into_owned(), String::new(), "asked")
        }
        Err(_) => Ok(()),
    }
}

/// Serves a folder's files until the process ends; returns the address.
fn serve(folder: PathBuf) -> Result<String, Failed> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}", listener.local_addr()?);
    let answer = move |stream: &mut TcpStream, folder: &Path| -> std::io::Result<()> {
        let mut request = Vec::new();
        let mut byte = [0];
        while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte)? == 1 {
            request.push(byte[0]);
        }
        let text = String::from_utf8_lossy(&request);
        let path = text.split(' ').nth(1).unwrap_or("/").trim_start_matches('/').to_owned();
        let mut plain = Vec::new();
        let mut rest = path.bytes();
        while let Some(byte) = rest.next() {
            let hex = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
            plain.push(if byte == b'%' {
                (hex(rest.next()).unwrap_or(0) * 16 + hex(rest.next()).unwrap_or(0)) as u8
            } else {
                byte
            });
        }
        let kind = match path.rsplit('.').next() {
            Some("html") => "text/html",
            Some("js") => "text/javascript",
            _ => "image/png",
        };
        let (status, body) =
            match std::fs::read(folder.join(String::from_utf8_lossy(&plain).as_ref())) {
                Ok(bytes) => ("200 OK", bytes),
                Err(_) => ("404 Not Found", Vec::new()),
            };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        )?;
        stream.write_all(&body)
    };
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let folder = folder.clone();
            std::thread::spawn(move || answer(&mut stream, &folder));
        }
    });
    Ok(address)
}

#[trial(with_browser)]
fn page_works_on_a_server_too(browser: &Browser) -> Outcome {
    let folder = TempDir::new()?;
    sample::every_status(folder.path());
    let address = serve(folder.path().to_owned())?;
    let mut page = browser.open(WIDE[0], WIDE[1])?;
    page.open(&format!("{address}/index.html#walk/3"))?;
    let place = place_of(&mut page, 1, [20, 15])?;
    same(seen(&page.picture()?, place), sample::BLUE, "new")?;
    page.value("select(entryById.get('odd/a b#c?d%25/0'))")?;
    page.settle()?;
    page.holds("view.decoded.golden.bytes.length === 33 * 17 * 4")?;
    let asked = page.requests()?;
    assert!(
        asked.iter().all(|url| url.starts_with(&address)
            || url.starts_with("data:")
            || url == "about:blank"),
        "{asked:?}"
    );
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_narrow_window_shows_list_then_comparison(browser: &Browser) -> Outcome {
    let Opened { mut page, folder } = open_at(browser, NARROW, "")?;
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    page.holds(fits)?;
    page.holds("getComputedStyle(byId('detail')).display === 'none' && getComputedStyle(byId('side')).display !== 'none'")?;
    page.keep_picture("narrow_list")?;
    page.click("#list a")?;
    page.wait("getComputedStyle(byId('detail')).display !== 'none'")?;
    page.settle()?;
    page.holds(fits)?;
    page.holds("view.mode === 'slider' && current.id === 'walk/3'")?;
    let place = place_of(&mut page, 0, [35, 15])?;
    same(seen(&page.picture()?, place), sample::BLUE, "new on the right")?;
    page.keep_picture("narrow")?;
    // No part sticks out, and what one taps is large enough for a finger.
    for mode in ["side", "blink", "golden", "new", "diff", "slider"] {
        page.value(&format!("setMode('{mode}')"))?;
        page.settle()?;
        page.holds(fits)?;
        page.holds("[...document.querySelectorAll('#detail button')].filter((b) => b.offsetParent && !b.matches('.place, .handle')).every((b) => b.getBoundingClientRect().height >= 36)")?;
    }
    page.click("#back")?;
    page.holds("getComputedStyle(byId('detail')).display === 'none' && location.hash === ''")?;
    // The back button of the browser leads to the list too.
    page.click("#list a")?;
    page.wait("location.hash !== '' && document.body.classList.contains('detail')")?;
    page.value("history.back()")?;
    page.wait("!document.body.classList.contains('detail')")?;
    page.open(&format!("{}#odd/a%20b#c?d%2525/1", address(folder.path())))?;
    page.holds(fits)?;
    same(page.complaints()?, Vec::new(), "complaints")
}

/// The contrast of two colours, as WCAG 2 defines it.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let luminance = |colour: [u8; 3]| {
        let lin = colour.map(tintype_model::math::srgb::linear_from_code);
        0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]
    };
    let (a, b) = (luminance(a), luminance(b));
    let (light, dark) = if a > b { (a, b) } else { (b, a) };
    (light + 0.05) / (dark + 0.05)
}

#[trial(with_browser)]
fn page_light_and_dark_are_legible(browser: &Browser) -> Outcome {
    let Opened { mut page, folder: _folder } = open(browser, "")?;
    let mut papers = Vec::new();
    for scheme in ["light", "dark"] {
        page.prefer(&[("prefers-color-scheme", scheme)])?;
        let mut colour = |name: &str| -> Result<[u8; 3], Failed> {
            let text = page.text(&format!(
                "getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()"
            ))?;
            let digits = u32::from_str_radix(text.trim_start_matches('#'), 16)?;
            let [_, r, g, b] = digits.to_be_bytes();
            Ok([r, g, b])
        };
        for (ink, papers) in [
            ("ink", &["paper", "sheet", "sunk", "accent-soft"][..]),
            ("soft", &["paper", "sheet", "sunk", "accent-soft", "stage"]),
            ("fail", &["paper", "sheet", "fail-soft"]),
            ("pass", &["paper", "sheet", "pass-soft"]),
            ("skip", &["paper", "sheet", "skip-soft"]),
            ("accent", &["sheet", "accent-soft"]),
            ("sheet", &["accent"]),
        ] {
            for paper in papers {
                let found = contrast(colour(ink)?, colour(paper)?);
                assert!(
                    found >= 4.5,
                    "{scheme}: {ink} on {paper} has a contrast of {found:.2}, 4.5 is needed"
                );
            }
        }
        papers.push(colour("paper")?);
        page.keep_picture(&format!("wide_{scheme}"))?;
    }
    assert!(papers[0][0] > 200 && papers[1][0] < 50, "{papers:?}");
    Ok(())
}

#[trial(with_browser)]
fn page_all_passed_is_said(browser: &Browser) -> Outcome {
    let folder = TempDir::new()?;
    sample::all_passed(folder.path());
    let mut page = browser.open(WIDE[0], WIDE[1])?;
    page.open(&address(folder.path()))?;
    same(page.text("byId('verdict').textContent")?, "All 3 goldens passed".into(), "verdict")?;
    same(page.text("byId('title').textContent")?, "calm · frame 0".into(), "title")?;
    page.holds("byId('accept').hidden && !byId('sequence').hidden && byId('cause').textContent === 'Every channel of every pixel is the same.'")?;
    page.keep_picture("all_passed")?;
    same(page.complaints()?, Vec::new(), "complaints")
}

#[trial(with_browser)]
fn page_without_scripts_the_failures_are_listed(browser: &Browser) -> Outcome {
    let folder = TempDir::new()?;
    sample::every_status(folder.path());
    let mut page = browser.open(WIDE[0], WIDE[1])?;
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }))?;
    page.call("Page.navigate", json!({ "url": address(folder.path()) }))?;
    page.wait(
        "document.readyState === 'complete' && document.querySelector('noscript li') !== null",
    )?;
    let text = page.text("document.querySelector('noscript').innerText")?;
    assert!(text.contains("walk, frame 3: pose: joint lowerarm.L turned 3.1°"), "{text}");
    assert!(text.contains("</script><script>window.broken = 1</script>"), "{text}");
    page.holds("document.querySelectorAll('noscript li').length === 10 && document.querySelector('#app').hidden")?;
    Ok(())
}

/// Fifty failures with one cause form one group, which is ticked and exported as a whole or in
/// part.
#[trial(with_browser)]
fn page_failures_of_one_cause_are_ticked_together(browser: &Browser) -> Outcome {
    let folder = TempDir::new()?;
    sample::thousand_frames(folder.path());
    for [width, height] in [[1400, 900], [390, 844]] {
        let mut page = browser.open(width, height)?;
        page.open(&address(folder.path()))?;
        let group = "document.querySelector('#list .group.fail')";
        same(page.number("document.querySelectorAll('#list .group.fail').length")?, 1.0, "groups")?;
        page.holds(&format!(
            "{group}.querySelector('.muted').textContent === '50 goldens in 10 scenes'"
        ))?;
        let rows = format!("{group}.querySelectorAll('li:not([hidden])').length");
        same(page.number(&rows)?, 8.0, "first rows")?;
        page.value(&format!("{group}.querySelector('.more').click()"))?;
        same(page.number(&rows)?, 50.0, "all rows")?;
        page.value(&format!("{group}.querySelector('h3 .tick').click()"))?;
        same(page.text("byId('ticked-count').textContent")?, "50 goldens ticked".into(), "all")?;
        page.value(&format!("{group}.querySelector('li .tick').click()"))?;
        page.holds(&format!("{group}.querySelector('h3 .tick').indeterminate"))?;
        same(page.number("tickedList().trim().split('\\n').length")?, 49.0, "lines")?;
        page.holds("tickedList().startsWith('golden/crowd/scene0/0027.png\\n')")?;
        page.holds("byId('ticked-command').textContent === 'tintype bless --from accept.txt'")?;
        page.keep_picture(&format!("causes-{width}"))?;
        // By scene again: ticks stay.
        page.value("byId('by-cause').click()")?;
        same(
            page.number("document.querySelectorAll('#list .group.fail').length")?,
            10.0,
            "scenes",
        )?;
        same(page.text("byId('ticked-count').textContent")?, "49 goldens ticked".into(), "kept")?;
        page.value("byId('ticked-clear').click()")?;
        page.holds("byId('ticked').hidden")?;
        // A few are named; the button of the page collects too, as no server accepts.
        page.value("select(failures[0]); byId('accept-this').click()")?;
        page.holds("byId('accept-this').textContent === 'Collected ✓'")?;
        page.holds("byId('ticked-accept').hidden && !byId('ticked').hidden")?;
        page.value("tickEntries([failures[1]], true)")?;
        let both = "`tintype bless ${failures[0].golden} ${failures[1].golden}`";
        page.holds(&format!("byId('ticked-command').textContent === {both}"))?;
        page.value("byId('ticked-clear').click()")?;
        page.value("history.replaceState(null, '', location.pathname); followAddress()")?;
        page.holds("document.documentElement.scrollWidth <= innerWidth")?;
        same(page.complaints()?, Vec::new(), "complaints")?;
    }
    Ok(())
}

#[trial(with_browser)]
fn page_thousand_frames_open_and_load_few_pictures(browser: &Browser) -> Outcome {
    let folder = TempDir::new()?;
    sample::thousand_frames(folder.path());
    let mut page = browser.open(WIDE[0], WIDE[1])?;
    page.open(&address(folder.path()))?;
    same(page.number("document.querySelectorAll('#list a').length")?, 1000.0, "entries")?;
    same(
        page.text("byId('verdict').textContent")?,
        "50 of 1,000 goldens failed".into(),
        "verdict",
    )?;
    let asked = page.requests()?.len();
    assert!(asked < 150, "{asked} files were asked for at the start");
    page.keep_picture("thousand")?;
    // The last one is reached, and its picture comes.
    page.value("byId('list').focus(); select(shown.at(-1))")?;
    page.settle()?;
    page.wait("rows.get(current).link.querySelector('img').complete && rows.get(current).link.getBoundingClientRect().bottom <= innerHeight")?;
    page.value("byId('search').value = 'scene7 frame 27'; byId('search').dispatchEvent(new Event('input'))")?;
    same(page.text("shown.map((entry) => entry.id).join()")?, "crowd/scene7/27".into(), "found")?;
    same(page.complaints()?, Vec::new(), "complaints")
}
