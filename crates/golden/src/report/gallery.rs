//! Thumbnails -> JSON, and one static page that shows and sorts them.
//!
//! Input: a [`Gallery`], plain data. Output: text. The page loads only the pictures below its
//! folder, works when it is opened as a file, and has a policy that forbids every connection. Its
//! contents are embedded as data and set as text, never as markup. The template, style and script
//! are in the folder `gallery`.

use super::json::{Program, escape_for_script};
use super::markup::Markup;
use super::page::{ENGINE_SCRIPT, OF_TURNING, fill};
use serde::Serialize;
use tintype_base::amount::counted;
use tintype_base::path::slashed;
use tintype_base::printable::{escape_html, printable_json};
use tintype_framing::ModelFile;
use tintype_framing::thumbnail::{Skip, ThumbFacts, ThumbView, Thumbnail};
use tintype_model::frame::PIXEL_REVISION;

/// Version of the JSON; increased when a field changes its meaning or is removed.
pub const GALLERY_VERSION: u32 = 1;

const TEMPLATE: &str = include_str!("gallery/index.html");
const STYLE: &str = include_str!("gallery/style.css");
const SCRIPT: &str = include_str!("gallery/gallery.js");

/// Number of models per page: about five megabytes, which browsers open in a second.
pub const PAGE_MODELS: usize = 20_000;

/// Thumbnails of many models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gallery {
    /// The version of the program.
    #[serde(skip)]
    pub program_version: String,
    /// The revision of the code that draws pixels.
    #[serde(skip)]
    pub pixel_revision: u32,
    /// The folder or file of the pictures, as seen by a reader of the JSON. None for standard
    /// output.
    pub output: Option<String>,
    /// Heading of the page; by default the number of models.
    pub title: Option<String>,
    /// Width of each picture, in pixels.
    pub width: u32,
    /// Height of each picture.
    pub height: u32,
    /// The models, sorted by name.
    pub models: Vec<Thumb>,
    /// Removed models whose pictures still exist.
    pub gone: Vec<String>,
}

/// Status of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThumbStatus {
    /// Its picture was drawn.
    Drawn,
    /// Its picture exists, and is up to date.
    Unchanged,
    /// It has no picture.
    Failed,
    /// It contains nothing to draw.
    NoMesh,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thumb {
    /// Path relative to the deepest folder that contains all models, with `/` between the parts.
    pub model: String,
    /// As the user would write it.
    pub path: String,
    /// Its status.
    pub status: ThumbStatus,
    /// The picture below the output folder, with `/` between the parts; `None` without a picture.
    pub picture: Option<String>,
    /// Its turntable, an animated WebP, in the same form; `None` without one.
    pub spin: Option<String>,
    /// The reason why it has no picture, in one word; `None` if it has one.
    pub reason: Option<&'static str>,
    /// The same as a sentence.
    pub message: Option<String>,
    /// Notes for the author of the model.
    pub warnings: Vec<String>,
    /// Its contents, if they are known.
    pub facts: Option<ThumbFacts>,
    /// Its viewpoint and clip, if it was drawn.
    pub view: Option<ThumbView>,
    /// Scripts that rotate it in the page. None for a page with pictures only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<ThumbTurn>,
}

/// Scripts beside the page that turn a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThumbTurn {
    /// The script of the model, which names the scripts of its files.
    pub script: String,
    /// Total bytes.
    pub bytes: u64,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    program: Program<'a>,
    totals: Totals,
    /// The larger of width and height, as in `--size`.
    size: u32,
    #[serde(flatten)]
    gallery: &'a Gallery,
}

/// Number of models of each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Total number.
    pub models: usize,
    /// Pictures that were drawn.
    pub drawn: usize,
    /// Pictures that were there.
    pub unchanged: usize,
    /// Models without a picture.
    pub failed: usize,
    /// Files without a mesh.
    pub no_mesh: usize,
    /// Warnings of all models.
    pub warnings: usize,
}

