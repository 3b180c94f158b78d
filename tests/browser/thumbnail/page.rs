//! The gallery in a headless Chromium: content, keys, pointers, and no request to any server.

use super::files::{Outcome, library};
use crate::chromium::{Browser, Page, with_browser};
use crate::support::command::{BOX, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_framing::thumbnail::ThumbFacts;
use tintype_golden::report::encode_gallery_page;
use tintype_golden::report::gallery::{Gallery, Thumb, ThumbStatus};

/// The gallery of a small library with one bad file.
fn made() -> Result<TempDir, Failed> {
    let folder = library();
    fs::write(folder.path().join("models/torn <b>.md5mesh"), &BOX[..200])?;
    let output = tintype(folder.path(), &["thumbnail", "models", "--gallery", "-s", "96"]);
    wanted(&output, 3, "1 of 4 models")?;
    Ok(folder)
}

fn open(browser: &Browser, folder: &Path, [width, height]: [u32; 2]) -> Result<Page, Failed> {
    let mut page = browser.open(width, height)?;
    page.open(&format!("file://{}/out/thumbnails/index.html", folder.display()))?;
    Ok(page)
}

fn names(page: &mut Page) -> Result<String, Failed> {
    Ok(page.text("[...document.querySelectorAll('.card b')].map((b) => b.title).join('|')")?)
}

fn same(found: &str, wanted: &str) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{found:?}, not {wanted:?}").into()) }
}

#[trial(with_browser)]
fn gallery_shows_every_model_and_finds_it(browser: &Browser) -> Outcome {
    let folder = made()?;
    let mut page = open(browser, folder.path(), [1100, 800])?;
    let all = "crate.md5mesh|far/away/crate.md5mesh|crate.X";
    same(&names(&mut page)?, all)?;
    page.wait("[...document.querySelectorAll('.stage img')].length === 3 && [...document.querySelectorAll('.stage img')].every((i) => i.complete && i.naturalWidth === 96)")?;
    page.holds("byId('failed').innerText.includes('torn <b>.md5mesh') && byId('failed').innerText.includes('line ')")?;
    page.keep_picture("gallery")?;
    // Search, by keys alone.
    page.key("/")?;
    page.holds("document.activeElement === byId('search')")?;
    page.typed("away crate")?;
    same(&names(&mut page)?, "far/away/crate.md5mesh")?;
    same(&page.text("byId('count').textContent")?, "1 of 4 models")?;
    same(&page.text("location.hash")?, "#q=away+crate")?;
    page.typed(" nothing")?;
    page.holds("!byId('none').hidden")?;
    page.key("Escape")?;
    same(&names(&mut page)?, all)?;
    // Names alone, then folders.
    page.value("byId('sort').value = 'path'; byId('sort').dispatchEvent(new Event('change'))")?;
    same(&names(&mut page)?, "crate.md5mesh|crate.X|far/away/crate.md5mesh")?;
    // Order: by a count the largest come first.
    page.value(
        "byId('sort').value = 'triangles'; byId('sort').dispatchEvent(new Event('change'))",
    )?;
    page.holds(
        "shown[0].triangles >= shown.at(-1).triangles && byId('order').getAttribute('aria-pressed') === 'true'",
    )?;
    page.click("#order")?;
    page.holds("shown[0].triangles <= shown.at(-1).triangles")?;
    page.value(
        "byId('status').value = 'failed'; byId('status').dispatchEvent(new Event('change'))",
    )?;
    same(&names(&mut page)?, "")?;
    page.holds("byId('none').hidden && byId('failed').children.length === 1")?;
    page.value("byId('clear').click()")?;
    // An address brings back what was looked for.
    page.value("location.hash = '#q=away&sort=path&order=descending'")?;
    page.wait(
        "byId('search').value === 'away' && byId('sort').value === 'path' && shown.length === 1",
    )?;
    same(&page.text("byId('heading').textContent")?, "4 models")?;
    // Nothing of the page came from elsewhere, and no error was logged.
    let folder = format!("file://{}/out/thumbnails/", folder.path().display());
    let foreign: Vec<String> = page
        .requests()?
        .into_iter()
        .filter(|address| {
            !address.starts_with(&folder)
                && !address.starts_with("data:")
                && address != "about:blank"
        })
        .collect();
    assert_eq!(foreign, Vec::<String>::new());
    assert_eq!(page.complaints()?, Vec::<String>::new());
    Ok(())
}

