//! Values of a scene as words of its digest: numbers read back to the same bits.

use crate::camera::ClipPlanes;
use crate::canonical::{number, quoted, single};
use crate::clip_word::ClipChoice;
use crate::instance::Placement;
use crate::layer::AnimatedNumber;
use crate::model::SetChoice;
use crate::motion::{Motion, Rotation, Switch, VectorKeys};
use crate::value::Ramp;
use crate::words::wrap_word;
use tintype_model::Wrap;
use tintype_model::math::Vec3;

pub(super) fn level(level: &AnimatedNumber) -> String {
    match level {
        AnimatedNumber::Ramp(value) => ramp(*value),
        AnimatedNumber::Keys { keys, easing } => {
            let key = |(at_s, value): &(f64, f64)| format!("{}: {}", number(*at_s), number(*value));
            let keys: Vec<String> = keys.iter().map(key).collect();
            format!("{} {}", easing.word(), keys.join(", "))
        }
    }
}

/// Position, rotation and scale of a placement; constants as scenes had them before there were others.
pub(super) fn placement_values(placement: &Placement) -> [String; 3] {
    let Placement { position, rotation, scale, matrix: _ } = placement;
    let position = match position.as_constant() {
        Some(position) => vector(Vec3::from_array(position.map(crate::value::narrow))),
        None => motion(position),
    };
    let rotation = match rotation {
        Rotation::Angles(angles) => motion(angles),
        Rotation::Turns(keys) => {
            let key = |(at_s, turn): &(f64, tintype_model::math::Quat)| {
                format!("{}: {}", number(*at_s), turn.to_array().map(single).join(" "))
            };
            format!("turns {}", keys.iter().map(key).collect::<Vec<_>>().join(", "))
        }
    };
    let scale = match scale {
        Motion::Ramps([x, y, z]) if x == y && y == z => ramp(*x),
        scale => motion(scale),
    };
    [position, rotation, scale]
}

fn motion(motion: &Motion) -> String {
    match motion {
        Motion::Ramps(ramps) => ramps.map(ramp).join(" "),
        Motion::Keys(VectorKeys { keys, smooth, is_bounded: _ }) => {
            let key = |(at_s, value): &(f64, [f64; 3])| {
                format!("{}: {}", number(*at_s), value.map(number).join(" "))
            };
            let keys: Vec<String> = keys.iter().map(key).collect();
            format!("{} {}", if *smooth { "smooth" } else { "linear" }, keys.join(", "))
        }
    }
}

pub(super) fn switch(switch: &Switch) -> String {
    match switch {
        Switch::Constant(value) => value.to_string(),
        Switch::Steps(steps) => {
            let step = |(at_s, value): &(f64, bool)| format!("{}: {value}", number(*at_s));
            steps.iter().map(step).collect::<Vec<_>>().join(", ")
        }
    }
}

/// Softness of a shadow in degrees, and the texels of its map.
pub(super) fn cast_shadow(size: Option<u32>, softness_deg: f32) -> String {
    let texels = size.map_or("by picture".to_owned(), |size| format!("{size} texels"));
    format!("{} deg, {texels}", single(softness_deg))
}

pub(super) fn vector(vector: Vec3) -> String {
    [vector.x, vector.y, vector.z].map(single).join(" ")
}

pub(super) fn ramp(ramp: Ramp) -> String {
    match ramp {
        Ramp::Constant(value) => number(value),
        Ramp::Range { from, to } => format!("{}..{}", number(from), number(to)),
        Ramp::Steps { from, to, steps } => {
            format!("{}..{} in {steps} steps", number(from), number(to))
        }
    }
}

pub(super) fn clip_planes(planes: ClipPlanes) -> [(&'static str, String); 2] {
    let ClipPlanes { near, far } = planes;
    let plane = |plane: Option<f64>| plane.map_or("usual".to_owned(), number);
    [("near", plane(near)), ("far", plane(far))]
}

/// Wrap mode; the default is that of the clip's file, which has its own digest, and else a loop.
pub(super) fn instance_wrap_word(wrap: Option<Wrap>) -> String {
    match wrap {
        None => "loop".to_owned(),
        Some(Wrap::Loop) => "always loop".to_owned(),
        Some(wrap) => wrap_word(wrap).to_owned(),
    }
}

pub(super) fn choice(clip: ClipChoice) -> String {
    match clip {
        ClipChoice::Bind => "bind".to_owned(),
        ClipChoice::Clip(index) => index.to_string(),
        ClipChoice::First => "first".to_owned(),
        ClipChoice::Wanted(index) => format!("wanted {index}"),
    }
}

pub(super) fn set(choice: &SetChoice) -> String {
    match choice {
        SetChoice::Name(name) => quoted(name),
        SetChoice::Index(index) => index.to_string(),
    }
}