impl Thumb {
    /// The entry of a model whose picture has this name below the output folder.
    #[must_use]
    pub fn new(model: &ModelFile, picture: String, result: &Result<Thumbnail, Skip>) -> Self {
        let mut thumb = Self {
            model: model.name.clone(),
            path: slashed(&model.path),
            status: ThumbStatus::Failed,
            picture: None,
            spin: None,
            reason: None,
            message: None,
            warnings: Vec::new(),
            facts: None,
            view: None,
            turn: None,
        };
        match result {
            Ok(Thumbnail { facts, view, warnings, png, .. }) => {
                let is_drawn = png.is_some();
                thumb.status = if is_drawn { ThumbStatus::Drawn } else { ThumbStatus::Unchanged };
                thumb.picture = Some(picture);
                thumb.warnings = warnings.iter().map(ToString::to_string).collect();
                (thumb.facts, thumb.view) = (Some(facts.clone()), Some(view.clone()));
            }
            Err(skip) => {
                thumb.message = Some(skip.message.clone());
                if skip.is_no_model(model) {
                    thumb.status = ThumbStatus::NoMesh;
                } else {
                    thumb.reason = Some(skip.reason.word());
                }
            }
        }
        thumb
    }
}

impl Gallery {
    /// The gallery of pictures of one size, made by the current program.
    #[must_use]
    pub fn new(output: Option<String>, [width, height]: [u32; 2], models: Vec<Thumb>) -> Self {
        Self {
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            pixel_revision: PIXEL_REVISION,
            output,
            title: None,
            width,
            height,
            models,
            gone: Vec::new(),
        }
    }

    /// Counts.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let count = |status| self.models.iter().filter(|model| model.status == status).count();
        Totals {
            models: self.models.len(),
            drawn: count(ThumbStatus::Drawn),
            unchanged: count(ThumbStatus::Unchanged),
            failed: count(ThumbStatus::Failed),
            no_mesh: count(ThumbStatus::NoMesh),
            warnings: self.models.iter().map(|model| model.warnings.len()).sum(),
        }
    }
}

fn document(gallery: &Gallery) -> Document<'_> {
    Document {
        version: GALLERY_VERSION,
        program: Program {
            name: "tintype",
            version: &gallery.program_version,
            pixel_revision: gallery.pixel_revision,
        },
        totals: gallery.totals(),
        size: gallery.width.max(gallery.height),
        gallery,
    }
}

/// The thumbnails as indented JSON with a trailing line end.
///
/// # Panics
/// Never: all contents of a gallery can be written as JSON.
#[must_use]
pub fn encode_gallery_json(gallery: &Gallery) -> String {
    printable_json(&serde_json::to_string_pretty(&document(gallery)).expect("plain data")) + "\n"
}

/// The pages, each with its file name: `index.html`, then `index.2.html` and so on for more than
/// [`PAGE_MODELS`] models.
#[must_use]
pub fn encode_gallery_pages(gallery: &Gallery) -> Vec<(String, String)> {
    let count = gallery.models.len().div_ceil(PAGE_MODELS).max(1);
    let page = |place: usize| {
        let start = place * PAGE_MODELS;
        let end = (start + PAGE_MODELS).min(gallery.models.len());
        let part = Gallery { models: gallery.models[start..end].to_vec(), ..empty_of(gallery) };
        (page_name(place), encode_page(&part, &links(gallery, place, count)))
    };
    (0..count).map(page).collect()
}

/// File name of a page, from 0.
#[must_use]
pub fn page_name(place: usize) -> String {
    match place {
        0 => "index.html".to_owned(),
        place => format!("index.{}.html", place + 1),
    }
}

/// A gallery without its models.
fn empty_of(gallery: &Gallery) -> Gallery {
    Gallery {
        program_version: gallery.program_version.clone(),
        pixel_revision: gallery.pixel_revision,
        output: gallery.output.clone(),
        title: gallery.title.clone(),
        width: gallery.width,
        height: gallery.height,
        models: Vec::new(),
        gone: gallery.gone.clone(),
    }
}

/// Links to the other pages, each named by its first model; empty for a single page.
fn links(gallery: &Gallery, here: usize, count: usize) -> String {
    if count == 1 {
        return String::new();
    }
    let mut links = String::from("<nav class=\"pages\" aria-label=\"Pages\">");
    for place in 0..count {
        let first = escape_html(&gallery.models[place * PAGE_MODELS].model);
        links += &if place == here {
            format!(" <b aria-current=\"page\" title=\"from {first}\">{}</b>", place + 1)
        } else {
            format!(" <a href=\"{}\" title=\"from {first}\">{}</a>", page_name(place), place + 1)
        };
    }
    links + "</nav>\n"
}

/// The page of all models.
///
/// # Panics
/// Never: all contents of a gallery can be written as JSON.
#[must_use]
pub fn encode_gallery_page(gallery: &Gallery) -> String {
    encode_page(gallery, "")
}

