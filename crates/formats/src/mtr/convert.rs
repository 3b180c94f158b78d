//! Converts the stages of a material to the parts of a picture.
//!
//! Input: a [`Body`]. Output: an [`MtrLook`] with one picture for each role, and notes about
//! everything left out. No file is opened and nothing can fail here.
//!
//! # Conventions
//! - If there are several diffuse, bump or specular maps, the first active one counts; an engine
//!   would draw all of them.
//! - Without any of them the surface is not lit: its first other stage is emission, which is
//!   opaque, alpha-blended, added or multiplied, as the stage states.
//! - Stages on top of a solid surface become part of its pictures. Added stages become emission.
//!   Multiplied stages multiply the maps of colour, highlight and emission, which equals
//!   multiplying their sum. Covering stages do both.
//! - Values that depend on time are a [`StageMotion`]. A picture of several stages has the texture
//!   coordinates and the animated colour of the first; those of the others are dropped and
//!   reported.
//! - Constants of a stage multiply sRGB codes, as in the engine: the constant of the colour becomes
//!   a linear colour, those of other pictures scale them. Sums of pictures are sums of codes; they
//!   are added to the lit colour in linear light.

use super::body::{Blend, Body, Map, Stage};
use super::material::{MtrCover, MtrLayer, MtrLook, Note};
use super::program::{Change, ImageProgram};
use tintype_model::math::clamp;
use tintype_model::{Formula, LinearRgb, StageColor, StageMotion, TextureRole};

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
    /// True if it draws something without light.
    fn is_pass(&self) -> bool {
        let blend = &self.stage.blend;
        Role::of(blend) == Role::Unlit && *blend != Blend::Nothing
    }
}

impl Stage {
    /// Its colour and alpha, each 0 to 1.
    fn shares(&self) -> [f32; 4] {
        [0, 1, 2, 3].map(|channel: usize| share(&self.color[channel]))
    }

    /// True if its colour, or its activation, changes over time.
    fn has_moving_color(&self) -> bool {
        self.color.iter().chain(&self.condition).any(Formula::is_moving)
    }

    /// True if it may be active at any time.
    fn may_be_on(&self) -> bool {
        self.condition.as_ref().is_none_or(|when| when.is_moving() || when.at(0.0) != 0.0)
    }
}

/// The first stage of a role; others are reported.
fn first_of<'a, 'b>(
    role: Role,
    active: &'a [Active<'b>],
    notes: &mut Notes,
) -> Option<&'a Active<'b>> {
    let mut of_role = active.iter().filter(|active| Role::of(&active.stage.blend) == role);
    let first = of_role.next();
    for other in of_role {
        let message = format!("second {} skipped: {}", role.words(), other.image);
        notes.warn(other.stage, message);
    }
    first
}

