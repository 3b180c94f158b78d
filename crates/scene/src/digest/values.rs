//! Values of a scene as words of its digest: numbers read back to the same bits.

use crate::canonical::{number, quoted, rgb, single};
use crate::clip_word::ClipChoice;
use crate::instance::Placement;
use crate::layer::AnimatedNumber;
use crate::model::SetChoice;
use crate::motion::{Motion, Rotation, Switch, VectorKeys};
use crate::value::Ramp;
use crate::words::{FileAxis, RootMotion, wrap_word};
use tintype_model::math::{Quat, Vec3};
use tintype_model::{AlphaMode, CullMode, LinearRgb, TextureFilter, Wrap};

/// A value that digests have.
pub(super) trait Said {
    /// Its words.
    fn said(&self) -> String;
}

impl<T: Said + ?Sized> Said for &T {
    fn said(&self) -> String {
        (**self).said()
    }
}

impl<T: Said, const N: usize> Said for [T; N] {
    fn said(&self) -> String {
        self.each_ref().map(Said::said).join(" ")
    }
}

impl<T: Said> Said for Vec<T> {
    fn said(&self) -> String {
        self.iter().map(Said::said).collect::<Vec<_>>().join(" ")
    }
}

macro_rules! said {
    ($($type:ty: |$value:pat_param| $words:expr;)*) => {$(
        impl Said for $type {
            fn said(&self) -> String {
                let $value = self;
                $words
            }
        }
    )*};
}

said! {
    bool: |value| value.to_string();
    usize: |value| value.to_string();
    f64: |value| number(*value);
    f32: |value| single(*value);
    String: |text| quoted(text);
    LinearRgb: |color| rgb(*color);
    Vec3: |vector| vector.to_array().said();
    Quat: |turn| turn.to_array().said();
    FileAxis: |axis| axis.word().to_owned();
    RootMotion: |root| root.word().to_owned();
    TextureFilter: |filter| filter.name().to_owned();
    Wrap: |wrap| wrap_word(*wrap).to_owned();
    AlphaMode: |alpha| match alpha {
        AlphaMode::Mask { cutoff } => format!("mask {}", cutoff.said()),
        other => other.name().to_owned(),
    };
    CullMode: |cull| match cull {
        CullMode::Auto => "auto",
        CullMode::Back => "back",
        CullMode::Front => "front",
        CullMode::None => "none",
    }.to_owned();
    AnimatedNumber: |level| match level {
        AnimatedNumber::Ramp(value) => value.said(),
        AnimatedNumber::Keys { keys, easing } => format!("{} {}", easing.word(), keys_said(keys)),
    };
    Motion: |motion| match motion {
        Motion::Ramps(ramps) => ramps.said(),
        Motion::Keys(VectorKeys { keys, smooth, is_bounded: _ }) => {
            format!("{} {}", if *smooth { "smooth" } else { "linear" }, keys_said(keys))
        }
    };
    Switch: |switch| match switch {
        Switch::Constant(value) => value.said(),
        Switch::Steps(steps) => keys_said(steps),
    };
    Ramp: |ramp| match ramp {
        Ramp::Constant(value) => value.said(),
        Ramp::Range { from, to } => format!("{}..{}", from.said(), to.said()),
        Ramp::Steps { from, to, steps } => format!("{}..{} in {steps} steps", from.said(), to.said()),
    };
    ClipChoice: |clip| match clip {
        ClipChoice::Bind => "bind".to_owned(),
        ClipChoice::Rest => "rest".to_owned(),
        ClipChoice::Clip(index) => index.to_string(),
        ClipChoice::First => "first".to_owned(),
        ClipChoice::Wanted(index) => format!("wanted {index}"),
    };
    SetChoice: |choice| match choice {
        SetChoice::Name(name) => name.said(),
        SetChoice::Index(index) => index.to_string(),
    };
}

fn keys_said<T: Said>(keys: &[(f64, T)]) -> String {
    let key = |(at_s, value): &(f64, T)| format!("{}: {}", at_s.said(), value.said());
    keys.iter().map(key).collect::<Vec<_>>().join(", ")
}

/// Position, rotation and scale of a placement; constants are written as before other motions
/// existed.
pub(super) fn placement_values(placement: &Placement) -> [String; 3] {
    let Placement { position, rotation, scale, matrix: _ } = placement;
    let position = match position.as_constant() {
        Some(position) => position.map(crate::bounds::narrow).said(),
        None => position.said(),
    };
    let rotation = match rotation {
        Rotation::Angles(angles) => angles.said(),
        Rotation::Turns(keys) => format!("turns {}", keys_said(keys)),
    };
    let scale = match scale {
        Motion::Ramps([x, y, z]) if x == y && y == z => x.said(),
        scale => scale.said(),
    };
    [position, rotation, scale]
}

/// Softness of a shadow in degrees, and the texels of its map.
pub(super) fn cast_shadow(size: Option<u32>, softness_deg: f32) -> String {
    let texels = size.map_or("by picture".to_owned(), |size| format!("{size} texels"));
    format!("{} deg, {texels}", single(softness_deg))
}

/// Wrap mode; the default is that of the clip's file, which has a separate digest, otherwise a
/// loop.
pub(super) fn instance_wrap_word(wrap: Option<Wrap>) -> &'static str {
    match wrap {
        None => "loop",
        Some(Wrap::Loop) => "always loop",
        Some(wrap) => wrap_word(wrap),
    }
}
