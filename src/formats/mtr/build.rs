//! The stages of a material to what a picture is made of.
//!
//! Input: a [`Body`]. Output: an [`MtrLook`] with one picture for each role, and notes of all that is left out. No file is
//! opened and nothing can fail here.
//!
//! # Conventions
//! - Of several stages in one role the first that is on counts; an engine would draw all of them.
//! - Without a diffuse map, the first other stage that draws is the surface: as it is, covering by its alpha, or, where it is
//!   added, covering by its brightness. It is lit, which an engine would not do.
//! - Constants of a stage multiply sRGB codes, as in the engine: that of the colour becomes a linear colour, that of highlights
//!   scales the picture.

use super::body::{Blend, Body, Map, Stage};
use super::material::{MtrCover, MtrLayer, MtrLook, Note};
use super::program::{Change, ImageProgram};
use crate::model::LinearRgb;

/// What a stage is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Diffuse,
    Normal,
    Specular,
    /// Drawn without light.
    Unlit,
}

impl Role {
    fn of(blend: &Blend) -> Self {
        match blend {
            Blend::Diffuse => Self::Diffuse,
            Blend::Bump => Self::Normal,
            Blend::Specular => Self::Specular,
            Blend::Replace
            | Blend::Cover
            | Blend::Add
            | Blend::Filter
            | Blend::Nothing
            | Blend::Other(_) => Self::Unlit,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Diffuse => "diffuse map",
            Self::Normal => "bump map",
            Self::Specular => "specular map",
            Self::Unlit => "unlit stage",
        }
    }
}

/// A stage that is on, with its picture.
struct Active<'b> {
    stage: &'b Stage,
    image: &'b ImageProgram,
}

/// Decides what a material looks like.
pub(super) fn build_look(body: Body) -> MtrLook {
    let mut notes = Notes(Vec::new());
    let active: Vec<Active<'_>> =
        body.stages.iter().filter_map(|stage| active(stage, &mut notes)).collect();
    let mut first = |role: Role| {
        let mut of_role = active.iter().filter(|active| Role::of(&active.stage.blend) == role);
        let first = of_role.next();
        for other in of_role.filter(|_| role != Role::Unlit) {
            let message = format!("second {} left out: {}", role.words(), other.image);
            notes.warn(other.stage, message);
        }
        first
    };
    let (diffuse, normal, specular) =
        (first(Role::Diffuse), first(Role::Normal), first(Role::Specular));
    let surface = diffuse.or_else(|| {
        active
            .iter()
            .find(|active| matches!(active.stage.blend, Blend::Replace | Blend::Cover | Blend::Add))
    });
    let mut cover = MtrCover::Opaque;
    let mut look = MtrLook {
        diffuse: None,
        normal: normal.map(|normal| layer(normal, normal.image.clone(), &body)),
        specular: specular.map(|specular| of_specular(specular, &body, &mut notes)),
        color: LinearRgb::WHITE,
        opacity: 1.0,
        cover,
        cull: body.cull,
        editor_image: body.editor_image.clone(),
        is_undrawn: !body.stages.iter().any(draws),
        notes: Vec::new(),
    };
    if let Some(surface) = surface {
        let stage = surface.stage;
        let mut image = surface.image.clone();
        if stage.blend == Blend::Add {
            image = image.changed(Change::CoverByLight);
            let message = "stage adds light in an engine; here it covers by its brightness";
            notes.warn(stage, message.to_owned());
        }
        if body.translucent || matches!(stage.blend, Blend::Cover | Blend::Add) {
            cover = MtrCover::Blend;
        }
        notes.given_color(stage);
        let [r, g, b, alpha] = [0, 1, 2, 3].map(|channel: usize| stage.color[channel].share());
        look.color = linear([r, g, b]);
        if cover == MtrCover::Blend {
            look.opacity = alpha;
        }
        look.diffuse = Some(layer(surface, image, &body));
    }
    for other in &active {
        let stage = other.stage;
        let is_surface = surface.is_some_and(|surface| core::ptr::eq(surface.stage, stage));
        let tested = stage.alpha_test.as_ref();
        if let Some(test) = tested {
            let same = surface.is_some_and(|surface| surface.image == other.image);
            if same && cover == MtrCover::Opaque {
                notes.given(stage, "alpha test", test.depends.as_ref());
                cover = MtrCover::Mask(test.share());
            } else if !is_surface {
                notes.warn(
                    stage,
                    format!("alpha test of another picture left out: {}", other.image),
                );
            }
        }
        if Role::of(&stage.blend) == Role::Unlit && !is_surface && stage.blend != Blend::Nothing {
            notes.warn(stage, left_out(&stage.blend, other.image));
        }
    }
    look.cover = cover;
    look.notes = body.notes;
    look.notes.extend(notes.0);
    look.notes.sort_by_key(|note| note.place);
    look
}