#[trial(with_browser)]
fn gallery_keys_go_from_model_to_model(browser: &Browser) -> Outcome {
    let folder = made()?;
    let mut page = open(browser, folder.path(), [1100, 800])?;
    page.key("ArrowRight")?;
    page.key("ArrowRight")?;
    let focused = "document.activeElement.querySelector('b').title";
    same(&page.text(focused)?, "far/away/crate.md5mesh")?;
    page.key("End")?;
    same(&page.text(focused)?, "crate.X")?;
    page.key("Home")?;
    page.key("ArrowRight")?;
    page.key("Enter")?;
    page.holds(
        "byId('detail').open && byId('detail-name').textContent === 'far/away/crate.md5mesh'",
    )?;
    let facts = page.text("byId('detail-facts').innerText.replace(/\\s+/g, ' ')")?;
    for fact in ["Triangles 12", "Joints", "Shown bind pose", "Seen from azimuth"] {
        assert!(facts.contains(fact), "{fact} in {facts}");
    }
    page.key("ArrowRight")?;
    page.holds("byId('detail-name').textContent === 'crate.X'")?;
    page.keep_picture("gallery-detail")?;
    page.key("Escape")?;
    // A browser notifies a page that a dialog was closed shortly after closing it.
    page.wait(
        "!byId('detail').open && document.activeElement.querySelector('b').title === 'crate.X'",
    )?;
    // The accessibility tree: names of all controls, and a line that announces changes.
    let tree = page.call("Accessibility.getFullAXTree", json!({}))?;
    let nodes = tree["nodes"].as_array().ok_or("no tree")?;
    let role = |node: &Value| node["role"]["value"].as_str().unwrap_or("").to_owned();
    let name = |node: &Value| node["name"]["value"].as_str().unwrap_or("").to_owned();
    let named = |wanted: &str| {
        nodes.iter().filter(|node| role(node) == wanted).map(name).collect::<Vec<_>>()
    };
    for kind in ["link", "button", "searchbox", "combobox"] {
        let found = named(kind);
        assert!(
            !found.is_empty() && found.iter().all(|name| !name.trim().is_empty()),
            "{kind}: {found:?}"
        );
    }
    assert!(
        named("link").iter().any(|name| name.starts_with("crate.X 12 triangles")),
        "{:?}",
        named("link")
    );
    assert!(nodes.iter().any(|node| role(node) == "status"));
    Ok(())
}

#[trial(with_browser)]
fn gallery_fits_a_phone_and_the_dark(browser: &Browser) -> Outcome {
    let folder = made()?;
    let mut page = open(browser, folder.path(), [390, 844])?;
    page.holds("document.documentElement.scrollWidth <= 390")?;
    page.holds("[...document.querySelectorAll('.card')].every((card) => card.getBoundingClientRect().width > 150)")?;
    // On a desk the cards fill the page.
    for width in [1280, 1920] {
        let mut wide = open(browser, folder.path(), [width, 900])?;
        // Few models have cards of their usual width; copies fill the row.
        wide.value("const first = byId('grid').children[0]; for (let n = 0; n < 40; n++) byId('grid').append(first.cloneNode(true)); 0")?;
        wide.holds("Math.max(...[...byId('grid').children].map((c) => c.getBoundingClientRect().right)) > document.documentElement.clientWidth - 21")?;
    }
    let paper = "getComputedStyle(document.body).backgroundColor";
    page.prefer(&[("prefers-color-scheme", "light")])?;
    let light = page.text(paper)?;
    page.keep_picture("gallery-phone")?;
    page.prefer(&[("prefers-color-scheme", "dark")])?;
    assert_ne!(page.text(paper)?, light);
    page.keep_picture("gallery-phone-dark")?;
    Ok(())
}

#[trial(with_browser)]
fn gallery_of_ten_thousand_models_is_usable(browser: &Browser) -> Outcome {
    const MODELS: usize = 10_000;
    let folder = TempDir::new()?;
    let thumbnails = folder.path().join("out/thumbnails");
    fs::create_dir_all(&thumbnails)?;
    let frame =
        tintype_model::frame::Frame { width: 8, height: 8, rgba: vec![[90, 60, 30, 255]; 64] };
    let png = tintype_output::encode_png(&frame, true, tintype_output::PngEffort::Fast, &[]);
    for k in 0..MODELS {
        fs::write(thumbnails.join(format!("{k}.x.png")), &png)?;
    }
    let model = |k: usize| Thumb {
        model: format!("{k}.x"),
        path: String::new(),
        status: ThumbStatus::Drawn,
        picture: Some(format!("{k}.x.png")),
        spin: None,
        reason: None,
        message: None,
        warnings: Vec::new(),
        facts: Some(ThumbFacts {
            meshes: 1,
            triangles: k * 7919 % MODELS,
            vertices: 8,
            joints: 3,
            clips: vec!["walk".to_owned()],
        }),
        view: None,
        turn: None,
    };
    let gallery = Gallery {
        program_version: "0".to_owned(),
        pixel_revision: 1,
        output: None,
        title: None,
        width: 8,
        height: 8,
        models: (0..MODELS).map(model).collect(),
        gone: Vec::new(),
    };
    fs::write(thumbnails.join("index.html"), encode_gallery_page(&gallery))?;
    let mut page = open(browser, folder.path(), [1100, 800])?;
    page.holds("shown.length === 10000 && byId('count').textContent === '10,000 models'")?;
    // Pictures are loaded where they are looked at.
    let asked = page.requests()?.into_iter().filter(|address| address.ends_with(".png")).count();
    assert!((1..2000).contains(&asked), "{asked} pictures of {MODELS}");
    page.value(
        "byId('sort').value = 'triangles'; byId('sort').dispatchEvent(new Event('change'))",
    )?;
    page.holds("shown[0].triangles === 9999 && shown.at(-1).triangles === 0")?;
    page.value("byId('search').value = '777'; byId('search').dispatchEvent(new Event('input'))")?;
    page.holds("shown.length === 19 && document.querySelectorAll('.card').length === 19")?;
    assert_eq!(page.complaints()?, Vec::<String>::new());
    Ok(())
}

#[trial(with_browser)]
fn gallery_leaves_foreign_pages_alone(_: &Browser) -> Outcome {
    let folder = library();
    fs::create_dir(folder.path().join("site"))?;
    fs::write(folder.path().join("site/index.html"), "<h1>mine</h1>")?;
    let output = tintype(folder.path(), &["thumbnail", "models", "-o", "site", "--gallery"]);
    wanted(&output, 2, "site/index.html is not a tintype page and would be overwritten")?;
    assert_eq!(fs::read_dir(folder.path().join("site"))?.count(), 1, "nothing was drawn");
    Ok(())
}
