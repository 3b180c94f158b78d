//! Thumbnails -> JSON, and one static page that shows and sorts them.
//!
//! Input: a [`Gallery`], plain data. Output: text. The page loads nothing but the pictures below its folder, works when it is opened as
//! a file, and has a policy that forbids every connection. Its contents are embedded as data and set as text, never as markup. The
//! template, style and script are in the folder `gallery`.

use super::json::escape_for_script;
use super::page::{escape_html, fill};
use serde::Serialize;
use tintype_framing::thumbnail::{ThumbFacts, ThumbView};
use tintype_model::diagnostic::printable_json;

/// The shape of the JSON text; raised when a field changes its meaning or goes away.
pub const GALLERY_VERSION: u32 = 1;

const TEMPLATE: &str = include_str!("gallery/index.html");
const STYLE: &str = include_str!("gallery/style.css");
const SCRIPT: &str = include_str!("gallery/gallery.js");

/// Number of pictures that a browser without scripts shows.
const LISTED: usize = 200;

/// Models in one file: some five megabytes, which browsers open in a second.
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
    /// The folder or file of the pictures, as a reader of the JSON finds it; none for standard output.
    pub output: Option<String>,
    /// Width and height of each picture, in pixels.
    pub size: u32,
    /// The models, sorted by name.
    pub models: Vec<Thumb>,
}

/// Status of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThumbStatus {
    /// Its picture was drawn.
    Drawn,
    /// Its picture was there, and is the one that would be drawn.
    Unchanged,
    /// It has no picture.
    Failed,
    /// It holds nothing to be drawn.
    NoMesh,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thumb {
    /// Below the deepest folder that holds all models, with `/` between the parts.
    pub model: String,
    /// As the user would write it.
    pub path: String,
    /// Its status.
    pub status: ThumbStatus,
    /// The picture below the output folder, with `/` between the parts; `None` without a picture.
    pub picture: Option<String>,
    /// Reason why it has no picture, in one word; `None` if it has one.
    pub reason: Option<&'static str>,
    /// The same as a sentence.
    pub message: Option<String>,
    /// Notes for the author of the model.
    pub warnings: Vec<String>,
    /// Its contents, if they are known.
    pub facts: Option<ThumbFacts>,
    /// Its viewpoint and clip, if it was drawn.
    pub view: Option<ThumbView>,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    program: Program<'a>,
    totals: Totals,
    #[serde(flatten)]
    gallery: &'a Gallery,
}

#[derive(Serialize)]
struct Program<'a> {
    name: &'static str,
    version: &'a str,
    pixel_revision: u32,
}

/// Number of models of each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// All of them.
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

impl Gallery {
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
        gallery,
    }
}

/// The thumbnails as indented JSON with a line end behind it.
///
/// # Panics
/// Never: all that a gallery holds has a form in JSON.
#[must_use]
pub fn encode_gallery_json(gallery: &Gallery) -> String {
    printable_json(&serde_json::to_string_pretty(&document(gallery)).expect("plain data")) + "\n"
}

/// The pages, each with its file name: `index.html`, and `index.2.html` and on for more than [`PAGE_MODELS`] models.
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
        size: gallery.size,
        models: Vec::new(),
    }
}

/// Links to the other pages, each by the name of its first model; none for a single page.
fn links(gallery: &Gallery, here: usize, count: usize) -> String {
    if count == 1 {
        return String::new();
    }
    let mut links = String::from("<nav class=\"pages\" aria-label=\"Pages\">");
    for place in 0..count {
        let first = escape_html(&gallery.models[place * PAGE_MODELS].model);
        links += &match place == here {
            true => format!(" <b aria-current=\"page\" title=\"from {first}\">{}</b>", place + 1),
            false => {
                format!(
                    " <a href=\"{}\" title=\"from {first}\">{}</a>",
                    page_name(place),
                    place + 1
                )
            }
        };
    }
    links + "</nav>\n"
}

/// The page of all models.
///
/// # Panics
/// Never: all that a gallery holds has a form in JSON.
#[must_use]
pub fn encode_gallery_page(gallery: &Gallery) -> String {
    encode_page(gallery, "")
}

fn encode_page(gallery: &Gallery, pages: &str) -> String {
    let totals = gallery.totals();
    let title = match totals.models {
        1 => "tintype: 1 model".to_owned(),
        count => format!("tintype: {count} models"),
    };
    // The page does not disclose paths of this machine.
    let mut shown = gallery.clone();
    shown.output = None;
    shown.models.iter_mut().for_each(|model| model.path.clear());
    let data = serde_json::to_string(&document(&shown)).expect("plain data");
    fill(
        TEMPLATE,
        &[
            ("title", &escape_html(&title)),
            ("version", &escape_html(&gallery.program_version)),
            ("style", STYLE),
            ("list", &plain_list(gallery)),
            ("pages", pages),
            ("data", &escape_for_script(&data)),
            ("script", SCRIPT),
        ],
    )
}

/// The first pictures, for browsers and servers that allow no scripts.
fn plain_list(gallery: &Gallery) -> String {
    let mut list = String::new();
    for model in gallery.models.iter().take(LISTED) {
        let name = escape_html(&model.model);
        list += &match (&model.picture, &model.message) {
            (Some(picture), _) => {
                let address = escape_html(address_of(picture));
                format!(
                    "<li><img src=\"{address}\" alt=\"\" width=\"64\" height=\"64\" loading=\"lazy\"> {name}</li>\n"
                )
            }
            (None, message) => {
                format!(
                    "<li>{name}: {}</li>\n",
                    escape_html(message.as_deref().unwrap_or_default())
                )
            }
        };
    }
    if let Some(more) = gallery.models.len().checked_sub(LISTED).filter(|&more| more > 0) {
        list += &format!("<li>and {more} more</li>\n");
    }
    list
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
            reason: (status == ThumbStatus::Failed).then_some("input"),
            message: (status == ThumbStatus::Failed).then(|| "it is <torn>".to_owned()),
            warnings: Vec::new(),
            facts: None,
            view: None,
        }
    }

    fn gallery(models: Vec<Thumb>) -> Gallery {
        Gallery {
            program_version: "1".to_owned(),
            pixel_revision: 1,
            output: Some("/home/me/thumbnails".to_owned()),
            size: 256,
            models,
        }
    }

    #[test]
    fn page_keeps_foreign_text_and_paths_to_itself() {
        let models =
            vec![thumb("a/</script><b>.x", ThumbStatus::Drawn), thumb("b.x", ThumbStatus::Failed)];
        let page = encode_gallery_page(&gallery(models));
        assert!(!page.contains("<b>") && !page.contains("<torn>"));
        assert!(!page.contains("/home/me"), "no path of the machine");
        assert!(page.contains("a/%3C/script%3E%3Cb%3E.x.png"), "{page}");
        assert!(!page.contains("{{"));
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