/// Whether a stage is on and has anything to draw.
fn draws(stage: &Stage) -> bool {
    let is_on = stage.condition.as_ref().is_none_or(|condition| condition.number != 0.0);
    is_on && stage.blend != Blend::Nothing && stage.map.is_some()
}

/// The stage if it is on and has a picture.
fn active<'b>(stage: &'b Stage, notes: &mut Notes) -> Option<Active<'b>> {
    if let Some(condition) = &stage.condition {
        let state = if condition.number == 0.0 { "off" } else { "on" };
        notes.given(stage, &format!("stage is {state}: its condition"), condition.depends.as_ref());
        if condition.number == 0.0 {
            return None;
        }
    }
    let image = match stage.map.as_ref()? {
        Map::Image(image) => image,
        Map::Other(what) => {
            notes.warn(stage, format!("stage left out: it shows {what}, not a picture"));
            return None;
        }
    };
    if let Some(path) = image.as_path()
        && path.starts_with('_')
        && super::builtin_image(path).is_none()
    {
        notes.warn(stage, format!("stage left out: {path} is made by an engine"));
        return None;
    }
    if let Some(texgen) =
        stage.texgen.as_deref().filter(|kind| !kind.eq_ignore_ascii_case("normal"))
    {
        notes.warn(stage, format!("stage left out: its texture coordinates are made by {texgen}"));
        return None;
    }
    for (place, word, values) in &stage.transforms {
        if let Some(depends) = values.iter().find_map(|value| value.depends.as_ref()) {
            let message =
                format!("{word} of texture coordinates left out: it depends on {depends}");
            notes.0.push(Note { place: *place, message, is_warning: false });
        } else if !is_at_rest(word, values.iter().map(|value| value.number)) {
            let message = format!("{word} of texture coordinates left out");
            notes.0.push(Note { place: *place, message, is_warning: true });
        }
    }
    Some(Active { stage, image })
}

/// Whether a change of texture coordinates changes nothing.
fn is_at_rest(word: &str, mut values: impl Iterator<Item = f64>) -> bool {
    let rest = if word.ends_with("scale") { 1.0 } else { 0.0 };
    match word {
        // Whole turns and whole textures.
        "rotate" | "scroll" | "translate" => values.all(|value| value.fract() == 0.0),
        _ => values.all(|value| value == rest),
    }
}

fn layer(active: &Active<'_>, image: ImageProgram, body: &Body) -> MtrLayer {
    let stage = active.stage;
    MtrLayer { place: stage.place, image, is_clamped: stage.clamp || body.clamp }
}

fn of_specular(active: &Active<'_>, body: &Body, notes: &mut Notes) -> MtrLayer {
    let stage = active.stage;
    notes.given_color(stage);
    let [r, g, b, _] = [0, 1, 2, 3].map(|channel: usize| f64::from(stage.color[channel].share()));
    let factors = [r, g, b, 1.0];
    let image = active.image.clone();
    let image = if factors == [1.0; 4] { image } else { image.changed(Change::Scale(factors)) };
    layer(active, image, body)
}

#[expect(clippy::cast_possible_truncation, reason = "0..=1 becomes 0..=255")]
#[expect(clippy::cast_sign_loss, reason = "0..=1 becomes 0..=255")]
fn linear(shares: [f32; 3]) -> LinearRgb {
    LinearRgb::from_codes(shares.map(|share| (share * 255.0 + 0.5) as u8))
}

fn left_out(blend: &Blend, image: &ImageProgram) -> String {
    let how = match blend {
        Blend::Add => "adds",
        Blend::Filter => "multiplies with",
        Blend::Cover => "covers with",
        Blend::Other(factors) => return format!("stage left out: it blends {image} by {factors}"),
        _ => "draws over all",
    };
    format!("stage left out: beside the surface it {how} {image}")
}

/// Notes of stages.
struct Notes(Vec<Note>);

impl Notes {
    fn warn(&mut self, stage: &Stage, what: String) {
        self.0.push(Note { place: stage.place, message: what, is_warning: true });
    }

    /// Notes the first channel of a stage's colour that only a game knows.
    fn given_color(&mut self, stage: &Stage) {
        let depends = stage.color.iter().find_map(|value| value.depends.as_ref());
        self.given(stage, "colour of the stage", depends);
    }

    /// Notes a value that only a game knows.
    fn given(&mut self, stage: &Stage, what: &str, depends: Option<&String>) {
        if let Some(depends) = depends {
            let message = format!("{what} depends on {depends}");
            self.0.push(Note { place: stage.place, message, is_warning: false });
        }
    }
}
