use super::*;
use crate::{Aov, FileAxis, Ramp, parse_scene};
use proptest::prelude::*;
use tintype_base::diagnostic::Place;
use tintype_model::Wrap;

fn minimal() -> SceneBuilder {
    SceneBuilder::new().model(ModelBuilder::new("m.md5mesh").named_clip("w.md5anim", "a \"walk\""))
}

/// The text of a builder is read back to the scene that it builds.
fn same_as_text(builder: &SceneBuilder) -> Scene {
    let text = builder.to_toml();
    let built = builder.build("scene").unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let parsed = parse_scene(&text, "scene").unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    assert_eq!(built, parsed, "{text}");
    built
}

#[test]
fn builder_of_a_model_alone_has_the_defaults_of_a_text() {
    let scene = same_as_text(&minimal());
    assert_eq!(scene, parse_scene("model = [{ file = \"m.md5mesh\", clips = [{ file = \"w.md5anim\", name = 'a \"walk\"' }] }]", "").unwrap());
}

#[test]
fn builders_set_keys_that_the_schema_declares() {
    for (table, keys) in [
        ("model", ModelBuilder::KEYS),
        ("material", MaterialBuilder::KEYS),
        ("camera", CameraBuilder::KEYS),
        ("environment", EnvironmentBuilder::KEYS),
        ("light", LightBuilder::KEYS),
        ("instance", InstanceBuilder::KEYS),
    ] {
        let declared = crate::keys_of(table);
        let stray: Vec<_> = keys.iter().filter(|key| !declared.contains(key)).collect();
        assert!(stray.is_empty(), "{table}: {stray:?}");
    }
}

#[test]
fn builder_text_has_one_table_each_in_the_order_of_calls() {
    let builder = minimal()
        .size([320, 240])
        .fps(24.0)
        .camera(CameraBuilder::orbit().azimuth_range_deg(0.0, 360.0))
        .light(LightBuilder::studio().shadow(true).shadow_softness_deg(9))
        .ground()
        .instance(InstanceBuilder::new("m").clip(Clip::Bind));
    let text = "[[model]]\nfile = \"m.md5mesh\"\nclips = [{ file = \"w.md5anim\", name = 'a \"walk\"' }]\n\n\
                [output]\nsize = [320, 240]\nfps = 24.0\n\n\
                [camera]\nkind = \"orbit\"\ntarget = \"fit\"\nazimuth_deg = { from = 0.0, to = 360.0 }\n\n\
                [[light]]\nkind = \"studio\"\nshadow = true\nshadow_softness_deg = 9\n\n[ground]\n\n\
                [[instance]]\nmodel = \"m\"\nclip = \"bind\"\n";
    assert_eq!(builder.to_toml(), text);
    same_as_text(&builder);
}

#[test]
fn builder_reports_all_mistakes_at_their_options() {
    let builder = minimal()
        .samples(3)
        .camera(CameraBuilder::orbit().azimuth_range_deg(0.0, 1e9).fov_deg(500.0))
        .background(Background::Plain(Color::Code("red".to_owned())))
        .set_by("camera.azimuth_deg", "--azimuth")
        .set_by("camera.fov_deg", "--fov")
        .set_by("output.background", "--background");
    let errors = builder.build("scene").unwrap_err();
    let found = errors.diagnostics();
    let places: Vec<String> = found.iter().map(|found| found.place.to_string()).collect();
    assert_eq!(places, ["scene: output.samples", "--background", "--azimuth", "--fov"]);
    assert_eq!(found[3].place, Place::option("--fov"));
    assert_eq!(found[3].to_string(), "--fov: 500.0 is out of range; expected 1 to 170");
    assert_eq!(errors.to_string().lines().count(), 4);
}

#[test]
fn builder_without_a_model_is_refused() {
    let errors = SceneBuilder::new().build("scene").unwrap_err();
    assert_eq!(
        errors.to_string(),
        "scene: model: missing key \"model\"; expected at least one [[model]] table with a file"
    );
    let twice = minimal().model(ModelBuilder::new("other/m.x")).build("scene").unwrap_err();
    assert_eq!(twice.to_string(), "scene: model[1].name: two models are named \"m\"");
}