/// Derives the surface of a material from its stages.
pub(super) fn build_look(body: Body) -> MtrLook {
    let mut notes = Notes(Vec::new());
    let active: Vec<Active<'_>> =
        body.stages.iter().filter_map(|stage| active(stage, &mut notes)).collect();
    let [diffuse, normal, specular] = [Role::Diffuse, Role::Normal, Role::Specular]
        .map(|role| first_of(role, &active, &mut notes));
    let mut look = MtrLook {
        diffuse: None,
        normal: normal.map(|normal| layer(normal, normal.image.clone(), &body)),
        specular: specular
            .map(|specular| layer(specular, own_picture(specular, &mut notes), &body)),
        emissive_map: None,
        is_unlit: diffuse.or(normal).or(specular).is_none(),
        color: LinearRgb::WHITE,
        opacity: 1.0,
        cover: if body.translucent { MtrCover::Blend } else { MtrCover::Opaque },
        cull: body.cull,
        editor_image: body.editor_image.clone(),
        is_undrawn: !body.stages.iter().any(draws),
        stages: Vec::new(),
        notes: Vec::new(),
    };
    for (stage, role, color) in [
        (diffuse, TextureRole::Diffuse, Some(StageColor::Surface)),
        (normal, TextureRole::Normal, None),
        (specular, TextureRole::Specular, Some(StageColor::Highlight)),
    ] {
        let Some(Active { stage, .. }) = stage else { continue };
        look.move_by(stage, &[role], color);
        if color.is_none() && stage.has_moving_color() {
            notes.warn(stage, "bump map is always drawn: its condition is ignored".to_owned());
        }
    }

    // 1. The surface.
    let mut passes: Vec<&Active<'_>> = active.iter().filter(|active| active.is_pass()).collect();
    if let Some(diffuse) = diffuse {
        look.paint_by(diffuse, &body, &mut notes);
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

    // 2. Holes, which a stage that draws nothing may define.
    active.iter().for_each(|stage| look.cut_holes(stage, surface, &body, &mut notes));

    // 3. The stages on top.
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
    /// Keeps the parts of a stage that depend on time, or on texture coordinates other than those
    /// of the mesh.
    fn move_by(&mut self, stage: &Stage, roles: &[TextureRole], colors: Option<StageColor>) {
        let motion = StageMotion {
            number: stage.number,
            roles: roles.to_vec(),
            colors: colors.filter(|_| stage.has_moving_color()),
            color: stage.color.clone(),
            condition: stage.condition.clone().unwrap_or(Formula::Number(1.0)),
            alpha_test: stage.alpha_test.clone(),
            coordinates: stage.coordinates.clone(),
        };
        if !stage.coordinates.is_empty() || motion.is_moving() {
            self.stages.push(motion);
        }
    }

    /// Reports stages that become part of a role's picture but should move differently from it.
    fn check_motion(&self, pass: &Active<'_>, roles: &[TextureRole], notes: &mut Notes) {
        let own = &pass.stage.coordinates;
        let is_there = |role: &&TextureRole| match role {
            TextureRole::Diffuse => self.diffuse.is_some() && !self.is_unlit,
            TextureRole::Specular => self.specular.is_some(),
            _ => self.emissive_map.is_some(),
        };
        let is_other = |role: &TextureRole| {
            let of_role = self.stages.iter().find(|motion| motion.roles.contains(role));
            let places = of_role.map_or(&[][..], |motion| &motion.coordinates);
            // A product takes the moving colour of its other factor.
            let is_product = pass.stage.blend == Blend::Filter;
            let has_color = of_role.is_some_and(|motion| motion.colors.is_some());
            places != own || has_color && !is_product
        };
        if pass.stage.has_moving_color() || roles.iter().filter(is_there).any(is_other) {
            let message = format!(
                "stage drawn as at time 0, with the texture coordinates of the stage below: {}",
                pass.image
            );
            notes.warn(pass.stage, message);
        }
    }

    /// Makes a stage the lit colour of the surface.
    fn paint_by(&mut self, diffuse: &Active<'_>, body: &Body, notes: &mut Notes) {
        notes.given_color(diffuse.stage);
        let [r, g, b, alpha] = diffuse.stage.shares();
        self.color = linear([r, g, b]);
        if self.cover == MtrCover::Blend {
            self.opacity = alpha;
        }
        self.diffuse = Some(layer(diffuse, diffuse.image.clone(), body));
    }

    /// Cuts holes into the surface by the alpha test of a stage with its picture.
    fn cut_holes(
        &mut self,
        other: &Active<'_>,
        surface: Option<&Active<'_>>,
        body: &Body,
        notes: &mut Notes,
    ) {
        let Some(test) = &other.stage.alpha_test else { return };
        let is_surface = surface.is_some_and(|surface| core::ptr::eq(surface.stage, other.stage));
        if surface.is_some_and(|surface| surface.image == other.image)
            && self.cover == MtrCover::Opaque
        {
            notes.given(other.stage, "alpha test", test.assumed());
            self.cover = MtrCover::Mask(share(test));
            if self.diffuse.is_none() {
                self.move_by(other.stage, &[TextureRole::Diffuse], None);
            } else if !is_surface && test.is_moving() {
                self.move_by(other.stage, &[], None);
            }
            self.diffuse.get_or_insert_with(|| layer(other, other.image.clone(), body));
        } else if !is_surface {
            let message = format!("alpha test of another picture skipped: {}", other.image);
            notes.warn(other.stage, message);
        }
    }

    /// Makes a stage the emission of a surface without any other.
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
        self.emissive_map = Some(layer(base, own_picture(base, notes), body));
        let roles = [TextureRole::Emissive, TextureRole::Diffuse];
        let roles = if has_alpha { &roles[..] } else { &roles[..1] };
        self.move_by(base.stage, roles, Some(StageColor::Light));
        if has_alpha {
            let [.., alpha] = base.stage.shares();
            self.opacity = alpha;
            self.diffuse = Some(layer(base, base.image.clone(), body));
        }
    }

    /// Adds a stage on top of the surface; false if that is impossible.
    fn put_on_top(&mut self, pass: &Active<'_>, body: &Body, notes: &mut Notes) -> bool {
        let is_solid = matches!(self.cover, MtrCover::Opaque | MtrCover::Mask(_));
        let is_sum = self.cover == MtrCover::Add && self.diffuse.is_none();
        let is_product = self.cover == MtrCover::Multiply;
        let can_join = match pass.stage.blend {
            Blend::Add | Blend::AddByAlpha => is_solid || is_sum,
            Blend::Filter => is_solid || is_product,
            Blend::Cover | Blend::Replace => is_solid,
            _ => false,
        };
        if !can_join {
            return false;
        }
        let is_light = matches!(pass.stage.blend, Blend::Add | Blend::AddByAlpha);
        let is_own = is_light && self.emissive_map.is_none();
        if !is_own {
            let roles = [TextureRole::Emissive, TextureRole::Diffuse, TextureRole::Specular];
            let roles = match pass.stage.blend {
                Blend::Filter | Blend::Cover => &roles[..],
                _ if is_light => &roles[..1],
                _ => &[],
            };
            self.check_motion(pass, roles, notes);
            if pass.stage.condition.as_ref().is_some_and(|when| when.at(0.0) == 0.0) {
                return true;
            }
        }
        match pass.stage.blend {
            Blend::Add | Blend::AddByAlpha if is_own && pass.stage.has_moving_color() => {
                let light = own_picture(pass, notes);
                let is_weighed = pass.stage.blend == Blend::AddByAlpha;
                self.add(pass, if is_weighed { light.changed(Change::Weigh) } else { light }, body);
            }
            Blend::Add => self.add(pass, tinted(pass, notes), body),
            Blend::AddByAlpha => {
                let light = tinted_by_all(pass, notes).changed(Change::Weigh);
                self.add(pass, light, body);
            }
            Blend::Filter => self.multiply(&tinted(pass, notes)),
            Blend::Cover => {
                let cover = tinted_by_all(pass, notes);
                self.multiply(&cover.clone().changed(Change::Through));
                self.add(pass, cover.changed(Change::Weigh), body);
            }
            _ => {
                self.is_unlit = true;
                let is_mask = self.cover != MtrCover::Opaque;
                if !is_mask {
                    self.diffuse = None;
                }
                self.stages.retain(|own| is_mask && own.roles.contains(&TextureRole::Diffuse));
                (self.normal, self.specular) = (None, None);
                self.emissive_map = Some(layer(pass, tinted(pass, notes), body));
                self.move_by(pass.stage, &[TextureRole::Emissive], None);
            }
        }
        true
    }

    fn add(&mut self, pass: &Active<'_>, light: ImageProgram, body: &Body) {
        if let Some(glow) = self.emissive_map.take() {
            self.emissive_map = Some(MtrLayer { image: glow.image.plus(light), ..glow });
            return;
        }
        self.emissive_map = Some(layer(pass, light, body));
        let is_moving = matches!(pass.stage.blend, Blend::Add | Blend::AddByAlpha);
        let color = is_moving.then_some(StageColor::LightOnTop);
        self.move_by(pass.stage, &[TextureRole::Emissive], color);
        if pass.stage.blend == Blend::Add
            && let Some(motion) = self.stages.last_mut().filter(|own| own.colors == color)
        {
            motion.color[3] = Formula::Number(1.0);
        }
    }

    fn multiply(&mut self, factor: &ImageProgram) {
        // If a surface has emission only, its other picture is its alpha.
        let diffuse = self.diffuse.as_mut().filter(|_| !self.is_unlit);
        for layer in diffuse.into_iter().chain(&mut self.specular).chain(&mut self.emissive_map) {
            layer.image = layer.image.clone().times(factor.clone());
        }
    }
}

