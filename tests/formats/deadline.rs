//! Reading with a deadline stops within any of its steps, and names the step. A result in time is
//! the same, to the bit, as without a deadline.
//!
//! No clock is used here: the deadline counts checks, so any of them can be the one where it
//! passes.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "tests make numbers of known size"
)]

use crate::support::trial;
use std::collections::BTreeSet;
use std::fmt::Write;
use tintype_base::deadline::{Deadline, TimedOut};
use tintype_formats::image::{ImageError, decode};
use tintype_formats::md5::{Md5Error, parse_anim, parse_mesh};
use tintype_formats::x::{XError, parse_model};
use tintype_formats::{LimitName, LoadOptions};
use tintype_model::frame::Frame;
use tintype_model::{Image, Texture, TextureKind};
use tintype_output::{PngEffort, encode_png};

/// Repeats some work with the deadline after 0, 1, 2, ... checks, with growing steps, until it
/// succeeds, and returns the stages where it timed out. `done` returns the result as text, or the
/// timeout.
fn stages(done: impl Fn(Deadline) -> Result<String, TimedOut>) -> BTreeSet<&'static str> {
    let whole = done(Deadline::NEVER).unwrap();
    let mut found = BTreeSet::new();
    let mut checks = 0_usize;
    loop {
        match done(Deadline::after_checks(checks)) {
            Err(late) => found.insert(late.stage),
            Ok(result) => {
                assert!(result == whole, "what ends in time is the same");
                return found;
            }
        };
        checks += 1 + checks / 64;
    }
}

fn within(deadline: Deadline) -> LoadOptions {
    LoadOptions::default().with_deadline(deadline).with_limit(LimitName::Influences, usize::MAX)
}

/// A wavy sheet of `side` x `side` vertices, as lines that `vertex` and `triangle` write.
fn sheet(
    side: usize,
    mut vertex: impl FnMut(usize, [usize; 3]),
    mut triangle: impl FnMut(usize, [usize; 3]),
) {
    for at in 0..side * side {
        vertex(at, [at % side, at / side, at * 7 % 5]);
    }
    for at in 0..(side - 1) * (side - 1) {
        let corner = at / (side - 1) * side + at % (side - 1);
        triangle(2 * at, [corner, corner + 1, corner + side]);
        triangle(2 * at + 1, [corner + 1, corner + side + 1, corner + side]);
    }
}

#[trial]
fn md5mesh_stops_within_each_of_its_steps() {
    const SIDE: usize = 160;
    let (mut vertices, mut triangles, mut weights) = (String::new(), String::new(), String::new());
    let count = (SIDE - 1) * (SIDE - 1) * 2;
    sheet(
        SIDE,
        |at, [x, y, z]| {
            let (u, v) = (x as f32 / 9.0, y as f32 / 9.0);
            writeln!(vertices, "vert {at} ( {u} {v} ) {at} 1").unwrap();
            writeln!(weights, "weight {at} 0 1 ( {x} {y} {z} )").unwrap();
        },
        |at, [a, b, c]| writeln!(triangles, "tri {at} {a} {b} {c}").unwrap(),
    );
    let text = format!(
        "MD5Version 10 numJoints 1 numMeshes 1 joints {{ \"j\" -1 ( 0 0 0 ) ( 0 0 0 ) }} mesh {{ shader \"s\"
         numverts {0}\n{vertices} numtris {count}\n{triangles} numweights {0}\n{weights} }}",
        SIDE * SIDE
    );
    let found = stages(|deadline| match parse_mesh(text.as_bytes(), &within(deadline)) {
        Ok(loaded) => Ok(format!("{loaded:?}")),
        Err(Md5Error::TimedOut(late)) => Err(late),
        Err(error) => panic!("{error}"),
    });
    for stage in [
        "reading it",
        "handing weights to vertices",
        "placing vertices",
        "welding vertices",
        "measuring faces",
        "sorting faces by their vertices",
        "computing normals",
        "looking whether it is closed",
        "finding mirrored faces",
        "computing tangents",
        "carrying normals into the joints",
    ] {
        assert!(found.contains(stage), "{stage}: {found:?}");
    }
}

#[trial]
fn md5mesh_stops_where_few_weights_are_shared_by_many_vertices() {
    let weights: String = (0..1000).map(|k| format!("weight {k} 0 0.001 ( {k} 1 2 )\n")).collect();
    let vertices: String = (0..1500).map(|k| format!("vert {k} ( 0 0 ) 0 1000\n")).collect();
    let text = format!(
        "MD5Version 10 numJoints 1 numMeshes 1 joints {{ \"j\" -1 ( 0 0 0 ) ( 0 0 0 ) }} mesh {{ shader \"s\"
         numverts 1500\n{vertices} numtris 0 numweights 1000\n{weights} }}"
    );
    let checks = |checks| parse_mesh(text.as_bytes(), &within(Deadline::after_checks(checks)));
    // A million and a half influences fit a file of 50 KB: it is not read within a few checks.
    for few in 0..20 {
        let Err(Md5Error::TimedOut(_)) = checks(few) else { panic!("done within {few} checks") };
    }
    assert!(checks(usize::MAX).is_ok());
}

