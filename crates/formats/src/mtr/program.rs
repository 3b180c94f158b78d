//! Image programs: the argument of a `map`, from a path to nested functions of paths.

use super::error::MtrError;
use super::lexer::Lexer;
use crate::LimitExceeded;
use crate::text::Token;
use crate::text::parse_number;
use crate::text::quoted;
use tintype_model::Image;

/// The deepest nesting of functions.
const MAX_DEPTH: usize = 16;
/// Maximum number of paths and functions of one program; each is a picture in memory.
const MAX_PARTS: usize = 64;

/// Program that makes a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum ImageProgram {
    /// The picture of that path, as written; a path that begins with `_` may be a built-in picture
    /// of the engine.
    Path(String),
    /// Two normal maps, the slopes of both added.
    AddNormals(Box<[ImageProgram; 2]>),
    /// Two pictures, added code by code and clamped to 255.
    Add(Box<[ImageProgram; 2]>),
    /// The same for two stages on top of each other, in the finer size of both.
    Sum(Box<[ImageProgram; 2]>),
    /// Their colours multiplied, 255 is 1, with the alpha of the first, in the finer size of both.
    Product(Box<[ImageProgram; 2]>),
    /// One picture, changed.
    Changed(Box<ImageProgram>, Change),
}

/// Function of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Heights become a normal map; a step of 256 codes to the next pixel is a slope of this much.
    HeightMap(f64),
    /// Each normal becomes the mean of its neighbourhood.
    SmoothNormals,
    /// Each channel times a factor, clamped to 255.
    Scale([f64; 4]),
    /// Alpha becomes its complement.
    InvertAlpha,
    /// The colour becomes its complement.
    InvertColor,
    /// Red is copied to all four channels.
    MakeIntensity,
    /// The brightness becomes alpha, the colour white.
    MakeAlpha,
    /// The colour times alpha, and alpha 255.
    Weigh,
    /// The part transmitted by a covering layer: each channel is 1 minus its alpha.
    Through,
    /// No effect: a hint for graphics cards.
    Downsize,
}

impl ImageProgram {
    /// All paths in it, in order.
    #[must_use]
    pub fn paths(&self) -> Vec<&str> {
        match self {
            Self::Path(path) => vec![path],
            Self::AddNormals(both) | Self::Add(both) | Self::Sum(both) | Self::Product(both) => {
                both.iter().flat_map(Self::paths).collect()
            }
            Self::Changed(inner, _) => inner.paths(),
        }
    }

    /// The program without the pictures that are not `there`. None if nothing is left.
    #[must_use]
    pub fn without(&self, there: &mut dyn FnMut(&str) -> bool) -> Option<Self> {
        match self {
            Self::Path(path) => there(path).then(|| self.clone()),
            Self::AddNormals(both) | Self::Add(both) | Self::Sum(both) | Self::Product(both) => {
                let [a, b] = both.as_ref();
                match (self, a.without(there), b.without(there)) {
                    (Self::Add(_), Some(a), Some(b)) => Some(Self::Add(Box::new([a, b]))),
                    (Self::Sum(_), Some(a), Some(b)) => Some(a.plus(b)),
                    (Self::Product(_), Some(a), Some(b)) => Some(a.times(b)),
                    (_, Some(a), Some(b)) => Some(Self::AddNormals(Box::new([a, b]))),
                    // No factor is left.
                    (Self::Product(_), None, _) => None,
                    (_, one, other) => one.or(other),
                }
            }
            Self::Changed(inner, change) => {
                Some(Self::Changed(Box::new(inner.without(there)?), *change))
            }
        }
    }

    /// This program with a change on top.
    #[must_use]
    pub fn changed(self, change: Change) -> Self {
        Self::Changed(Box::new(self), change)
    }

    /// The sum with a picture on top.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self::Sum(Box::new([self, other]))
    }

    /// The product with a picture on top.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self::Product(Box::new([self, other]))
    }

    /// The path, if the program is a single one. None if it is processed in any way.
    #[must_use]
    pub fn as_path(&self) -> Option<&str> {
        match self {
            Self::Path(path) => Some(path),
            _ => None,
        }
    }
}