fn encode_page(gallery: &Gallery, pages: &str) -> String {
    let totals = gallery.totals();
    let heading =
        gallery.title.clone().unwrap_or_else(|| counted(totals.models - totals.no_mesh, "model"));
    let title = match gallery.title {
        Some(_) => heading.clone(),
        None => format!("tintype: {heading}"),
    };
    // The page does not disclose paths of this machine.
    let mut shown = gallery.clone();
    shown.output = None;
    shown.models.iter_mut().for_each(|model| model.path.clear());
    let data = serde_json::to_string(&document(&shown)).expect("plain data");
    let turns = gallery.models.iter().any(|model| model.turn.is_some());
    let [scripts_from, workers_from] = if turns { OF_TURNING } else { ["", ""] };
    let beside = if turns { " 'self' file:" } else { "" };
    let engine =
        if turns { format!("<script>\n{ENGINE_SCRIPT}</script>\n") } else { String::new() };
    fill(
        TEMPLATE,
        &[
            ("scripts-from", &format!("{beside}{scripts_from}")),
            ("workers-from", workers_from),
            ("engine", &engine),
            ("title", &escape_html(&title)),
            ("heading", &escape_html(&heading)),
            ("shown", &gallery.width.div_ceil(2).to_string()),
            ("aspect", &format!("{} / {}", gallery.width, gallery.height)),
            ("version", &escape_html(&gallery.program_version)),
            ("style", STYLE),
            ("list", &plain_list(gallery)),
            ("pages", pages),
            ("data", &escape_for_script(&data)),
            ("script", SCRIPT),
        ],
    )
}

/// All models, for browsers and servers that disallow scripts.
fn plain_list(gallery: &Gallery) -> String {
    let mut list = Markup::default();
    let shown = gallery.models.iter().filter_map(|model| Some((model, model.picture.as_ref()?)));
    list.element("ul", &[("class", "grid")], |grid| {
        for (model, picture) in shown {
            grid.element("li", &[("class", "card")], |card| {
                let address = address_of(picture);
                card.element("a", &[("href", &address)], |link| {
                    plain_card(model, gallery, &address, link);
                });
            });
        }
    });
    let of = |status| {
        let rows = gallery.models.iter().filter(move |model| model.status == status);
        rows.map(|model| (model.model.as_str(), model.message.as_deref().unwrap_or_default()))
    };
    let gone = gallery.gone.iter().map(|model| (model.as_str(), ""));
    plain_rows(&mut list, "Without a picture", of(ThumbStatus::Failed).collect());
    plain_rows(&mut list, "Clips, and files without a mesh", of(ThumbStatus::NoMesh).collect());
    plain_rows(&mut list, "Deleted models with leftover pictures", gone.collect());
    list.into_text()
}

/// The picture of a model with its turntable, name and facts.
fn plain_card(model: &Thumb, gallery: &Gallery, address: &str, link: &mut Markup) {
    let [width, height] = [gallery.width, gallery.height].map(|side| side.to_string());
    let picture = |address: &str, class: &str, stage: &mut Markup| {
        let size = [("width", width.as_str()), ("height", height.as_str())];
        let own = [("src", address), ("alt", ""), ("loading", "lazy"), ("class", class)];
        stage.void("img", &[&own[..], &size[..]].concat());
    };
    link.element("span", &[("class", "stage")], |stage| {
        picture(address, "still", stage);
        if let Some(spin) = &model.spin {
            picture(&address_of(spin), "spin", stage);
        }
    });
    link.element("b", &[("title", &model.model)], |name| name.text(&model.model));
    if let Some(facts) = &model.facts {
        let counts = [counted(facts.triangles, "triangle"), counted(facts.joints, "joint")];
        link.element("small", &[], |small| small.text(&counts.join(", ")));
        link.element("small", &[], |small| small.text(&facts.clips.join(", ")));
    }
}

/// A list of names with messages under a heading; empty without names.
fn plain_rows(list: &mut Markup, heading: &str, rows: Vec<(&str, &str)>) {
    if rows.is_empty() {
        return;
    }
    list.element("section", &[("class", "others")], |section| {
        section.element("h2", &[], |h2| h2.text(heading));
        section.element("ul", &[], |ul| {
            for (name, message) in rows {
                ul.element("li", &[], |row| {
                    row.element("b", &[], |b| b.text(name));
                    row.element("span", &[], |span| span.text(message));
                });
            }
        });
    });
}

