//! Reason why a picture is empty, from the counts of the rasterizer and the positions of the
//! meshes.

use super::staging::Staged;
use tintype_base::amount::counted;
use tintype_model::math::{max, min};
use tintype_raster::Counts;

/// The reason why no pixel of a staged frame shows a surface, as a clause. None if one does. If
/// there are several, each is given with its number of triangles, the largest first.
#[must_use]
pub fn why_nothing_is_seen(staged: &Staged, counts: &Counts) -> Option<String> {
    if counts.covered_pixels > 0 {
        return None;
    }
    if !staged.instances.iter().any(|instance| instance.is_visible) {
        return Some("no instance is visible".to_owned());
    }
    if counts.triangles_in == 0 {
        return Some("there are no triangles to draw".to_owned());
    }
    Some(beyond(staged).map_or_else(|| by_counts(counts), str::to_owned))
}

/// The side of the camera where all of it lies, if it is entirely outside the drawn depth range.
fn beyond(staged: &Staged) -> Option<&'static str> {
    let view_from_world = staged.camera.view_from_world();
    let (mut nearest, mut farthest) = (f32::INFINITY, f32::NEG_INFINITY);
    for mesh in staged.instances.iter().filter(|one| one.is_visible).flat_map(|one| &one.meshes) {
        for vertex in 0..mesh.len() {
            let ahead = -view_from_world.transform_point3(mesh.position_at(vertex)).z;
            (nearest, farthest) = (min(ahead, nearest), max(ahead, farthest));
        }
    }
    let camera = &staged.camera;
    if farthest <= 0.0 && !camera.is_orthographic() {
        return Some("everything is behind the camera");
    }
    if farthest < camera.near {
        return Some("everything is in front of the camera's near plane");
    }
    (nearest > camera.far).then_some("everything is beyond the camera's far plane")
}

fn by_counts(counts: &Counts) -> String {
    let all = counts.triangles_in;
    let culled = &counts.culled;
    let dropped =
        culled.outside + culled.facing_away + culled.without_area + culled.between_samples;
    // Triangles that are clipped away completely lie outside too, but are not counted there.
    let rest = all.saturating_sub(dropped);
    let (drawn, clipped) = match counts.triangles_binned {
        0 => (0, rest),
        _ => (rest, 0),
    };
    let mut parts = [
        (
            culled.facing_away,
            "faces away from the camera and is single-sided",
            "face away from the camera and are single-sided",
        ),
        (culled.outside + clipped, "is outside the picture", "are outside the picture"),
        (culled.without_area, "has zero area in the picture", "have zero area in the picture"),
        (culled.between_samples, "is too small for any sample", "are too small for any sample"),
        (drawn, "is fully transparent", "are fully transparent"),
    ];
    parts.sort_by_key(|(count, ..)| core::cmp::Reverse(*count));
    let shown = parts.iter().take_while(|(count, ..)| *count > 0);
    let shown: Vec<String> = shown
        .map(|(count, one, several)| format!("{count} {}", if *count == 1 { one } else { several }))
        .collect();
    let number = usize::try_from(all).unwrap_or(usize::MAX);
    if parts[0].0 != all {
        format!("of {}, {}", counted(number, "triangle"), shown.join(", "))
    } else if all == 1 {
        format!("its only triangle {}", parts[0].1)
    } else {
        format!("all {} {}", counted(number, "triangle"), parts[0].2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_raster::Culled;

    #[test]
    fn counts_are_told_in_words() {
        let counts = |triangles_in, culled, triangles_binned| Counts {
            triangles_in,
            culled,
            triangles_binned,
            ..Counts::default()
        };
        let away = Culled { facing_away: 12, ..Culled::default() };
        assert_eq!(
            by_counts(&counts(12, away, 0)),
            "all 12 triangles face away from the camera and are single-sided"
        );
        let mixed = Culled { facing_away: 2, outside: 5, without_area: 1, between_samples: 0 };
        assert_eq!(
            by_counts(&counts(9, mixed, 1)),
            "of 9 triangles, 5 are outside the picture, 2 face away from the camera and are single-sided, \
             1 has zero area in the picture, 1 is fully transparent"
        );
        // Clipped away completely.
        let clipped = Culled::default();
        assert_eq!(by_counts(&counts(1, clipped, 0)), "its only triangle is outside the picture");
        assert_eq!(by_counts(&counts(2, clipped, 2)), "all 2 triangles are fully transparent");
    }
}