#[trial]
fn md5anim_stops_within_each_of_its_steps() {
    let frames: String =
        (0..30_000).map(|k| format!("frame {k} {{ {} {} }}\n", k % 7, k % 9)).collect();
    let text = format!(
        "MD5Version 10 numFrames 30000 numJoints 1 frameRate 24 numAnimatedComponents 2
         hierarchy {{ \"j\" -1 9 0 }} baseframe {{ ( 0 0 0 ) ( 0 0 0 ) }}\n{frames}"
    );
    let found = stages(|deadline| match parse_anim(text.as_bytes(), &within(deadline)) {
        Ok(loaded) => Ok(format!("{loaded:?}")),
        Err(Md5Error::TimedOut(late)) => Err(late),
        Err(error) => panic!("{error}"),
    });
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["building keys", "reading it"]);
}

fn x_stages(text: &[u8]) -> BTreeSet<&'static str> {
    stages(|deadline| match parse_model(text, None, &within(deadline)) {
        Ok(loaded) => Ok(format!("{loaded:?}")),
        Err(XError::TimedOut(late)) => Err(late),
        Err(error) => panic!("{error}"),
    })
}

#[trial]
fn x_mesh_stops_within_each_of_its_steps() {
    const SIDE: usize = 140;
    let (mut vertices, mut faces) = (String::new(), String::new());
    let count = (SIDE - 1) * (SIDE - 1) * 2;
    sheet(
        SIDE,
        |_, [x, y, z]| writeln!(vertices, "{x};{y};{z};,").unwrap(),
        |_, [a, b, c]| writeln!(faces, "3;{a},{b},{c};,").unwrap(),
    );
    let objects: String =
        (0..9000).map(|k| format!("Note n{} {{ {{ n1 }} }}\n", k * 7 % 9000)).collect();
    let text = format!(
        "xof 0303txt 0032\nFrame f {{ Mesh {{ {};\n{vertices};{count};\n{faces};; }} }}\n{objects}",
        SIDE * SIDE,
    );
    let found = x_stages(text.as_bytes());
    for stage in [
        "reading values",
        "reading objects",
        "looking for what names mean",
        "building frames",
        "building from values",
        "handing weights to vertices",
        "cutting faces into triangles",
        "welding vertices",
        "computing normals",
        "carrying normals into the joints",
    ] {
        assert!(found.contains(stage), "{stage}: {found:?}");
    }
}

#[trial]
fn x_clip_stops_within_each_of_its_steps() {
    const KEYS: usize = 150_000;
    let keys: String = (0..KEYS).map(|k| format!("{};3;{k},0,1;;,\n", KEYS - k)).collect();
    let matrices: String =
        (0..9000).map(|k| format!("{k};16;1,0.5,0,0,0,1,0,0,0,0,1,0,{k},0,0,1;;,\n")).collect();
    let text = format!(
        "xof 0303txt 0032\nFrame f {{ }} Frame g {{ }}
         AnimationSet s {{ Animation {{ {{ f }} AnimationKey {{ 2; {KEYS}; {keys}; }} }}
         Animation {{ {{ g }} AnimationKey {{ 4; 9000; {matrices}; }} }} }}"
    );
    let found = x_stages(text.as_bytes());
    for stage in [
        "reading values",
        "building from values",
        "sorting keys",
        "taking matrices apart",
        "sorting times",
        "building clips",
    ] {
        assert!(found.contains(stage), "{stage}: {found:?}");
    }
}

#[trial]
fn x_stops_within_a_polygon_that_is_hard_to_cut() {
    const CORNERS: usize = 2000;
    let star: String = (0..CORNERS)
        .map(|k| {
            let angle =
                tintype_model::math::func::radians((k * 151 % 360) as f32 + k as f32 / 999.0);
            let (sin, cos) =
                (tintype_model::math::func::sin(angle), tintype_model::math::func::cos(angle));
            format!("{cos};{sin};0;,\n")
        })
        .collect();
    let corners: Vec<String> = (0..CORNERS).map(|k| k.to_string()).collect();
    let text = format!(
        "xof 0303txt 0032\nMesh {{ {CORNERS};\n{star};1;{CORNERS};{};; }}",
        corners.join(",")
    );
    let found = x_stages(text.as_bytes());
    assert!(found.contains("cutting polygons"), "{found:?}");
}

#[trial]
fn picture_stops_while_it_is_decoded_and_while_its_levels_are_built() {
    const SIDE: u32 = 700;
    let rgba = (0..SIDE * SIDE).map(|k| [(k % 251) as u8, (k / 7 % 13) as u8, 0, 255]).collect();
    let frame = Frame { width: SIDE, height: SIDE, rgba };
    let png = encode_png(&frame, true, PngEffort::Fast, &[]);
    let decoded = |deadline: Deadline| -> Result<Image, TimedOut> {
        match decode(&png, "a.png", &LoadOptions::default().with_deadline(deadline)) {
            Ok(image) => Ok(image),
            Err(ImageError::TimedOut(late)) => Err(late),
            Err(error) => panic!("{error}"),
        }
    };
    let found = stages(|deadline| Ok(format!("{:?}", decoded(deadline)?)));
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["decoding a picture"]);
    let image = decoded(Deadline::NEVER).unwrap();
    let found = stages(|deadline| {
        let texture = Texture::new(&image, TextureKind::OpaqueColor, &deadline)?;
        Ok(format!("{:?}", texture.texels()))
    });
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["building mip levels"]);
}

#[trial]
fn compressed_x_stops_while_it_is_inflated() {
    let file = std::fs::read("tests/corpus/x/good/bzip64.x").unwrap();
    let found = x_stages(&file);
    assert!(found.contains("inflating it"), "{found:?}");
}
