//! Differences of the scene: its values, and the position of the camera.

use crate::record::amounts::{DEGREES, degrees, distance};
use crate::record::frame_record::FrameRecord;
use crate::record::stages::{CROWD, Subject};
use tintype_compare::{finding, surface};
use tintype_model::math::{Vec3, func};
use tintype_model::{Camera, FovAxis};

/// Differences of the wanted subjects, a sentence each.
pub(super) fn values(
    old: &FrameRecord,
    new: &FrameRecord,
    is_wanted: impl Fn(&Subject) -> bool,
) -> Vec<String> {
    let mut found = Vec::new();
    for subject in new.scene.iter().filter(|subject| is_wanted(subject)) {
        match old.scene.iter().find(|known| known.name == subject.name) {
            None if is_merged(subject, &old.scene) => {}
            None => found.push(format!("{} is new{}", subject.name, with_values(subject))),
            Some(known) => found.extend(of_subject(known, subject)),
        }
    }
    let is_there = |name: &str| new.scene.iter().any(|subject| subject.name == name);
    let gone = old.scene.iter().filter(|subject| !is_there(&subject.name));
    found.extend(
        gone.filter(|subject| is_wanted(subject) && !is_merged(subject, &new.scene))
            .map(|subject| format!("{} is gone{}", subject.name, with_values(subject))),
    );
    found
}

/// The values of a subject that came or went: two lights that are new may be two changes.
fn with_values(subject: &Subject) -> String {
    if is_surface(subject) || subject.values.is_empty() {
        return String::new();
    }
    let value = |(key, value): &(String, String)| format!("{key} {value}");
    format!(" ({})", subject.values.iter().map(value).collect::<Vec<_>>().join(", "))
}

/// Whether a subject is a material that the scene leaves to the files of models.
fn is_surface(subject: &Subject) -> bool {
    subject.name.starts_with("surface ")
}

/// Whether a surface has the values of one of another list, as where equal ones were merged.
fn is_merged(subject: &Subject, others: &[Subject]) -> bool {
    let is_like =
        |other: &&Subject| is_surface(other) && surface::is_alike(&other.values, &subject.values);
    is_surface(subject) && others.iter().any(|other| is_like(&other))
}

pub(super) fn moved_geometry(old: &FrameRecord, new: &FrameRecord) -> bool {
    let pairs = old.instances.iter().zip(&new.instances);
    old.instances.len() != new.instances.len()
        || pairs.into_iter().any(|(old, new)| old.pose != new.pose || old.skin != new.skin)
}

/// The sentence that a fitted camera moved, and the edit that moved it.
pub(super) fn fitted_camera(old: &FrameRecord, new: &FrameRecord, edit: &str) -> Option<String> {
    let is_same = subject(old, "camera") == subject(new, "camera");
    let moved = movement(old, new).filter(|_| is_same && is_fitted(new))?;
    Some(format!("{moved}: it is fitted to all frames, and this moved it: {edit}"))
}

/// The camera of the golden, if the one of today is fitted and was moved by the models; its planes are those of today.
#[must_use]
pub fn golden_camera(old: &FrameRecord, new: &FrameRecord, today: &Camera) -> Option<Camera> {
    let is_same = subject(old, "camera") == subject(new, "camera");
    if old.camera == new.camera || !is_same || !is_fitted(new) {
        return None;
    }
    let [x, y, z, i, j, k, fov_rad] = old.camera;
    let eye = Vec3::new(x, y, z);
    let fov = match today.fov {
        FovAxis::Parallel(_) => FovAxis::Parallel(2.0 * func::tan(fov_rad * 0.5)),
        _ => FovAxis::Vertical(fov_rad),
    };
    let (up, target) = (today.world_from_view.y_axis, eye + Vec3::new(i, j, k));
    Some(Camera::looking_at(eye, target, up, fov, today.near, today.far))
}

fn subject<'a>(record: &'a FrameRecord, name: &str) -> Option<&'a Subject> {
    record.scene.iter().find(|subject| subject.name == name)
}