/// A path as a URL, with special characters escaped.
fn address_of(path: &str) -> String {
    let mut address = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                address.push(char::from(byte));
            }
            other => address += &format!("%{other:02X}"),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thumb(model: &str, status: ThumbStatus) -> Thumb {
        let picture = (status != ThumbStatus::Failed).then(|| format!("{model}.png"));
        Thumb {
            model: model.to_owned(),
            path: format!("/home/me/{model}"),
            status,
            picture,
            spin: None,
            reason: (status == ThumbStatus::Failed).then_some("input"),
            message: (status == ThumbStatus::Failed).then(|| "it is <torn>".to_owned()),
            warnings: Vec::new(),
            facts: None,
            view: None,
            turn: None,
        }
    }

    fn gallery(models: Vec<Thumb>) -> Gallery {
        Gallery {
            program_version: "1".to_owned(),
            pixel_revision: 1,
            output: Some("/home/me/thumbnails".to_owned()),
            title: None,
            width: 256,
            height: 256,
            models,
            gone: Vec::new(),
        }
    }

    #[test]
    fn page_keeps_foreign_text_and_paths_to_itself() {
        let models =
            vec![thumb("a/</script><q>.x", ThumbStatus::Drawn), thumb("b.x", ThumbStatus::Failed)];
        let page = encode_gallery_page(&gallery(models));
        assert!(!page.contains("<q>") && !page.contains("<torn>"));
        assert!(!page.contains("/home/me"), "no path of the machine");
        assert!(page.contains("a/%3C/script%3E%3Cq%3E.x.png"), "{page}");
        assert!(!page.contains("{{"));
    }

    #[test]
    fn page_reads_without_scripts_and_escapes_what_it_shows() {
        let mut spun = thumb("a \"b\" <i>.x", ThumbStatus::Drawn);
        spun.spin = Some("a \"b\" <i>.x.webp".to_owned());
        let mut clip = thumb("walk.md5anim", ThumbStatus::NoMesh);
        (clip.picture, clip.message) = (None, Some("it contains clips".to_owned()));
        let models = vec![spun, thumb("b.x", ThumbStatus::Failed), clip];
        let gallery = Gallery {
            title: Some("Beasts & <more>".to_owned()),
            width: 200,
            height: 250,
            gone: vec!["old<.x".to_owned()],
            ..gallery(models)
        };
        let page = encode_gallery_page(&gallery);
        let (_, rest) = page.split_once("<noscript>").unwrap();
        let (plain, _) = rest.split_once("</noscript>").unwrap();
        for said in [
            "<h1>Beasts &amp; &lt;more&gt;</h1>",
            "src=\"a%20%22b%22%20%3Ci%3E.x.webp\"",
            "title=\"a &quot;b&quot; &lt;i&gt;.x\"",
            "<h2>Without a picture</h2><ul><li><b>b.x</b><span>it is &lt;torn&gt;</span></li></ul>",
            "<b>walk.md5anim</b><span>it contains clips</span>",
            "<b>old&lt;.x</b>",
        ] {
            assert!(plain.contains(said), "{said} in {plain}");
        }
        assert!(page.contains("--shown: 100px; --aspect: 200 / 250;"));
        assert!(!page.contains("<more>") && !page.contains("<i>") && !page.contains("old<"));
    }

    #[test]
    fn pages_of_many_models_link_to_each_other() {
        let models =
            (0..2 * PAGE_MODELS + 1).map(|n| thumb(&format!("{n:06}.x"), ThumbStatus::Drawn));
        let pages = encode_gallery_pages(&gallery(models.collect()));
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["index.html", "index.2.html", "index.3.html"]);
        assert!(pages[0].1.contains("href=\"index.2.html\" title=\"from 020000.x\""));
        assert!(pages[2].1.contains("\"040000.x\"") && !pages[1].1.contains("\"040000.x\""));
        assert!(pages[2].1.contains("href=\"index.html\""));
        let one = encode_gallery_pages(&gallery(vec![thumb("a.x", ThumbStatus::Drawn)]));
        assert!(one.len() == 1 && !one[0].1.contains("<nav"));
    }

    #[test]
    fn json_counts_what_became_of_each() {
        let models = vec![
            thumb("a.x", ThumbStatus::Drawn),
            thumb("b.x", ThumbStatus::Failed),
            thumb("c.x", ThumbStatus::Unchanged),
        ];
        let json: serde_json::Value =
            serde_json::from_str(&encode_gallery_json(&gallery(models))).unwrap();
        assert_eq!(json["version"], 1);
        let totals = &json["totals"];
        assert_eq!(
            (&totals["models"], &totals["drawn"], &totals["failed"]),
            (&3.into(), &1.into(), &1.into())
        );
        assert_eq!(json["models"][1]["reason"], "input");
        assert_eq!(json["models"][0]["path"], "/home/me/a.x");
    }
}
