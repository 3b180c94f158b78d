//! Reads `[camera]`.

use super::{
    CameraPoint, CameraRig, ClipPlanes, KeyedCamera, LookAt, ModelCamera, Orbit, OrbitTarget,
    Projection, RecordedCamera, Target,
};
use crate::bounds::{Bounds, DEGREES};
use crate::error::Problem;
use crate::model::set_choice;
use crate::reader::{Item, Table};
use crate::value::{Ramp, direction, ramp, vector, wrap};
use crate::words::{PROJECTION_WORDS, VIEWS};
use tintype_model::Wrap;
use tintype_model::math::Vec3;

/// Keys and the kinds of camera that have them.
const OWNERS: [(&str, &[&str]); 18] = [
    ("view", &["orbit"]),
    ("projection", &["orbit", "look-at", "keys"]),
    ("height", &["orbit", "look-at", "keys"]),
    ("target", &["orbit", "look-at"]),
    ("azimuth_deg", &["orbit"]),
    ("elevation_deg", &["orbit"]),
    ("distance", &["orbit"]),
    ("margin", &["orbit"]),
    ("eye", &["look-at"]),
    ("up", &["look-at", "keys"]),
    ("fov_deg", &["orbit", "look-at", "keys"]),
    ("keys", &["keys"]),
    ("interpolation", &["keys"]),
    ("file", &["md5camera"]),
    ("start_s", &["md5camera"]),
    ("speed", &["md5camera"]),
    ("instance", &["model"]),
    ("camera", &["model"]),
];
/// Reads `[camera]`; by default the camera is before the front of the models.
pub(crate) fn read(root: &Table<'_>) -> CameraRig {
    let table = root.item("camera").and_then(|item| item.table("a table"));
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
    const KINDS: [(&str, &str); 5] = [
        ("orbit", "orbit"),
        ("look-at", "look-at"),
        ("keys", "keys"),
        ("md5camera", "md5camera"),
        ("model", "model"),
    ];
    let kind = match table.item("kind") {
        Some(item) => item.word("camera kind", &KINDS)?,
        None => "orbit",
    };
    table.refuse_other_kinds(kind, &OWNERS);
    table.refuse_other_kinds(kind, &[("wrap", &["md5camera"])]);
    let planes = read_planes(table);
    match kind {
        "look-at" => read_look_at(table, planes).map(CameraRig::LookAt),
        "keys" => read_keyed(table, planes).map(CameraRig::Keys),
        "md5camera" => {
            let file = table.required("file", "the path of an .md5camera file");
            Some(CameraRig::Md5(RecordedCamera {
                file: file?.filled_text("the path of an .md5camera file")?.to_owned(),
                start_s: table.number("start_s"),
                speed: table.number("speed"),
                wrap: wrap(table).unwrap_or(Wrap::Clamp),
                planes,
            }))
        }
        "model" => {
            let instance = table.item("instance");
            let instance = instance.and_then(|item| item.filled_text("the name of an instance"));
            let camera = table.item("camera").and_then(|item| {
                set_choice(&item, "the name or the index of a camera of the file")
            });
            Some(CameraRig::Model(ModelCamera {
                instance: instance.map(str::to_owned),
                camera,
                planes,
            }))
        }
        _ => Some(CameraRig::Orbit(read_orbit(table, planes))),
    }
}

fn read_planes(table: &Table<'_>) -> ClipPlanes {
    let near = table.item("near").and_then(|item| item.number());
    let far = table.item("far").and_then(|item| {
        let far = item.number()?;
        if let Some(near) = near.filter(|&near| near >= far) {
            item.report(Problem::Invalid {
                message: format!("far {far} is not beyond near {near}"),
                allowed: "far is larger than near".to_owned(),
            });
        }
        Some(far)
    });
    ClipPlanes { near, far }
}

fn read_fov(table: &Table<'_>) -> f64 {
    table.number("fov_deg")
}

/// Reads `projection` and `height`; `default` applies without the key.
fn read_projection(table: &Table<'_>, default: Projection, is_fitted: bool) -> Projection {
    let height = table.item("height").and_then(|item| item.number());
    let word = table.item("projection").and_then(|item| item.word("projection", PROJECTION_WORDS));
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
    table.item("up").and_then(|item| direction(&item)).unwrap_or(Vec3::Y)
}

fn read_target(item: &Item<'_>) -> Option<Target> {
    match item.as_text() {
        Some(_) => item.word("target", &[("fit", Target::Fit)]),
        None if item.is_array() => vector(item).map(Target::Point),
        None => item.wrong_type("\"fit\" or [x, y, z]"),
    }
}