/// Whether the scene leaves the position of the camera to the program.
fn is_fitted(record: &FrameRecord) -> bool {
    let fits = |(key, value): &(String, String)| key == "target" && value.starts_with("fit");
    subject(record, "camera").is_some_and(|camera| camera.values.iter().any(fits))
}

/// Share of the distance of the camera, and angle in degrees, below which its movement shows in few pixels at most.
const LITTLE: (f32, f64) = (1e-4, 6e-3);

/// Whether the camera moved by so little that it is no cause of a visible difference.
pub(super) fn moved_little(old: &FrameRecord, new: &FrameRecord) -> bool {
    let [from, to] = [old, new].map(|record| {
        let [x, y, z, i, j, k, fov_rad] = record.camera;
        (Vec3::new(x, y, z), Vec3::new(i, j, k), fov_rad)
    });
    (to.0 - from.0).length() <= LITTLE.0 * from.0.length()
        && angle_deg(from.1, to.1) <= LITTLE.1
        && (to.2 - from.2).abs() <= LITTLE.0 * from.2
}

/// The sentence that the camera moved although the scene says the same of it.
pub(super) fn camera(old: &FrameRecord, new: &FrameRecord) -> Option<String> {
    let why = if is_fitted(new) {
        "it is fitted to all frames of the scene, and others than this one changed"
    } else {
        "the scene says the same of it"
    };
    Some(format!("{} ({why})", movement(old, new)?))
}

/// Distance and angle by which the camera moved; none if it is where it was.
fn movement(old: &FrameRecord, new: &FrameRecord) -> Option<String> {
    if old.camera == new.camera {
        return None;
    }
    let parts = |camera: [f32; 7]| {
        let [x, y, z, i, j, k, fov_rad] = camera;
        (Vec3::new(x, y, z), Vec3::new(i, j, k), fov_rad)
    };
    let ((eye, forward, fov_rad), (to, toward, to_fov_rad)) =
        (parts(old.camera), parts(new.camera));
    let mut words = vec![
        format!("camera moved {}", distance(f64::from((to - eye).length()))),
        format!("turned {}", degrees(angle_deg(forward, toward))),
    ];
    if fov_rad != to_fov_rad {
        let [fov, to] = [fov_rad, to_fov_rad].map(|fov| f64::from(fov) * DEGREES);
        words.push(format!("sees {} instead of {}", degrees(to), degrees(fov)));
    }
    Some(words.join(", "))
}

/// The angle between two directions in degrees.
fn angle_deg(a: Vec3, b: Vec3) -> f64 {
    let [a, b] = [a, b].map(|vector| vector.to_array().map(f64::from));
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    libm::atan2(dot(cross, cross).sqrt(), dot(a, b)) * DEGREES
}

/// Words that go without saying in a scene, by subject and key.
const LEFT_OUT: [(&str, &str, &str); 1] = [("output", "tone", "none")];

/// The word that goes without saying for a key of a subject.
fn left_out(subject: &Subject, key: &str) -> Option<&'static str> {
    let own = LEFT_OUT.iter().find(|(name, known, _)| subject.name == *name && key == *known);
    own.map(|(_, _, word)| *word)
}

/// Differences of one subject.
fn of_subject(old: &Subject, new: &Subject) -> Vec<String> {
    let mut found = Vec::new();
    if new.name == CROWD {
        return of_crowd(old, new);
    }
    if is_surface(new) {
        let named = finding::Subject::named(finding::Element::Setting, new.name.as_str());
        let changes = surface::changes(&named, &old.values, &new.values, false).into_iter();
        return changes.map(|what| what.sentence()).collect();
    }
    for (key, now) in &new.values {
        let before = old.values.iter().find(|(known, _)| known == key).map(|(_, value)| value);
        match before {
            Some(before) if before == now => {}
            Some(before) => found.push(format!("{} {}", new.name, change(key, before, now))),
            None if casts(new, key) => {
                found.push(format!("{} casts a shadow now ({now})", new.name));
            }
            None => match left_out(new, key) {
                Some(usual) => found.push(format!("{} {}", new.name, change(key, usual, now))),
                None => found.push(format!("{} {key} {now}, was as usual", new.name)),
            },
        }
    }
    for (key, before) in &old.values {
        if new.values.iter().any(|(known, _)| known == key) {
            continue;
        }
        if let Some(usual) = left_out(old, key) {
            found.push(format!("{} {}", new.name, change(key, before, usual)));
        } else if casts(old, key) {
            found.push(format!("{} casts no shadow any more, was {before}", new.name));
        } else {
            found.push(format!("{} {key} as usual, was {before}", new.name));
        }
    }
    found
}