/// True if a stage may be active and has anything to draw.
fn draws(stage: &Stage) -> bool {
    stage.may_be_on() && stage.blend != Blend::Nothing && stage.map.is_some()
}

/// The stage if it may be on and has a picture.
fn active<'b>(stage: &'b Stage, notes: &mut Notes) -> Option<Active<'b>> {
    if let Some(condition) = &stage.condition {
        let state = match (condition.is_moving(), condition.at(0.0) == 0.0) {
            (true, _) => "on and off",
            (false, true) => "off",
            (false, false) => "on",
        };
        notes.given(stage, &format!("stage is {state}: its condition"), condition.assumed());
        if !stage.may_be_on() {
            return None;
        }
    }
    let image = match stage.map.as_ref()? {
        Map::Image(image) => image,
        Map::Other(what) => {
            notes.warn(stage, format!("stage skipped: it shows {what}, not a picture"));
            return None;
        }
    };
    if let Some(path) = image.as_path()
        && path.starts_with('_')
        && super::builtin_image(path).is_none()
    {
        notes.warn(stage, format!("stage skipped: {path} is generated by the engine"));
        return None;
    }
    if let Some(texgen) =
        stage.texgen.as_deref().filter(|kind| !kind.eq_ignore_ascii_case("normal"))
    {
        notes.warn(
            stage,
            format!("stage skipped: its texture coordinates are generated by {texgen}"),
        );
        return None;
    }
    for (change, numbers) in &stage.coordinates {
        let assumed = numbers.iter().find_map(Formula::assumed);
        notes.given(stage, &format!("{} of texture coordinates", change.name()), assumed);
    }
    Some(Active { stage, image })
}

