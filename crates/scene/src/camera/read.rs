//! Reads `[camera]`.

use super::{
    CameraPoint, CameraRig, ClipPlanes, KeyedCamera, LookAt, ModelCamera, Orbit, OrbitTarget,
    Projection, RecordedCamera, Target, matrix,
};
use crate::bounds::{Bounds, DEGREES};
use crate::model::set_choice;
use crate::motion::is_smooth;
use crate::reader::{Item, Table};
use crate::value::{Ramp, direction, ramp, vector, wrap};
use crate::words::{PROJECTION_WORDS, VIEWS};
use tintype_model::Wrap;
use tintype_model::math::Vec3;

/// Reads `[camera]`; by default the camera is before the front of the models.
pub(crate) fn read(root: &Table<'_>) -> CameraRig {
    let table = root.get("camera", |item| item.table("a table"));
    table.and_then(|table| read_rig(&table)).unwrap_or_else(|| {
        CameraRig::Orbit(Orbit {
            target: OrbitTarget::Fit { margin: CameraRig::DEFAULT_MARGIN },
            azimuth_deg: Ramp::Constant(0.0),
            elevation_deg: Ramp::Constant(CameraRig::DEFAULT_ELEVATION_DEG),
            fov_deg: CameraRig::DEFAULT_FOV_DEG,
            projection: Projection::Perspective,
            planes: ClipPlanes::default(),
        })
    })
}

fn read_rig(table: &Table<'_>) -> Option<CameraRig> {
    let kind = table.kind("camera kind")?;
    let planes = read_planes(table);
    match kind {
        "look-at" => read_look_at(table, planes).map(CameraRig::LookAt),
        "keys" => read_keyed(table, planes).map(CameraRig::Keys),
        "md5camera" => {
            const FILE: &str = "the path of an .md5camera file";
            Some(CameraRig::Md5(RecordedCamera {
                file: table.required_text("file", [FILE; 2])?,
                start_s: table.number("start_s"),
                speed: table.number("speed"),
                wrap: wrap(table).unwrap_or(Wrap::Clamp),
                planes,
            }))
        }
        "matrix" => matrix::read(table, planes).map(CameraRig::Matrix),
        "model" => {
            let expected = "the name or the index of a camera of the file";
            Some(CameraRig::Model(ModelCamera {
                instance: table.text("instance", "the name of an instance"),
                camera: table.get("camera", |item| set_choice(item, expected)),
                planes,
            }))
        }
        _ => Some(CameraRig::Orbit(read_orbit(table, planes))),
    }
}

fn read_planes(table: &Table<'_>) -> ClipPlanes {
    let near = table.get("near", Item::number);
    let far = table.get("far", |item| {
        let far = item.number()?;
        if let Some(near) = near.filter(|&near| near >= far) {
            let message = format!("far {far} is not greater than near {near}");
            item.invalid::<()>(message, "far must be greater than near");
        }
        Some(far)
    });
    ClipPlanes { near, far }
}

/// Reads `projection` and `height`; `default` applies without the key.
fn read_projection(table: &Table<'_>, default: Projection, is_fitted: bool) -> Projection {
    let height = table.get("height", Item::number);
    let word = table.get("projection", |item| item.word("projection", PROJECTION_WORDS));
    let is_orthographic = word.unwrap_or(default != Projection::Perspective);
    if !is_orthographic {
        table.refuse("height", "a perspective projection", "projection = \"orthographic\"");
        return Projection::Perspective;
    }
    table.refuse("fov_deg", "an orthographic projection", "projection = \"perspective\"");
    if !is_fitted {
        table.required("height", "the height of the picture in world units");
    }
    Projection::Orthographic { height }
}

fn read_up(table: &Table<'_>) -> Vec3 {
    table.get("up", direction).unwrap_or(Vec3::Y)
}

fn read_target(item: Item<'_>) -> Option<Target> {
    match item.as_text() {
        Some(_) => item.word("target", &[("fit", Target::Fit)]),
        None if item.is_array() => vector(&item).map(Target::Point),
        None => item.wrong_type("\"fit\" or [x, y, z]"),
    }
}