/// Whether a key is the shadow of a light.
fn casts(subject: &Subject, key: &str) -> bool {
    let is_light = |name: &str| name.starts_with("light") || name.starts_with("model light");
    key == "shadow" && is_light(&subject.name)
}

/// The instances of which only digests are kept.
fn of_crowd(old: &Subject, new: &Subject) -> Vec<String> {
    let changed = new.values.iter().filter(|value| !old.values.contains(value));
    // The digest tells one change from another.
    let changed = changed.map(|(number, digest)| {
        format!("instance {number} changed: its model, clip, time or place ({digest})")
    });
    let gone = old.values.iter().filter(|(number, _)| new.values.iter().all(|(n, _)| n != number));
    changed.chain(gone.map(|(number, _)| format!("instance {number} is gone"))).collect()
}

/// One value that changed: directions turn, positions move, numbers go from one to the other.
fn change(key: &str, before: &str, now: &str) -> String {
    let vector = |text: &str| -> Option<Vec3> {
        let values: Vec<f32> = text.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        <[f32; 3]>::try_from(values).ok().map(Vec3::from_array)
    };
    match (key, vector(before), vector(now)) {
        ("direction", Some(old), Some(new)) => {
            let [from, to] = finding::short(before, now);
            format!("turned {} (direction {from} -> {to})", degrees(angle_deg(old, new)))
        }
        ("position" | "eye" | "target", Some(from), Some(to)) => {
            let moved = distance(f64::from((to - from).length()));
            format!("moved {moved} ({key} {before} -> {now})")
        }
        (_, Some(from), Some(to)) if LIGHTS.contains(&key) => {
            let [before, now] = finding::short(before, now);
            match brightness(from, to) {
                Some(words) => format!("{key} {words} ({before} -> {now})"),
                None => format!("{key} {before} -> {now}"),
            }
        }
        _ => {
            let [before, now] = finding::short(before, now);
            format!("{key} {before} -> {now}")
        }
    }
}

/// Keys of linear colours.
const LIGHTS: [&str; 4] = ["color", "sky", "ground", "ambient"];

/// The growth of a colour in words, if all of its channels grew by one factor.
fn brightness(before: Vec3, now: Vec3) -> Option<String> {
    let ([r, g, b], now) = (before.to_array().map(f64::from), now.to_array().map(f64::from));
    let factor = (now[0] + now[1] + now[2]) / (r + g + b);
    let is_even = |(before, now): (f64, f64)| (now - before * factor).abs() <= 1e-5 * now.abs();
    let is_even = factor > 0.0 && [r, g, b].into_iter().zip(now).all(is_even);
    let percent = (factor - 1.0).abs() * 100.0;
    let word = if factor > 1.0 { "brighter" } else { "darker" };
    is_even.then(|| format!("{} % {word}", distance(percent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_with_the_digits_that_count() {
        for (key, before, now, words) in [
            (
                "sky",
                "0.24598823 0.31924894 0.4528857",
                "0.26979354 0.35014403 0.4967133",
                "sky 9.68 % brighter (0.246 0.3192 0.4529 -> 0.2698 0.3501 0.4967)",
            ),
            ("color", "1.0 0.5 0.25", "1.0 0.5 0.125", "color 1.0 0.5 0.25 -> 1.0 0.5 0.125"),
            ("color", "0.0 0.0 0.0", "1.0 1.0 1.0", "color 0.0 0.0 0.0 -> 1.0 1.0 1.0"),
            ("fov_deg", "35.000001", "35.000002", "fov_deg 35.000001 -> 35.000002"),
            ("fov_deg", "1234.5678", "0.000123456", "fov_deg 1235 -> 0.0001235"),
            ("tone", "none", "neutral", "tone none -> neutral"),
        ] {
            assert_eq!(change(key, before, now), words);
        }
    }
}
