use super::*;
use tintype_base::precedence::Guesses;
use tintype_model::math::Quat;

/// A joint at a position in metres, right-handed, +Y up, that faces +Z.
fn joint(name: &str, x: f32, y: f32, z: f32) -> (String, Vec3) {
    (name.to_owned(), Vec3::new(x, y, z))
}

/// The points of a box.
fn cuboid(low: Vec3, high: Vec3) -> Vec<Vec3> {
    let share = |k: u32| f32::from(u8::try_from(k).unwrap()) / 4.0;
    let mut points = Vec::new();
    for x in 0..5 {
        for y in 0..5 {
            for z in 0..5 {
                points.push(low + (high - low) * Vec3::new(share(x), share(y), share(z)));
            }
        }
    }
    points
}

fn body(joints: &[(String, Vec3)], points: Vec<Vec3>) -> Body {
    let joints: Vec<NamedJoint<'_>> =
        joints.iter().map(|(name, at)| (name.as_str(), None, *at, Some(*at))).collect();
    Body::new(&joints, points, true)
}

/// A human in a T-pose: 1.8 high, its arms along x, its feet a little ahead.
fn human_points() -> Vec<Vec3> {
    let mut points = cuboid(Vec3::new(-0.2, 0.9, -0.12), Vec3::new(0.2, 1.8, 0.12));
    points.extend(cuboid(Vec3::new(-0.9, 1.3, -0.08), Vec3::new(0.9, 1.45, 0.08)));
    for side in [-1.0, 1.0] {
        let leg = Vec3::new(0.12 * side, 0.0, 0.0);
        points.extend(cuboid(leg + Vec3::new(-0.08, 0.0, -0.1), leg + Vec3::new(0.08, 0.9, 0.1)));
        points.extend(cuboid(leg + Vec3::new(-0.08, 0.0, -0.1), leg + Vec3::new(0.08, 0.08, 0.2)));
    }
    points
}

fn human_joints() -> Vec<(String, Vec3)> {
    vec![
        joint("Bip01 Pelvis", 0.0, 0.95, 0.0),
        joint("Bip01 Spine", 0.0, 1.2, 0.0),
        joint("Bip01 Head", 0.0, 1.6, 0.02),
        joint("Bip01 L UpperArm", 0.25, 1.4, 0.0),
        joint("Bip01 L Hand", 0.8, 1.4, 0.0),
        joint("Bip01 R UpperArm", -0.25, 1.4, 0.0),
        joint("Bip01 R Hand", -0.8, 1.4, 0.0),
        joint("Bip01 L Foot", 0.12, 0.08, 0.0),
        joint("Bip01 R Foot", -0.12, 0.08, 0.0),
        joint("Bip01 L Toe0", 0.12, 0.02, 0.14),
        joint("Bip01 R Toe0", -0.12, 0.02, 0.14),
    ]
}

fn renamed(joints: &[(String, Vec3)], name: impl Fn(&str) -> String) -> Vec<(String, Vec3)> {
    joints.iter().map(|(own, at)| (name(own), *at)).collect()
}

fn nameless(joints: &[(String, Vec3)]) -> Vec<(String, Vec3)> {
    (1..).zip(joints).map(|(number, (_, at))| (format!("Bone{number}"), *at)).collect()
}

fn found(body: &Body) -> Orientation {
    // Both conventions are judged with +X ahead, although wrong for these figures.
    Orientation::of(body, &convention())
}

fn convention() -> Convention {
    Convention { front: Vec3::X, up: AxisRule::default(), ahead: AxisRule::default() }
}

#[test]
fn axes_that_a_format_fixes_are_not_voted_on() {
    let fixed_rule = AxisRule { is_stated: false, guesses: Guesses::Never };
    for turn in ups() {
        let lying = body(&human_joints(), human_points()).turned(|at| turn * at);
        let fixed = Orientation::of(&lying, &Convention { up: fixed_rule, ..convention() });
        assert!(fixed.up.is_convention() && fixed.up.direction == Vec3::Y, "{:?}", fixed.up);
        assert!(fixed.up.votes.len() > 1, "the evidence is told all the same");
    }
    let figure = body(&human_joints(), human_points());
    let fixed = Orientation::of(&figure, &Convention { ahead: fixed_rule, ..convention() });
    assert!(fixed.front.is_convention() && fixed.front.direction == Vec3::X, "{:?}", fixed.front);
}

