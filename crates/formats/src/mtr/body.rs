//! The block of one material as in the file: its keywords, and its stages in order.
//!
//! Input: tokens after the opening brace. Output: a [`Body`] that mirrors the block without
//! judgement, with notes about ignored words. `build` resolves the parts of a picture.

use super::error::MtrError;
use super::expression;
use super::keyword::{self, Arguments};
use super::lexer::Lexer;
use super::material::{FindTable, Note};
use super::program::{self, ImageProgram, expect};
use crate::text::SourcePosition;
use crate::text::quoted;
use crate::text::{Token, TokenKind};
use tintype_model::{CoordinateChange, CullMode, Formula};

/// The block of one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Body {
    pub(super) stages: Vec<Stage>,
    pub(super) cull: Option<CullMode>,
    pub(super) translucent: bool,
    pub(super) clamp: bool,
    pub(super) editor_image: Option<ImageProgram>,
    pub(super) notes: Vec<Note>,
}

impl Body {
    /// Connects the look-ups of all formulas to their tables.
    pub(super) fn bind(&mut self, find: &mut FindTable<'_>) {
        self.stages.iter_mut().for_each(|stage| stage.bind(find));
    }
}

/// Blending of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Blend {
    /// Colour under light.
    Diffuse,
    /// The normal map.
    Bump,
    /// The colour of highlights.
    Specular,
    /// Drawn as it is.
    Replace,
    /// Covers by its alpha.
    Cover,
    /// Added to the stages below.
    Add,
    /// Added by its alpha.
    AddByAlpha,
    /// Multiplied with the stages below.
    Filter,
    /// Changes no pixel.
    Nothing,
    /// Any other two factors, as written.
    Other(String),
}

/// Source of the picture of a stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Map {
    Image(ImageProgram),
    /// An input that no file contains, in words.
    Other(&'static str),
}

/// One stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stage {
    pub(super) position: SourcePosition,
    /// Its number in the material, from 1.
    pub(super) number: usize,
    pub(super) blend: Blend,
    pub(super) map: Option<Map>,
    /// Red, green, blue, alpha.
    pub(super) color: [Formula; 4],
    pub(super) alpha_test: Option<Formula>,
    pub(super) condition: Option<Formula>,
    pub(super) clamp: bool,
    /// Changes of texture coordinates, the last one first.
    pub(super) coordinates: Vec<(CoordinateChange, [Formula; 2])>,
    /// Generator of the texture coordinates, as written. None if they come from the mesh.
    pub(super) texgen: Option<String>,
}

impl Stage {
    /// Connects the look-ups of its formulas to their tables.
    fn bind(&mut self, find: &mut FindTable<'_>) {
        let places = self.coordinates.iter_mut().flat_map(|(_, numbers)| numbers);
        let tests = self.alpha_test.iter_mut().chain(&mut self.condition);
        self.color.iter_mut().chain(places).chain(tests).for_each(|formula| formula.bind(find));
    }

    fn new(position: SourcePosition, blend: Blend) -> Self {
        Self {
            position,
            number: 0,
            blend,
            map: None,
            color: [1.0; 4].map(Formula::Number),
            alpha_test: None,
            condition: None,
            clamp: false,
            coordinates: Vec::new(),
            texgen: None,
        }
    }
}

/// Reads a block up to its closing brace.
pub(super) fn read(lexer: &mut Lexer<'_>) -> Result<Body, MtrError> {
    let mut body = Body::default();
    loop {
        let token = lexer.next_token()?;
        if token.is_symbol("}") {
            return Ok(body);
        }
        if token.is_symbol("{") {
            let stage = read_stage(lexer, token.position, &mut body.notes)?;
            let number = body.stages.len() + 1;
            body.stages.push(Stage { number, ..stage });
            continue;
        }
        if !token.is_name() {
            return Err(token.unexpected("a keyword, a stage in braces or a closing brace").into());
        }
        let is = |word: &str| token.text.eq_ignore_ascii_case(word.as_bytes());
        let shortcuts = [
            ("diffusemap", Blend::Diffuse),
            ("bumpmap", Blend::Bump),
            ("specularmap", Blend::Specular),
        ];
        if let Some((_, blend)) = shortcuts.into_iter().find(|(word, _)| is(word)) {
            let map = Some(Map::Image(program::read(lexer)?));
            let number = body.stages.len() + 1;
            body.stages.push(Stage { map, number, ..Stage::new(token.position, blend) });
        } else if is("qer_editorimage") {
            body.editor_image = Some(program::read(lexer)?);
        } else if is("twosided") {
            body.cull = Some(CullMode::None);
        } else if is("backsided") {
            body.cull = Some(CullMode::Front);
        } else if is("translucent") {
            body.translucent = true;
        } else if is("clamp") || is("zeroclamp") || is("alphazeroclamp") {
            body.clamp = true;
        } else {
            match keyword::arguments(&keyword::MATERIAL, token.text) {
                Some(arguments) => skip(lexer, arguments)?,
                None => skip_unknown(lexer, &token, "a material", &mut body.notes)?,
            }
        }
    }
}

