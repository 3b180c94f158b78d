//! Models as read: poses and normals against an independent `f64` reference and against `assimp`,
//! the faults of a rig, and layers of clips.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "../support/held.rs"]
mod held;
#[path = "../support/json_schema.rs"]
mod json_schema;
#[path = "../reference/mod.rs"]
mod reference;
#[path = "../support/mod.rs"]
mod support;

mod cloud;
#[allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an oracle in `f64`, whose last digit does not matter; a test stops at the first surprise"
)]
mod gltf;
#[allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a comparison with another program"
)]
mod tangents;
#[allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
mod validator;
#[allow(clippy::cast_precision_loss, reason = "counts of pixels")]
mod twins;
#[allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an oracle in `f64`, whose last digit does not matter; a test stops at the first surprise"
)]
mod pictures;
mod md5;
#[allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a reader of its own, whose last digit does not matter; a test stops at the first surprise"
)]
mod quake;
#[allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a reader of its own, whose last digit does not matter; a test stops at the first surprise"
)]
mod meshes;
mod x;
mod inspect;
#[allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "an oracle in `f64`, whose last digit does not matter; a test stops at the first surprise"
)]
mod layers;
#[allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "an oracle in `f64`, whose last digit does not matter; a test stops at the first surprise"
)]
mod framing;
mod orientation;

fn main() {
    support::run();
}