impl core::fmt::Display for ImageProgram {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Path(path) => f.write_str(path),
            Self::AddNormals(both) => write!(f, "addnormals({}, {})", both[0], both[1]),
            Self::Add(both) => write!(f, "add({}, {})", both[0], both[1]),
            // The following ones have no notation in files.
            Self::Sum(both) => write!(f, "sum({}, {})", both[0], both[1]),
            Self::Product(both) => write!(f, "product({}, {})", both[0], both[1]),
            Self::Changed(inner, change) => match change {
                Change::HeightMap(scale) => write!(f, "heightmap({inner}, {scale})"),
                Change::Scale(factors) => {
                    // As short as it was written: a stage's colour is a 32-bit number.
                    #[expect(clippy::cast_possible_truncation, reason = "for people")]
                    let [r, g, b, a] = factors.map(|factor| factor as f32);
                    write!(f, "scale({inner}, {r}, {g}, {b}, {a})")
                }
                Change::SmoothNormals => write!(f, "smoothnormals({inner})"),
                Change::InvertAlpha => write!(f, "invertAlpha({inner})"),
                Change::InvertColor => write!(f, "invertColor({inner})"),
                Change::MakeIntensity => write!(f, "makeIntensity({inner})"),
                Change::MakeAlpha => write!(f, "makeAlpha({inner})"),
                Change::Downsize => write!(f, "downsize({inner})"),
                Change::Weigh => write!(f, "weigh({inner})"),
                Change::Through => write!(f, "through({inner})"),
            },
        }
    }
}

/// The engine's built-in picture of that name, if it has a meaning here.
#[must_use]
pub fn builtin_image(path: &str) -> Option<Image> {
    let texel = match path.to_ascii_lowercase().as_str() {
        "_white" => [255; 4],
        "_black" => [0, 0, 0, 255],
        "_flat" => [128, 128, 255, 255],
        _ => return None,
    };
    Some(Image { width: 1, height: 1, rgba: vec![texel] })
}

/// Reads an image program; the rest of the text stays.
pub(super) fn read(lexer: &mut Lexer<'_>) -> Result<ImageProgram, MtrError> {
    read_nested(lexer, 0, &mut 0)
}

fn read_nested(
    lexer: &mut Lexer<'_>,
    depth: usize,
    parts: &mut usize,
) -> Result<ImageProgram, MtrError> {
    let token = lexer.next_token()?;
    let too_much = |what, found, limit| {
        Err(LimitExceeded::new(token.position, what, found, (limit, None)).into())
    };
    if depth >= MAX_DEPTH {
        return too_much("nested image functions", depth + 1, MAX_DEPTH);
    }
    *parts += 1;
    if *parts > MAX_PARTS {
        return too_much("paths and functions of one map", *parts, MAX_PARTS);
    }
    if !token.is_name() || token.text.is_empty() {
        return Err(token.unexpected("the path of a picture or an image function").into());
    }
    if !lexer.peek()?.is_symbol("(") {
        return Ok(ImageProgram::Path(token.name()));
    }
    let mut inner = |lexer: &mut Lexer<'_>| read_nested(lexer, depth + 1, parts);
    let is = |name: &str| token.is_keyword(name);
    lexer.next_token()?;
    let program = if is("addnormals") || is("add") {
        let first = inner(lexer)?;
        expect(lexer, ",", "a comma and the second picture")?;
        let both = Box::new([first, inner(lexer)?]);
        if is("add") { ImageProgram::Add(both) } else { ImageProgram::AddNormals(both) }
    } else if is("heightmap") {
        let heights = inner(lexer)?;
        expect(lexer, ",", "a comma and the scale of the heights")?;
        heights.changed(Change::HeightMap(number(lexer)?))
    } else if is("scale") {
        inner(lexer)?.changed(Change::Scale(read_factors(lexer)?))
    } else {
        const CHANGES: [(&str, Change); 6] = [
            ("smoothnormals", Change::SmoothNormals),
            ("invertalpha", Change::InvertAlpha),
            ("invertcolor", Change::InvertColor),
            ("makeintensity", Change::MakeIntensity),
            ("makealpha", Change::MakeAlpha),
            ("downsize", Change::Downsize),
        ];
        let Some((_, change)) = CHANGES.into_iter().find(|(name, _)| is(name)) else {
            return Err(unknown_function(&token));
        };
        inner(lexer)?.changed(change)
    };
    expect(lexer, ")", "a closing parenthesis")?;
    Ok(program)
}