fn read_stage(
    lexer: &mut Lexer<'_>,
    position: SourcePosition,
    notes: &mut Vec<Note>,
) -> Result<Stage, MtrError> {
    let mut stage = Stage::new(position, Blend::Replace);
    loop {
        let token = lexer.next_token()?;
        if token.is_symbol("}") {
            return Ok(stage);
        }
        if !token.is_name() {
            return Err(token.unexpected("a keyword of a stage or a closing brace").into());
        }
        let is = |word: &str| token.text.eq_ignore_ascii_case(word.as_bytes());
        if is("blend") {
            stage.blend = read_blend(lexer)?;
        } else if is("map") {
            stage.map = Some(Map::Image(program::read(lexer)?));
        } else if let Some(channels) = channels(token.text) {
            stage.read_color(lexer, channels, is("color"))?;
        } else if is("alphatest") {
            stage.alpha_test = Some(expression::read(lexer)?);
        } else if is("if") {
            stage.condition = Some(expression::read(lexer)?);
        } else if is("clamp") || is("zeroclamp") || is("alphazeroclamp") {
            stage.clamp = true;
        } else if is("texgen") {
            let kind = name(lexer, "normal, reflect, skybox or wobbleSky")?;
            if kind.is_keyword("wobblesky") {
                for _ in 0..3 {
                    expression::read(lexer)?;
                }
            }
            stage.texgen = Some(kind.name());
        } else if let Some((_, what, arguments)) =
            keyword::OTHER_MAPS.into_iter().find(|(word, ..)| is(word))
        {
            skip(lexer, arguments)?;
            stage.map = Some(Map::Other(what));
        } else if let Some((_, change)) =
            keyword::COORDINATE_CHANGES.into_iter().find(|(word, _)| is(word))
        {
            let mut numbers = expressions(lexer, if change.has_one() { 1 } else { 2 })?.into_iter();
            let numbers = [(); 2].map(|()| numbers.next().unwrap_or(Formula::Number(0.0)));
            stage.coordinates.push((change, numbers));
        } else {
            match keyword::arguments(&keyword::STAGE, token.text) {
                Some(arguments) => skip(lexer, arguments)?,
                None => skip_unknown(lexer, &token, "a stage", notes)?,
            }
        }
    }
}

impl Stage {
    /// Reads some channels of the colour; `are_listed` if each has a value of its own, separated by
    /// commas.
    fn read_color(
        &mut self,
        lexer: &mut Lexer<'_>,
        channels: &[usize],
        are_listed: bool,
    ) -> Result<(), MtrError> {
        for (position, &channel) in channels.iter().enumerate() {
            if position > 0 && are_listed {
                expect(lexer, ",", "a comma and the next channel of the colour")?;
            }
            // `rgb` and `rgba` set all to one value.
            let value = match (position > 0 && !are_listed).then(|| self.color.first()) {
                Some(Some(first)) => first.clone(),
                _ => expression::read(lexer)?,
            };
            if let Some(slot) = self.color.get_mut(channel) {
                *slot = value;
            }
        }
        Ok(())
    }
}

/// The channels that a word sets.
fn channels(word: &[u8]) -> Option<&'static [usize]> {
    const WORDS: [(&str, &[usize]); 7] = [
        ("red", &[0]),
        ("green", &[1]),
        ("blue", &[2]),
        ("alpha", &[3]),
        ("rgb", &[0, 1, 2]),
        ("rgba", &[0, 1, 2, 3]),
        ("color", &[0, 1, 2, 3]),
    ];
    let known = WORDS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known.as_bytes()));
    known.map(|(_, channels)| *channels)
}

