//! The stages of a material to what a picture is made of.
//!
//! Input: a [`Body`]. Output: an [`MtrLook`] with one picture for each role, and notes of all that is left out. No file is
//! opened and nothing can fail here.
//!
//! # Conventions
//! - Of several diffuse, bump or specular maps the first that is on counts; an engine would draw all of them.
//! - Without any of them the surface is not lit: its first other stage is light of its own, which hides what is behind it, covers
//!   it by its alpha, is added to it or multiplies it, as the stage says.
//! - Stages on top of a solid surface become part of its pictures. What is added is light of its own. What multiplies, multiplies
//!   the maps of colour, highlight and own light, which is the same as multiplying their sum. What covers does both.
//! - Constants of a stage multiply sRGB codes, as in the engine: that of the colour becomes a linear colour, those of other
//!   pictures scale them. Sums of pictures are sums of codes; they are added to what is lit in linear light.

use super::body::{Blend, Body, Map, Stage};
use super::material::{MtrCover, MtrLayer, MtrLook, Note};
use super::program::{Change, ImageProgram};
use tintype_model::LinearRgb;

/// Role of a stage.
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
            | Blend::AddByAlpha
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

impl Active<'_> {
    /// Whether it draws something without light.
    fn is_pass(&self) -> bool {
        let blend = &self.stage.blend;
        Role::of(blend) == Role::Unlit && *blend != Blend::Nothing
    }
}

impl Stage {
    /// Its colour and alpha, each 0 to 1.
    fn shares(&self) -> [f32; 4] {
        [0, 1, 2, 3].map(|channel: usize| self.color[channel].share())
    }
}

/// Derives the surface of a material from its stages.
pub(super) fn build_look(body: Body) -> MtrLook {
    let mut notes = Notes(Vec::new());
    let active: Vec<Active<'_>> =
        body.stages.iter().filter_map(|stage| active(stage, &mut notes)).collect();
    let mut first = |role: Role| {
        let mut of_role = active.iter().filter(|active| Role::of(&active.stage.blend) == role);
        let first = of_role.next();
        for other in of_role {
            let message = format!("second {} left out: {}", role.words(), other.image);
            notes.warn(other.stage, message);
        }
        first
    };
    let (diffuse, normal, specular) =
        (first(Role::Diffuse), first(Role::Normal), first(Role::Specular));
    let mut look = MtrLook {
        diffuse: None,
        normal: normal.map(|normal| layer(normal, normal.image.clone(), &body)),
        specular: specular.map(|specular| layer(specular, tinted(specular, &mut notes), &body)),
        emissive_map: None,
        is_unlit: diffuse.or(normal).or(specular).is_none(),
        color: LinearRgb::WHITE,
        opacity: 1.0,
        cover: if body.translucent { MtrCover::Blend } else { MtrCover::Opaque },
        cull: body.cull,
        editor_image: body.editor_image.clone(),
        is_undrawn: !body.stages.iter().any(draws),
        notes: Vec::new(),
    };

    // 1. The surface.
    let mut passes: Vec<&Active<'_>> = active.iter().filter(|active| active.is_pass()).collect();
    if let Some(diffuse) = diffuse {
        notes.given_color(diffuse.stage);
        let [r, g, b, alpha] = diffuse.stage.shares();
        look.color = linear([r, g, b]);
        if look.cover == MtrCover::Blend {
            look.opacity = alpha;
        }
        look.diffuse = Some(layer(diffuse, diffuse.image.clone(), &body));
    }
    let mut surface = diffuse;
    let is_known = |pass: &&Active<'_>| !matches!(pass.stage.blend, Blend::Other(_));
    if look.is_unlit
        && let Some(position) = passes.iter().position(is_known)
    {
        let base = passes.remove(position);
        look.light_by(base, &body, &mut notes);
        surface = Some(base);
    }

    // 2. Its holes, which a stage that draws nothing may tell.
    for other in &active {
        let Some(test) = &other.stage.alpha_test else { continue };
        let is_surface = surface.is_some_and(|surface| core::ptr::eq(surface.stage, other.stage));
        if surface.is_some_and(|surface| surface.image == other.image)
            && look.cover == MtrCover::Opaque
        {
            notes.given(other.stage, "alpha test", test.depends.as_ref());
            look.cover = MtrCover::Mask(test.share());
            look.diffuse.get_or_insert_with(|| layer(other, other.image.clone(), &body));
        } else if !is_surface {
            let message = format!("alpha test of another picture left out: {}", other.image);
            notes.warn(other.stage, message);
        }
    }

    // 3. What lies on top.
    for pass in passes {
        if !look.put_on_top(pass, &body, &mut notes) {
            notes.warn(pass.stage, left_out(&pass.stage.blend, pass.image));
        }
    }
    look.notes = body.notes;
    look.notes.extend(notes.0);
    look.notes.sort_by_key(|note| note.position);
    look
}

