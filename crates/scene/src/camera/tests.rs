use super::*;

const FRONT: Vec3 = Vec3::X;

fn camera_context() -> CameraContext<'static> {
    let fit = Fit { center: Vec3::new(1.0, 2.0, 3.0), distance: 10.0, height: 4.0 };
    CameraContext { fit, front: FRONT, recording: None, placed: None }
}

fn orbit(azimuth_deg: Ramp, elevation_deg: f64) -> Orbit {
    Orbit {
        target: OrbitTarget::Fit { margin: 0.06 },
        azimuth_deg,
        elevation_deg: Ramp::Constant(elevation_deg),
        fov_deg: 35.0,
        projection: Projection::Perspective,
        planes: ClipPlanes::default(),
    }
}

fn moment(k: usize, n: usize) -> FramePosition {
    FramePosition { k, n, time_s: 0.0 }
}

fn close(a: Vec3, b: Vec3) {
    assert!((a - b).length() < 1e-4, "{a} is not {b}");
}

#[test]
fn orbit_starts_before_the_front_and_goes_counter_clockwise_from_above() {
    let turn = CameraRig::Orbit(orbit(Ramp::Range { from: 0.0, to: 360.0 }, 0.0));
    let eye = |k| turn.camera_at(moment(k, 4), &camera_context()).eye - camera_context().fit.center;
    close(eye(0), Vec3::X * 10.0);
    // From above, with +X to the right, -Z is up: a quarter counter-clockwise.
    close(eye(1), Vec3::NEG_Z * 10.0);
    close(eye(2), Vec3::NEG_X * 10.0);
    close(eye(3), Vec3::Z * 10.0);
    assert_eq!(eye(4), eye(0), "a full turn closes to the last bit");
}

#[test]
fn orbit_looks_at_its_target_with_the_sky_up() {
    let rig = CameraRig::Orbit(orbit(Ramp::Constant(40.0), 30.0));
    let camera = rig.camera_at(moment(0, 1), &camera_context());
    let view = camera.view_from_world();
    close(view.transform_point3(camera_context().fit.center), Vec3::new(0.0, 0.0, -10.0));
    let up = view.transform_vector3(Vec3::Y);
    assert!(up.x.abs() < 1e-6 && up.y > 0.8, "{up}");
    assert_eq!(camera.near, (camera_context().fit.center - camera.eye).length() * 0.01);
    assert_eq!(camera.far, f32::INFINITY);
    assert_eq!(camera.fov, FovAxis::Vertical(func::radians(35.0)));
}

#[test]
fn orbit_does_not_jump_at_the_zenith() {
    let up = |elevation_deg: f64| {
        let rig = CameraRig::Orbit(orbit(Ramp::Constant(0.0), elevation_deg));
        rig.camera_at(moment(0, 1), &camera_context()).world_from_view.y_axis
    };
    assert!((up(90.0) - up(89.99)).length() < 1e-3);
    close(up(90.0), Vec3::NEG_X);
    close(up(-90.0), Vec3::X);
}

#[test]
fn orbit_of_a_model_that_looks_up_has_some_front() {
    let turn = orbit(Ramp::Constant(0.0), 0.0);
    assert_eq!(turn.directions(moment(0, 1), Vec3::Y), (Vec3::Z, Vec3::Y));
}

#[test]
fn orbit_around_a_point_ignores_the_fit() {
    let target = OrbitTarget::Point { at: Vec3::ZERO, distance: 4.0 };
    let rig = CameraRig::Orbit(Orbit { target, ..orbit(Ramp::Constant(0.0), 0.0) });
    close(rig.camera_at(moment(0, 1), &camera_context()).eye, Vec3::X * 4.0);
    assert!(!rig.needs_fit());
    assert!(CameraRig::Orbit(orbit(Ramp::Constant(0.0), 0.0)).needs_fit());
}

#[test]
fn look_at_fit_looks_at_the_middle_from_its_eye() {
    let planes = ClipPlanes { near: None, far: Some(2.0) };
    let look = LookAt {
        eye: Vec3::ZERO,
        target: Target::Fit,
        up: Vec3::Y,
        fov_deg: 60.0,
        projection: Projection::Perspective,
        planes,
    };
    let camera = CameraRig::LookAt(look).camera_at(moment(0, 1), &camera_context());
    close(-camera.world_from_view.z_axis, camera_context().fit.center.normalize());
    assert_eq!((camera.near, camera.far), (0.02, 2.0), "the near plane stays before the far one");
}