fn angle() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(-0.0), -90.0..90.0_f64, Just(1e-7)]
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,8}", "[ -~éß]{0,6}[a-z]"]
}

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![
        "#([0-9a-f]{3}|[0-9A-F]{6})".prop_map(Color::Code),
        prop::array::uniform3(0.0..1.0_f64).prop_map(Color::Linear),
    ]
}

fn ramp() -> impl Strategy<Value = Ramp> {
    prop_oneof![
        angle().prop_map(Ramp::Constant),
        (angle(), angle()).prop_map(|(from, to)| Ramp::Range { from, to }),
    ]
}

proptest! {
    #[test]
    fn builder_and_its_text_are_the_same_scene(
        (name, file, clip) in (word(), word(), word()),
        (size, samples) in (prop::array::uniform2(1..16_384_u32), prop::sample::select(vec![1_u32, 2, 4, 8, 16])),
        (first, count, fps) in (-100..100_i64, 1..500_i64, 0.001..1000.0_f64),
        (azimuth, elevation, fov) in (ramp(), angle(), 1.0..170.0_f64),
        (top, bottom, material) in (color(), color(), color()),
        (position, rotation) in (prop::array::uniform3(-1e6..1e6_f64), prop::array::uniform3(ramp())),
        (speed, start_s, casts) in (-9.0..9.0_f64, -9.0..9.0_f64, any::<bool>()),
    ) {
        let camera = CameraBuilder::orbit().elevation_deg(elevation).fov_deg(fov).margin(0.1);
        let camera = match azimuth {
            Ramp::Constant(angle) => camera.azimuth_deg(angle),
            Ramp::Steps { .. } => camera.azimuth(azimuth),
            Ramp::Range { from, to } => camera.azimuth_range_deg(from, to),
        };
        let frames = format!("{first}-{}", first + count);
        let model = ModelBuilder::new(format!("{file}.md5mesh"))
            .name(name.clone())
            .up(FileAxis::PlusZ)
            .front(FileAxis::MinusX)
            .clip_set(format!("{clip}.x"), clip.clone(), 2);
        let instance = InstanceBuilder::new(name)
            .clip(Clip::Name(clip))
            .start_s(start_s)
            .speed(speed)
            .wrap(Wrap::PingPong)
            .position(position)
            .rotation_deg(rotation)
            .shadow(casts);
        let builder = SceneBuilder::new()
            .size(size)
            .samples(samples)
            .anisotropy(samples)
            .frames(frames)
            .fps(fps)
            .background(Background::Gradient { top: top.clone(), bottom })
            .aov([Aov::Depth, Aov::Joint("a \"b\" \\c".to_owned())])
            .ambient(top.clone())
            .camera(camera)
            .light(LightBuilder::directional([-1.0, -2.0, 0.5]).color(top).shadow(casts))
            .light(LightBuilder::hemisphere(material.clone(), Color::Linear([0.0; 3])))
            .material(MaterialBuilder::new("skin").color(material).diffuse("t/a.png").opacity(0.5))
            .texture_search(["t", "u v"])
            .model(model)
            .instance(instance);
        let scene = same_as_text(&builder);
        prop_assert_eq!(scene.digest_text(), parse_scene(&builder.to_toml(), "").unwrap().digest_text());
    }
}

#[test]
fn builder_of_light_is_the_same_scene_as_its_text() {
    use super::EnvironmentBuilder;
    use crate::{EnvironmentSource, Look, ToneCurve};
    use tintype_model::Tone;
    let sky = EnvironmentBuilder::file("sky.hdr").rotation_deg(30.0).intensity(0.5).show(true);
    let builder = minimal().environment(sky).tone(ToneCurve::None).exposure(2);
    let scene = same_as_text(&builder);
    let environment = scene.environment.as_ref().unwrap();
    assert_eq!(environment.source, EnvironmentSource::File("sky.hdr".to_owned()));
    assert_eq!((environment.intensity, environment.is_shown), (0.5, true));
    assert_eq!(scene.output.tone(), Tone { exposure: 2.0, is_neutral: false });
    let studio = minimal().environment(EnvironmentBuilder::neutral()).look(Look::Studio);
    assert_eq!(same_as_text(&studio).output.look, Look::Studio);
}