/// Names of the other side, or of another language, contradict the soles.
#[test]
fn soles_outvote_names_of_sides_alone() {
    let mirrored = |name: &str| match name {
        name if name.contains(" L ") => name.replace(" L ", " R "),
        name => name.replace(" R ", " L "),
    };
    let joints: Vec<(String, Vec3)> = renamed(&human_joints(), mirrored)
        .into_iter()
        .filter(|(name, _)| !name.contains("Toe"))
        .collect();
    let figure = body(&joints, human_points());
    for (usual, expected) in [(Vec3::X, Vec3::Z), (Vec3::Z, Vec3::Z), (Vec3::NEG_Z, Vec3::NEG_Z)] {
        let orientation = Orientation::of(&figure, &Convention { front: usual, ..convention() });
        let front = &orientation.front;
        assert!(front.direction.dot(expected) > 0.95, "{usual}: {front:?}");
    }
}

fn cues(decision: &Decision) -> Vec<Cue> {
    decision.votes.iter().map(|vote| vote.cue).collect()
}

/// The answer for a body that faces +Z and one that is turned by quarter turns about the vertical.
fn faces_with_every_turn(joints: &[(String, Vec3)], points: &[Vec3]) {
    for quarter in 0..4_u8 {
        let turn = Quat::from_rotation_y(f32::from(quarter) * core::f32::consts::FRAC_PI_2);
        let body = body(joints, points.to_vec()).turned(|at| turn * at);
        let orientation = found(&body);
        let expected = turn * Vec3::Z;
        assert!(orientation.up.is_convention(), "{quarter}: {:?}", orientation.up);
        let front = orientation.front.direction;
        assert!(front.dot(expected) > 0.95, "{quarter}: {front} {:?}", orientation.front.votes);
    }
}

#[test]
fn front_turns_with_a_human() {
    faces_with_every_turn(&human_joints(), &human_points());
}

#[test]
fn front_of_mirrored_names_is_that_of_the_toes() {
    let swapped = renamed(&human_joints(), |name| {
        if name.contains(" L ") { name.replace(" L ", " R ") } else { name.replace(" R ", " L ") }
    });
    faces_with_every_turn(&swapped, &human_points());
}

#[test]
fn front_by_sides_holds_for_all_ways_to_write_them() {
    type Rename = fn(&str, &str) -> String;
    let ways: [Rename; 5] = [
        |side, part| format!("{part}.{side}"),
        |side, part| format!("{}{part}", if side == "L" { "Left" } else { "Right" }),
        |side, part| format!("{part}_{}", side.to_lowercase()),
        |side, part| format!("mixamorig:{}{part}", if side == "L" { "Left" } else { "Right" }),
        |side, part| format!("{}{}", side.to_lowercase(), part.to_lowercase()),
    ];
    for way in ways {
        let joints: Vec<(String, Vec3)> = human_joints()
            .into_iter()
            .filter(|(name, _)| !name.contains("Toe"))
            .map(|(name, at)| {
                let words: Vec<&str> = name.split(' ').collect();
                let name = if words.len() == 3 { way(words[1], words[2]) } else { words[1].into() };
                (name, at)
            })
            .collect();
        faces_with_every_turn(&joints, &human_points());
    }
}

#[test]
fn ponytail_does_not_turn_its_owner() {
    let mut joints = human_joints();
    joints.push(joint("Bip01 Ponytail1", 0.0, 1.55, -0.2));
    let body = body(&joints, human_points());
    let votes = found(&body).front.votes;
    assert!(!votes.iter().any(|vote| vote.cue == Cue::HeadAndTail), "{votes:?}");
    let hair = votes.iter().find(|vote| vote.cue == Cue::WornOnBack).unwrap();
    assert!(hair.direction.z > 0.9, "{hair:?}");
    faces_with_every_turn(&joints, &human_points());
}

#[test]
fn animal_faces_where_its_head_is() {
    let points = || {
        let mut points = cuboid(Vec3::new(-0.3, 0.5, -0.8), Vec3::new(0.3, 1.0, 0.8));
        points.extend(cuboid(Vec3::new(-0.15, 0.9, 0.8), Vec3::new(0.15, 1.3, 1.2)));
        points
    };
    let tail = [
        joint("spine", 0.0, 0.8, 0.0),
        joint("head", 0.0, 1.1, 1.0),
        joint("tail1", 0.0, 0.9, -0.9),
    ];
    faces_with_every_turn(&tail, &points());
    let head = [joint("body", 0.0, 0.8, 0.0), joint("Armature_Head", 0.0, 1.1, 1.0)];
    faces_with_every_turn(&head, &points());
    let legs = [
        joint("flegl", 0.2, 0.4, 0.6),
        joint("ffoot.l", 0.2, 0.0, 0.6),
        joint("ffoot.r", -0.2, 0.0, 0.6),
        joint("rfoot.l", 0.2, 0.0, -0.6),
        joint("rfoot.r", -0.2, 0.0, -0.6),
    ];
    faces_with_every_turn(&legs, &points());
}