fn read_orbit(table: &Table<'_>, planes: ClipPlanes) -> Orbit {
    let angle = |key: &'static str, bounds: Bounds, default: f64| {
        let angle = table.item(key).and_then(|item| ramp(&item, bounds));
        angle.unwrap_or(Ramp::Constant(default))
    };
    let target = match table.item("target") {
        Some(item) => read_target(&item),
        None => Some(Target::Fit),
    };
    let view = table.item("view").and_then(|item| item.word("view", VIEWS));
    let default = match view {
        Some(_) => Projection::Orthographic { height: None },
        None => Projection::Perspective,
    };
    let is_fitted = !matches!(target, Some(Target::Point(_)));
    let projection = read_projection(table, default, is_fitted);
    let [azimuth_deg, elevation_deg] = view.unwrap_or([0.0, CameraRig::DEFAULT_ELEVATION_DEG]);
    let margin = table.number("margin");
    let distance = table.item("distance").and_then(|item| item.number());
    let target = match target {
        Some(Target::Point(at)) => {
            table.refuse("margin", "a point as target", "target = \"fit\"");
            let usual = match projection {
                Projection::Perspective => {
                    table.required("distance", "the distance of the eye from the target point");
                    1.0
                }
                // Without perspective the distance changes nothing but the meaning of near and far.
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
        fov_deg: read_fov(table),
        projection,
        planes,
    }
}

fn read_look_at(table: &Table<'_>, planes: ClipPlanes) -> Option<LookAt> {
    let eye = table.required("eye", "[x, y, z]");
    let at = eye.as_ref().and_then(vector);
    let target = match table.item("target") {
        Some(item) => read_target(&item),
        None => Some(Target::Fit),
    };
    let (up, fov_deg) = (read_up(table), read_fov(table));
    // A fit of this camera is its target alone.
    let projection = read_projection(table, Projection::Perspective, false);
    let (eye, at, target) = (eye?, at?, target?);
    if let Target::Point(point) = target {
        check_apart(&eye, at, point);
    }
    Some(LookAt { eye: at, target, up, fov_deg, projection, planes })
}

/// Notes if a camera would look at its own eye.
fn check_apart(item: &Item<'_>, eye: Vec3, target: Vec3) {
    if eye == target {
        item.report(Problem::Invalid {
            message: format!("eye and target are one place, [{}, {}, {}]", eye.x, eye.y, eye.z),
            allowed: "the camera looks from the eye to the target".to_owned(),
        });
    }
}

fn read_keyed(table: &Table<'_>, planes: ClipPlanes) -> Option<KeyedCamera> {
    const EXPECTED: &str = "an array of { at_s, eye, target, fov_deg }";
    let fov_deg = read_fov(table);
    let up = read_up(table);
    let projection = read_projection(table, Projection::Perspective, false);
    let smooth = table
        .item("interpolation")
        .and_then(|item| item.word("interpolation", &[("smooth", true), ("linear", false)]))
        .unwrap_or(true);
    let item = table.required("keys", EXPECTED)?;
    let elements = item.array(EXPECTED)?;
    if elements.is_empty() {
        item.report(Problem::Invalid {
            message: "the camera has no keys".to_owned(),
            allowed: "there is at least one key".to_owned(),
        });
    }
    let mut keys: Vec<CameraPoint> = Vec::new();
    let mut previous_s: Option<f64> = None;
    for element in &elements {
        let Some(key) = element.table(EXPECTED) else {
            continue;
        };
        let at_s = key.rising_time("the time of the key in seconds", &mut previous_s);
        let eye_item = key.required("eye", "[x, y, z]");
        let eye = eye_item.as_ref().and_then(vector);
        let target = key.required("target", "[x, y, z]").and_then(|item| vector(&item));
        if projection != Projection::Perspective {
            key.refuse("fov_deg", "an orthographic projection", "projection = \"perspective\"");
        }
        let fov_deg = key.number_or("fov_deg", fov_deg);
        if let (Some(item), Some(eye), Some(target)) = (eye_item, eye, target) {
            check_apart(&item, eye, target);
        }
        if let (Some(at_s), Some(eye), Some(target)) = (at_s, eye, target) {
            keys.push(CameraPoint { at_s, eye, target, fov_deg });
        }
    }
    (!keys.is_empty()).then_some(KeyedCamera { keys, smooth, up, projection, planes })
}