impl MtrLook {
    /// Makes a stage the light of a surface that has no other.
    fn light_by(&mut self, base: &Active<'_>, body: &Body, notes: &mut Notes) {
        let is_seen_through = self.cover == MtrCover::Blend;
        let (cover, has_alpha) = match base.stage.blend {
            Blend::Cover => (MtrCover::Blend, true),
            Blend::Add => (MtrCover::Add, false),
            Blend::AddByAlpha => (MtrCover::Add, true),
            Blend::Filter => (MtrCover::Multiply, false),
            _ => (self.cover, is_seen_through),
        };
        self.cover = cover;
        self.emissive_map = Some(layer(base, tinted(base, notes), body));
        if has_alpha {
            let [.., alpha] = base.stage.shares();
            self.opacity = alpha;
            self.diffuse = Some(layer(base, base.image.clone(), body));
        }
    }

    /// Puts a stage on top of the surface; false if that cannot be done.
    fn put_on_top(&mut self, pass: &Active<'_>, body: &Body, notes: &mut Notes) -> bool {
        let is_solid = matches!(self.cover, MtrCover::Opaque | MtrCover::Mask(_));
        let is_sum = self.cover == MtrCover::Add && self.diffuse.is_none();
        let is_product = self.cover == MtrCover::Multiply;
        match pass.stage.blend {
            Blend::Add if is_solid || is_sum => {
                let light = tinted(pass, notes);
                self.add(pass, light, body);
            }
            Blend::AddByAlpha if is_solid || is_sum => {
                let light = tinted_by_all(pass, notes).changed(Change::Weigh);
                self.add(pass, light, body);
            }
            Blend::Filter if is_solid || is_product => self.multiply(&tinted(pass, notes)),
            Blend::Cover if is_solid => {
                let cover = tinted_by_all(pass, notes);
                self.multiply(&cover.clone().changed(Change::Through));
                self.add(pass, cover.changed(Change::Weigh), body);
            }
            Blend::Replace if is_solid => {
                self.is_unlit = true;
                if self.cover == MtrCover::Opaque {
                    self.diffuse = None;
                }
                (self.normal, self.specular) = (None, None);
                self.emissive_map = Some(layer(pass, tinted(pass, notes), body));
            }
            _ => return false,
        }
        true
    }

    fn add(&mut self, pass: &Active<'_>, light: ImageProgram, body: &Body) {
        self.emissive_map = Some(match self.emissive_map.take() {
            Some(glow) => MtrLayer { image: glow.image.plus(light), ..glow },
            None => layer(pass, light, body),
        });
    }

    fn multiply(&mut self, factor: &ImageProgram) {
        // Where a surface has light of its own alone, its other picture is its alpha.
        let diffuse = self.diffuse.as_mut().filter(|_| !self.is_unlit);
        for layer in diffuse.into_iter().chain(&mut self.specular).chain(&mut self.emissive_map) {
            layer.image = layer.image.clone().times(factor.clone());
        }
    }
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
    for (position, word, values) in &stage.transforms {
        if let Some(depends) = values.iter().find_map(|value| value.depends.as_ref()) {
            let message =
                format!("{word} of texture coordinates left out: it depends on {depends}");
            notes.0.push(Note { position: *position, message, is_warning: false });
        } else if !is_at_rest(word, values.iter().map(|value| value.number)) {
            let message = format!("{word} of texture coordinates left out");
            notes.0.push(Note { position: *position, message, is_warning: true });
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
    MtrLayer { position: stage.position, image, is_clamped: stage.clamp || body.clamp }
}

/// The picture of a stage times the stage's colour.
fn tinted(active: &Active<'_>, notes: &mut Notes) -> ImageProgram {
    let [r, g, b, _] = active.stage.shares();
    scaled(active, [r, g, b, 1.0], notes)
}

/// The same, with its alpha times the stage's.
fn tinted_by_all(active: &Active<'_>, notes: &mut Notes) -> ImageProgram {
    scaled(active, active.stage.shares(), notes)
}

fn scaled(active: &Active<'_>, factors: [f32; 4], notes: &mut Notes) -> ImageProgram {
    notes.given_color(active.stage);
    let image = active.image.clone();
    if factors == [1.0; 4] {
        return image;
    }
    image.changed(Change::Scale(factors.map(f64::from)))
}

#[expect(clippy::cast_possible_truncation, reason = "0..=1 becomes 0..=255")]
#[expect(clippy::cast_sign_loss, reason = "0..=1 becomes 0..=255")]
fn linear(shares: [f32; 3]) -> LinearRgb {
    LinearRgb::from_codes(shares.map(|share| (share * 255.0 + 0.5) as u8))
}

fn left_out(blend: &Blend, image: &ImageProgram) -> String {
    let how = match blend {
        Blend::Add | Blend::AddByAlpha => "adds",
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
        self.0.push(Note { position: stage.position, message: what, is_warning: true });
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
            self.0.push(Note { position: stage.position, message, is_warning: false });
        }
    }
}