#[test]
fn load_on_the_back_and_beard_tell_the_front() {
    let cape =
        [joint("Body", 0.0, 1.0, 0.0), joint("Head", 0.0, 1.6, 0.0), joint("Cape", 0.0, 1.2, -0.3)];
    faces_with_every_turn(&cape, &cuboid(Vec3::splat(-1.0), Vec3::ONE));
    let beard = [joint("bhead", 0.0, 1.9, 0.0), joint("bbeard1", 0.0, 1.8, 0.25)];
    faces_with_every_turn(&beard, &cuboid(Vec3::splat(-1.0), Vec3::ONE));
}

/// Without names, the mesh's toes and symmetry determine the front.
#[test]
fn mesh_without_names_tells_its_front() {
    let joints = nameless(&human_joints());
    let orientation = found(&body(&joints, human_points()));
    assert!(cues(&orientation.front).contains(&Cue::MeshFeet), "{:?}", orientation.front);
    faces_with_every_turn(&joints, &human_points());
}

#[test]
fn joint_of_one_side_alone_tells_it() {
    let joints: [NamedJoint<'_>; 3] = [
        ("Armature_root", None, Vec3::ZERO, Some(Vec3::Y)),
        ("Armature_Right_Hand", Some(0), Vec3::new(-0.3, 1.2, 0.0), None),
        ("Armature_Bone_002", Some(0), Vec3::new(0.3, 1.2, 0.0), None),
    ];
    let alone = Body::new(&joints, cuboid(Vec3::splat(-1.0), Vec3::ONE), true);
    assert!(found(&alone).front.direction.z > 0.95);
    let targets: [NamedJoint<'_>; 2] = [
        ("Armature_IK_Right_Leg", None, Vec3::new(-0.3, 0.0, 0.0), None),
        ("Armature_IK_Left_Leg", None, Vec3::new(0.3, 0.0, 0.0), None),
    ];
    let steered = Body::new(&targets, cuboid(Vec3::splat(-1.0), Vec3::ONE), true);
    assert!(found(&steered).front.direction.z > 0.95);
}

#[test]
fn joints_that_say_nothing_leave_the_convention() {
    let cube = cuboid(Vec3::splat(-1.0), Vec3::ONE);
    let plain = body(&[joint("bone1", 0.0, 0.0, 0.0), joint("bone2", 1.0, 0.0, 0.0)], cube);
    let orientation = found(&plain);
    assert!(orientation.up.is_convention() && orientation.front.is_convention());
    assert_eq!(orientation.front.direction, Vec3::X);
    let torn = [
        joint("arm_l", 0.0, 0.0, 1.0),
        joint("arm_r", 0.0, 0.0, -1.0),
        joint("leg_l", 0.0, 0.0, -1.0),
        joint("leg_r", 0.0, 0.0, 1.0),
    ];
    let torn = body(&torn, cuboid(Vec3::splat(-1.0), Vec3::ONE));
    assert!(found(&torn).front.is_convention(), "names that contradict each other");
    assert!(found(&Body::default()).front.is_convention());
}

/// Turns that bring +Y to each axis.
fn ups() -> Vec<Quat> {
    let quarter = core::f32::consts::FRAC_PI_2;
    vec![
        Quat::from_rotation_x(quarter),
        Quat::from_rotation_x(-quarter),
        Quat::from_rotation_z(quarter),
        Quat::from_rotation_z(-quarter),
    ]
}

#[test]
fn lying_figure_is_stood_up_by_its_names_and_keeps_its_front() {
    for turn in ups() {
        let lying = body(&human_joints(), human_points()).turned(|at| turn * at);
        let orientation = found(&lying);
        let up = turn * Vec3::Y;
        assert!(orientation.up.direction.dot(up) > 0.99, "{:?}", orientation.up);
        let front = orientation.front_axis();
        assert!(front.dot(turn * Vec3::Z) > 0.99, "{up}: {front} {:?}", orientation.front);
    }
}

/// With its arms spread a figure is nearly as wide as high.
#[test]
fn lying_figure_without_names_is_stood_up_by_its_box() {
    for turn in ups() {
        let lying = body(&nameless(&human_joints()), human_points()).turned(|at| turn * at);
        let orientation = found(&lying);
        let up = turn * Vec3::Y;
        // Lying on its side it could as well be a snake that begins at 0.
        if up.z.abs() > 0.9 {
            assert!(orientation.up.direction.dot(up) > 0.99, "{up}: {:?}", orientation.up);
            assert!(cues(&orientation.up).contains(&Cue::StandsOnZero));
        }
    }
    let snake = cuboid(Vec3::new(-0.1, 0.0, -2.0), Vec3::new(0.1, 0.2, 2.0));
    let orientation = found(&body(&nameless(&human_joints()), snake));
    assert!(orientation.up.is_convention(), "{:?}", orientation.up);
}