#[test]
fn keyed_camera_uses_the_scene_time() {
    let key = |at_s, x| CameraPoint {
        at_s,
        eye: Vec3::new(x, 0.0, 5.0),
        target: Vec3::new(x, 0.0, 0.0),
        fov_deg: 30.0 + at_s,
    };
    let keys = vec![key(0.0, 0.0), key(2.0, 8.0)];
    let planes = ClipPlanes { near: Some(0.5), far: None };
    let rig = CameraRig::Keys(KeyedCamera {
        keys,
        smooth: false,
        up: Vec3::Y,
        projection: Projection::Perspective,
        planes,
    });
    let camera = rig.camera_at(FramePosition { k: 0, n: 1, time_s: 1.0 }, &camera_context());
    close(camera.eye, Vec3::new(4.0, 0.0, 5.0));
    assert_eq!(camera.fov, FovAxis::Vertical(func::radians(31.0)));
    assert_eq!(camera.near, 0.5);
}

#[test]
fn recorded_camera_has_a_horizontal_field_of_view() {
    let key = tintype_model::CameraKey {
        position: Vec3::Y,
        rotation: tintype_model::math::Quat::IDENTITY,
        fov_x_rad: 1.5,
    };
    let clip = CameraClip { keys: vec![key], key_rate_hz: 24.0, cuts: vec![] };
    let rig = CameraRig::Md5(RecordedCamera {
        file: "a.md5camera".into(),
        start_s: 0.0,
        speed: 1.0,
        wrap: Wrap::Clamp,
        planes: ClipPlanes::default(),
    });
    let camera =
        rig.camera_at(moment(0, 1), &CameraContext { recording: Some(&clip), ..camera_context() });
    assert_eq!((camera.eye, camera.fov), (Vec3::Y, FovAxis::Horizontal(1.5)));
    assert_eq!((camera.near, camera.far), (0.1, f32::INFINITY));
}

#[test]
fn orthographic_camera_has_a_height_and_cuts_nothing_before_the_eye() {
    let fit = Fit { center: Vec3::ZERO, distance: 10.0, height: 4.0 };
    let around = CameraContext { fit, front: Vec3::Z, recording: None, placed: None };
    let frame = FramePosition { k: 0, n: 1, time_s: 0.0 };
    let of = |text: &str| {
        let text = format!("[camera]\n{text}\n[[model]]\nfile = \"m.md5mesh\"\n");
        crate::parse_scene(&text, "scene").unwrap().camera
    };
    let camera = of("view = \"dimetric\"").camera_at(frame, &around);
    assert_eq!((camera.fov, camera.near), (FovAxis::Parallel(4.0), f32::NEG_INFINITY));
    // One up for two across: a level line at 45 degrees to the camera.
    let along = Vec3::new(1.0, 0.0, 0.0);
    let [x0, y0] = camera.pixel_of(Vec3::ZERO, [100, 100]);
    let [x1, y1] = camera.pixel_of(along, [100, 100]);
    assert!((((y1 - y0) / (x1 - x0)).abs() - 0.5).abs() < 1e-5, "{x1} {y1}");
    let own = of("projection = \"orthographic\"\nheight = 7\ntarget = [0, 0, 0]");
    assert_eq!(own.camera_at(frame, &around).fov, FovAxis::Parallel(7.0));
    let steps = of("view = \"front\"\nazimuth_deg = { from = 0, to = 360, steps = 4 }");
    assert_eq!(steps.directions_deg(), [0.0, 90.0, 180.0, 270.0]);
}

#[test]
fn orthographic_mistakes_are_answered_at_their_keys() {
    for (text, message) in [
        ("projection = \"orthografic\"", "did you mean \"orthographic\""),
        ("view = \"dimetrc\"", "did you mean \"dimetric\""),
        ("height = 3", "key \"height\" has no effect with a perspective projection"),
        ("view = \"top\"\nfov_deg = 30", "key \"fov_deg\" has no effect"),
        ("projection = \"orthographic\"\ntarget = [0, 0, 0]", "missing key \"height\""),
        ("azimuth_deg = { from = 0, to = 1, steps = 0 }", "from 1 to 10000"),
        ("kind = \"look-at\"\neye = [0, 0, 1]\nview = \"top\"", "has no effect with kind"),
    ] {
        let text = format!("[camera]\n{text}\n[[model]]\nfile = \"m.md5mesh\"\n");
        let found = crate::parse_scene(&text, "scene").unwrap_err().to_string();
        assert!(found.contains(message), "{found}");
    }
}