/// One to four factors, each after a comma; missing ones are 1.
fn read_factors(lexer: &mut Lexer<'_>) -> Result<[f64; 4], MtrError> {
    let mut factors = [1.0; 4];
    expect(lexer, ",", "a comma and one to four factors")?;
    for (position, factor) in factors.iter_mut().enumerate() {
        if position > 0 {
            if !lexer.peek()?.is_symbol(",") {
                break;
            }
            lexer.next_token()?;
        }
        *factor = number(lexer)?;
    }
    Ok(factors)
}

fn unknown_function(token: &Token<'_>) -> MtrError {
    MtrError::Syntax {
        position: token.position,
        found: format!("the image function {}", quoted(token.text)),
        expected: "addnormals, heightmap, smoothnormals, add, scale, invertAlpha, invertColor, makeIntensity, \
                   makeAlpha or downsize"
            .into(),
    }
}

fn number(lexer: &mut Lexer<'_>) -> Result<f64, MtrError> {
    const MOST: f64 = 1e6;
    let token = lexer.next_token()?;
    let Some(number) = parse_number(token.text).filter(|_| token.is_name()) else {
        return Err(token.unexpected("a number").into());
    };
    if number.abs() <= MOST {
        return Ok(number);
    }
    Err(MtrError::Range {
        position: token.position,
        what: "a number of an image function",
        found: token.name(),
        expected: "-1000000 to 1000000",
    })
}

pub(super) fn expect(lexer: &mut Lexer<'_>, sign: &str, expected: &str) -> Result<(), MtrError> {
    let token = lexer.next_token()?;
    if token.is_symbol(sign) { Ok(()) } else { Err(token.unexpected(expected).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &'static str) -> Result<ImageProgram, String> {
        read(&mut Lexer::new(text.as_bytes())).map_err(|error| error.to_string())
    }

    #[test]
    fn program_nests_functions_of_any_case() {
        let text = "AddNormals( a/b-1_local.tga , HeightMap ( \"c d.tga\", 4.5 ) )";
        let found = program(text).unwrap();
        assert_eq!(found.to_string(), "addnormals(a/b-1_local.tga, heightmap(c d.tga, 4.5))");
        assert_eq!(found.paths(), ["a/b-1_local.tga", "c d.tga"]);
        let text = "makeintensity(invertcolor(scale(add(a,smoothnormals(b)), 2, .5)))";
        let expected = "makeIntensity(invertColor(scale(add(a, smoothnormals(b)), 2, 0.5, 1, 1)))";
        assert_eq!(program(text).unwrap().to_string(), expected);
        assert_eq!(
            program("heightmap").unwrap().as_path(),
            Some("heightmap"),
            "a path of that name"
        );
    }

    #[test]
    fn program_without_a_picture_keeps_the_rest() {
        let left = |text, gone: &str| {
            program(text).unwrap().without(&mut |path| path != gone).map(|left| left.to_string())
        };
        let bumps = "addnormals(a, heightmap(b, 4))";
        assert_eq!(left(bumps, "b").as_deref(), Some("a"));
        assert_eq!(left(bumps, "a").as_deref(), Some("heightmap(b, 4)"));
        assert_eq!(left(bumps, "c").as_deref(), Some(bumps));
        assert_eq!(left("heightmap(a, 4)", "a"), None);
    }

    #[test]
    fn program_that_is_broken_names_the_token() {
        for (text, start) in [
            ("heightmap(a)", "line 1, column 12: found \")\"; expected a comma and the scale"),
            ("heightmap(a, b)", "line 1, column 14: found \"b\"; expected a number"),
            ("heightmap(a, 1e9)", "line 1, column 14: a number of an image function: found 1e9"),
            ("blur(a)", "line 1, column 1: found the image function \"blur\"; expected addnormals"),
            ("add(a, )", "line 1, column 8: found \")\"; expected the path of a picture"),
            ("", "line 1, column 1: found the end of the file; expected the path"),
        ] {
            let error = program(text).unwrap_err();
            assert!(error.starts_with(start), "{text}: {error}");
        }
        let deep: &'static str = "downsize(".repeat(100_000).leak();
        assert!(program(deep).unwrap_err().contains("found 17; the limit is 16"));
    }
}
