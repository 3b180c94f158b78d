//! Keywords without effect on our pictures, with their arguments.
//!
//! They concern collision, sound, shadows, sorting, fog, GUIs, particles and graphics cards. They
//! are ignored silently; a keyword in none of these tables causes a warning.

use tintype_model::CoordinateChange;

/// Arguments of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arguments {
    /// No arguments.
    None,
    /// One word or text.
    Word,
    /// Two words or texts.
    TwoWords,
    /// One word or text, if it is on the same line.
    WordOnLine,
    /// The rest of the line.
    Line,
    /// An image program.
    Program,
    /// This many expressions with commas between them.
    Expressions(usize),
    /// Two numbers and two colours in parentheses.
    Decal,
}

use Arguments::{Decal, Expressions, Line, None, Program, TwoWords, Word, WordOnLine};

/// Words of a material outside of its stages.
pub(super) const MATERIAL: [(&str, Arguments); 78] = [
    ("aasobstacle", None),
    ("aassolid", None),
    ("ambientlight", None),
    ("ambientrimcolor", Expressions(3)),
    ("areaportal", None),
    ("blendlight", None),
    ("blood", None),
    ("cardboard", None),
    ("collision", None),
    ("decal_macro", None),
    ("decalinfo", Decal),
    ("deform", Line),
    ("description", Word),
    ("discrete", None),
    ("flashlight_trigger", None),
    ("flesh", None),
    ("foglight", None),
    ("forceopaque", None),
    ("forceoverlays", None),
    ("forceshadows", None),
    ("frobstage_diffuse", Line),
    ("frobstage_none", None),
    ("frobstage_texture", Line),
    ("glass", None),
    ("guisurf", Word),
    ("ikclip", None),
    ("islandkey", None),
    ("islightgemsurf", None),
    ("ladder", None),
    ("lightfalloffcubemap", Word),
    ("lightfalloffimage", Program),
    ("liquid", None),
    ("metal", None),
    ("mirror", None),
    ("monsterclip", None),
    ("moveableclip", None),
    ("nodamage", None),
    ("nofog", None),
    ("nofragment", None),
    ("noimpact", None),
    ("nonsolid", None),
    ("nooverlays", None),
    ("noportalfog", None),
    ("noselfshadow", None),
    ("noshadows", None),
    ("nosteps", None),
    ("nullnormal", None),
    ("plastic", None),
    ("playerclip", None),
    ("polygonoffset", WordOnLine),
    ("portalsky", None),
    ("projectileclip", None),
    ("qer_nocarve", None),
    ("qer_trans", WordOnLine),
    ("renderbump", Line),
    ("renderbumpflat", Line),
    ("ricochet", None),
    ("slick", None),
    ("solid", None),
    ("sort", Word),
    ("spectrum", Word),
    ("stone", None),
    ("surftype10", None),
    ("surftype11", None),
    ("surftype12", None),
    ("surftype13", None),
    ("surftype14", None),
    ("surftype15", None),
    ("trigger", None),
    ("unsmoothedtangents", None),
    ("uncompressed", None),
    ("highquality", None),
    ("forcehighquality", None),
    ("nopicmip", None),
    ("nearest", None),
    ("linear", None),
    ("water", None),
    ("wood", None),
];

/// Words of a stage.
pub(super) const STAGE: [(&str, Arguments); 28] = [
    ("colored", None),
    ("cubemapsize", Word),
    ("forcehighquality", None),
    ("fragmentmap", Line),
    ("fragmentprogram", Word),
    ("glslprogram", Word),
    ("highquality", None),
    ("ignorealphatest", None),
    ("ignoredepth", None),
    ("inversevertexcolor", None),
    ("linear", None),
    ("maskalpha", None),
    ("maskblue", None),
    ("maskcolor", None),
    ("maskdepth", None),
    ("maskgreen", None),
    ("maskred", None),
    ("megatexture", Word),
    ("nearest", None),
    ("nomips", None),
    ("noclamp", None),
    ("nopicmip", None),
    ("privatepolygonoffset", WordOnLine),
    ("program", Word),
    ("uncompressed", None),
    ("vertexcolor", None),
    ("vertexparm", Line),
    ("vertexprogram", Word),
];

/// The words of a stage that change its texture coordinates.
pub(super) const COORDINATE_CHANGES: [(&str, CoordinateChange); 6] = [
    ("centerscale", CoordinateChange::CenterScale),
    ("rotate", CoordinateChange::Rotate),
    ("scale", CoordinateChange::Scale),
    ("scroll", CoordinateChange::Translate),
    ("shear", CoordinateChange::Shear),
    ("translate", CoordinateChange::Translate),
];

/// The words of a stage for pictures from other sources than flat files.
pub(super) const OTHER_MAPS: [(&str, &str, Arguments); 6] = [
    ("cameracubemap", "a cube map", Word),
    ("cubemap", "a cube map", Word),
    ("mirrorrendermap", "a mirror", TwoWords),
    ("remoterendermap", "the view of a camera", TwoWords),
    ("soundmap", "a sound", WordOnLine),
    ("videomap", "a film", Line),
];

/// Arguments of a keyword of a table.
pub(super) fn arguments(table: &[(&str, Arguments)], word: &[u8]) -> Option<Arguments> {
    let known = table.iter().find(|(known, _)| word.eq_ignore_ascii_case(known.as_bytes()));
    known.map(|(_, arguments)| *arguments)
}