fn read_orbit(table: &Table<'_>, planes: ClipPlanes) -> Orbit {
    let angle = |key: &'static str, bounds: Bounds, default: f64| {
        table.get(key, |item| ramp(item, bounds)).unwrap_or(Ramp::Constant(default))
    };
    let target = table.item("target").map_or(Some(Target::Fit), read_target);
    let view = table.get("view", |item| item.word("view", VIEWS));
    let default = match view {
        Some(_) => Projection::Orthographic { height: None },
        None => Projection::Perspective,
    };
    let is_fitted = !matches!(target, Some(Target::Point(_)));
    let projection = read_projection(table, default, is_fitted);
    let [azimuth_deg, elevation_deg] = view.unwrap_or([0.0, CameraRig::DEFAULT_ELEVATION_DEG]);
    let margin = table.number("margin");
    let distance = table.get("distance", Item::number);
    let target = match target {
        Some(Target::Point(at)) => {
            table.refuse("margin", "a point as target", "target = \"fit\"");
            let usual = match projection {
                Projection::Perspective => {
                    table.required("distance", "the distance from the eye to the target");
                    1.0
                }
                // In an orthographic view the distance only affects near and far.
                Projection::Orthographic { height } => height.unwrap_or(1.0),
            };
            OrbitTarget::Point { at, distance: distance.unwrap_or(usual) }
        }
        Some(Target::Fit) => {
            table.refuse("distance", "target = \"fit\"", "target = [x, y, z]");
            OrbitTarget::Fit { margin }
        }
        None => OrbitTarget::Fit { margin },
    };
    Orbit {
        target,
        azimuth_deg: angle("azimuth_deg", DEGREES, azimuth_deg),
        elevation_deg: angle("elevation_deg", Bounds::Within(-90.0, 90.0), elevation_deg),
        fov_deg: table.number("fov_deg"),
        projection,
        planes,
    }
}

fn read_look_at(table: &Table<'_>, planes: ClipPlanes) -> Option<LookAt> {
    let eye = table.required("eye", "[x, y, z]");
    let at = eye.as_ref().and_then(vector);
    let target = table.item("target").map_or(Some(Target::Fit), read_target);
    let (up, fov_deg) = (read_up(table), table.number("fov_deg"));
    // A fit of this camera is its target alone.
    let projection = read_projection(table, Projection::Perspective, false);
    let (eye, at, target) = (eye?, at?, target?);
    if let Target::Point(point) = target {
        check_apart(&eye, at, point);
    }
    Some(LookAt { eye: at, target, up, fov_deg, projection, planes })
}

/// Reports a camera that would look at its own eye.
fn check_apart(item: &Item<'_>, eye: Vec3, target: Vec3) {
    if eye == target {
        let message =
            format!("eye and target are the same point, [{}, {}, {}]", eye.x, eye.y, eye.z);
        item.invalid::<()>(message, "the camera looks from eye to target, so they must differ");
    }
}

fn read_keyed(table: &Table<'_>, planes: ClipPlanes) -> Option<KeyedCamera> {
    const EXPECTED: &str = "an array of { at_s, eye, target, fov_deg }";
    let fov_deg = table.number("fov_deg");
    let up = read_up(table);
    let projection = read_projection(table, Projection::Perspective, false);
    let smooth = is_smooth(table);
    let item = table.required("keys", EXPECTED)?;
    if item.is_empty_array() {
        item.invalid::<()>("the camera has no keys", "expected at least one key");
    }
    let read = |key: &Table<'_>| {
        let eye_item = key.required("eye", "[x, y, z]");
        let eye = eye_item.as_ref().and_then(vector);
        let target = key.require("target", "[x, y, z]", vector);
        if projection != Projection::Perspective {
            key.refuse("fov_deg", "an orthographic projection", "projection = \"perspective\"");
        }
        let fov_deg = key.get("fov_deg", Item::number).unwrap_or(fov_deg);
        let (eye, target) = (eye?, target?);
        check_apart(&eye_item?, eye, target);
        Some((eye, target, fov_deg))
    };
    let keys = item.timed([EXPECTED, EXPECTED, "the time of the key in seconds"], read)?;
    let key = |(at_s, (eye, target, fov_deg))| CameraPoint { at_s, eye, target, fov_deg };
    let keys: Vec<CameraPoint> = keys.into_iter().map(key).collect();
    (!keys.is_empty()).then_some(KeyedCamera { keys, smooth, up, projection, planes })
}