fn read_blend(lexer: &mut Lexer<'_>) -> Result<Blend, MtrError> {
    const EXPECTED: &str = "diffusemap, bumpmap, specularmap, add, blend, filter, modulate, none, or two factors such as gl_one, gl_zero";
    let first = name(lexer, EXPECTED)?;
    let words = [
        ("diffusemap", Blend::Diffuse),
        ("bumpmap", Blend::Bump),
        ("specularmap", Blend::Specular),
        // Later engines also know these.
        ("basecolormap", Blend::Diffuse),
        ("normalmap", Blend::Bump),
        ("rmaomap", Blend::Other("roughness, metal and occlusion".to_owned())),
        ("add", Blend::Add),
        ("blend", Blend::Cover),
        ("filter", Blend::Filter),
        ("modulate", Blend::Filter),
        ("none", Blend::Nothing),
    ];
    if let Some((_, blend)) =
        words.into_iter().find(|(word, _)| first.text.eq_ignore_ascii_case(word.as_bytes()))
    {
        return Ok(blend);
    }
    let is_factor = |token: &Token<'_>| {
        token.text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"gl_"))
    };
    if !is_factor(&first) {
        return Err(first.unexpected(EXPECTED).into());
    }
    expect(lexer, ",", "a comma and the second factor")?;
    let second = name(lexer, "the second factor, such as gl_one")?;
    let factors = [first.name().to_ascii_lowercase(), second.name().to_ascii_lowercase()];
    Ok(match [factors[0].as_str(), factors[1].as_str()] {
        ["gl_one", "gl_zero"] => Blend::Replace,
        ["gl_src_alpha", "gl_one_minus_src_alpha"] => Blend::Cover,
        ["gl_one", "gl_one"] => Blend::Add,
        ["gl_src_alpha", "gl_one"] => Blend::AddByAlpha,
        ["gl_dst_color", "gl_zero"] | ["gl_zero", "gl_src_color"] => Blend::Filter,
        ["gl_zero", "gl_one"] => Blend::Nothing,
        _ => Blend::Other(factors.join(", ")),
    })
}

fn name<'a>(lexer: &mut Lexer<'a>, expected: &str) -> Result<Token<'a>, MtrError> {
    let token = lexer.next_token()?;
    if token.is_name() { Ok(token) } else { Err(token.unexpected(expected).into()) }
}

fn expressions(lexer: &mut Lexer<'_>, count: usize) -> Result<Vec<Formula>, MtrError> {
    let mut values = Vec::new();
    for position in 0..count {
        if position > 0 {
            expect(lexer, ",", "a comma and the next number")?;
        }
        values.push(expression::read(lexer)?);
    }
    Ok(values)
}

/// Skips the arguments of a keyword without effect here.
fn skip(lexer: &mut Lexer<'_>, arguments: Arguments) -> Result<(), MtrError> {
    match arguments {
        Arguments::None => {}
        Arguments::Word => {
            name(lexer, "a word")?;
        }
        Arguments::TwoWords => {
            name(lexer, "a word")?;
            name(lexer, "a second word")?;
        }
        Arguments::WordOnLine => {
            if lexer.has_more_on_line()? && lexer.peek()?.is_name() {
                lexer.next_token()?;
            }
        }
        Arguments::Line => skip_line(lexer)?,
        Arguments::Program => {
            program::read(lexer)?;
        }
        Arguments::Expressions(count) => {
            expressions(lexer, count)?;
        }
        Arguments::Decal => {
            name(lexer, "a number")?;
            name(lexer, "a number")?;
            for _ in 0..2 {
                expect(lexer, "(", "a colour in parentheses")?;
                while !lexer.next_token()?.is_symbol(")") {
                    let next = lexer.peek()?;
                    if !next.is_name() && !next.is_symbol(")") && !next.is_symbol(",") {
                        return Err(next.unexpected("a closing parenthesis").into());
                    }
                }
            }
        }
    }
    Ok(())
}

/// Skips the rest of the line, up to a brace.
fn skip_line(lexer: &mut Lexer<'_>) -> Result<(), MtrError> {
    while lexer.has_more_on_line()? {
        let next = lexer.peek()?;
        if next.is_symbol("{") || next.is_symbol("}") || next.kind == TokenKind::End {
            break;
        }
        lexer.next_token()?;
    }
    Ok(())
}

fn skip_unknown(
    lexer: &mut Lexer<'_>,
    token: &Token<'_>,
    of: &str,
    notes: &mut Vec<Note>,
) -> Result<(), MtrError> {
    let message = format!(
        "unknown keyword {} of {of}: skipped with the rest of its line",
        quoted(token.text)
    );
    notes.push(Note { position: token.position, message, is_warning: true });
    skip_line(lexer)
}