fn layer(active: &Active<'_>, image: ImageProgram, body: &Body) -> MtrLayer {
    let stage = active.stage;
    MtrLayer { position: stage.position, image, is_clamped: stage.clamp || body.clamp }
}

/// The picture of a stage with a role of its own: times the stage's colour, unless that moves and
/// the material has it.
fn own_picture(active: &Active<'_>, notes: &mut Notes) -> ImageProgram {
    if active.stage.has_moving_color() {
        notes.given_color(active.stage);
        return active.image.clone();
    }
    tinted(active, notes)
}

/// The picture of a stage times the stage's colour at time 0.
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

/// The value of a formula at time 0, 0 to 1.
#[expect(clippy::cast_possible_truncation, reason = "0..=1 rounds to the nearest f32")]
fn share(formula: &Formula) -> f32 {
    clamp(formula.at(0.0) as f32, 0.0, 1.0)
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
        Blend::Other(factors) => return format!("stage skipped: it blends {image} by {factors}"),
        _ => "draws over all",
    };
    format!("stage skipped: outside the surface it {how} {image}")
}

/// Notes of stages.
struct Notes(Vec<Note>);

impl Notes {
    fn warn(&mut self, stage: &Stage, what: String) {
        self.0.push(Note { position: stage.position, message: what, is_warning: true });
    }

    /// Notes the first channel of a stage's colour known only to a game.
    fn given_color(&mut self, stage: &Stage) {
        let assumed = stage.color.iter().find_map(Formula::assumed);
        self.given(stage, "colour of the stage", assumed);
    }

    /// Notes a value that only a game knows; silence causes a warning.
    fn given(&mut self, stage: &Stage, what: &str, assumed: Option<String>) {
        if let Some(assumed) = assumed {
            let is_warning = assumed.starts_with("sound,");
            let message = format!("{what} depends on {assumed}");
            self.0.push(Note { position: stage.position, message, is_warning });
        }
    }
}
