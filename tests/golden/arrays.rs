//! Models of arrays: what is given is what is drawn.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a test stops at the first surprise, and makes numbers of known size"
)]

use crate::support::trial;
use libtest_mimic::Failed;
use tintype::builder::{CameraBuilder, ModelBuilder, SceneBuilder};
use tintype::{Channel, ErrorKind, Given, LoadOptions, MemoryFiles, MeshArrays, Renderer};

/// A grid of squares in the plane z = 0, from -1 to 1, each of two triangles.
fn grid(side: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let at = |k: u32| k as f32 / side as f32 * 2.0 - 1.0;
    let points = (0..=side).flat_map(|y| (0..=side).map(move |x| [at(x), at(y), 0.0]));
    let corner = |x: u32, y: u32| y * (side + 1) + x;
    let squares = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let triangles = squares.flat_map(|(x, y)| {
        let [a, b] = [corner(x, y), corner(x + 1, y)];
        let [c, d] = [corner(x + 1, y + 1), corner(x, y + 1)];
        [[a, b, c], [a, c, d]]
    });
    (points.collect(), triangles.collect())
}

fn renderer(arrays: &MeshArrays) -> Result<Renderer, Failed> {
    let k = [[100.0, 0.0, 64.0], [0.0, 100.0, 48.0], [0.0, 0.0, 1.0]];
    let rt = [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 4.0]];
    let scene = SceneBuilder::new()
        .size([128, 96])
        .camera(CameraBuilder::matrix(k, rt, [128, 96]))
        .model(ModelBuilder::new("body"));
    let files = MemoryFiles::new().with("body", arrays.to_glb()?).over_disk();
    Ok(Renderer::build_with(&scene, "", &LoadOptions::default().with_files(files))?)
}

/// The triangle and the depth of each pixel that shows any.
fn seen(renderer: &Renderer, given: &Given) -> Result<Vec<(usize, u32, f32)>, Failed> {
    let found = renderer.channels(0, given, &[Channel::Triangle, Channel::Depth])?;
    let triangles = found.indices(Channel::Triangle).unwrap();
    let depth = found.numbers(Channel::Depth).unwrap();
    let pairs = triangles.iter().zip(depth).enumerate();
    let seen = pairs.filter(|(_, (triangle, _))| **triangle > 0);
    Ok(seen.map(|(pixel, (&triangle, &depth))| (pixel, triangle, depth)).collect())
}

#[trial]
fn arrays_keep_the_order_of_their_triangles() -> Result<(), Failed> {
    let (points, triangles) = grid(5);
    let renderer = renderer(&MeshArrays::new(points, triangles))?;
    let seen = seen(&renderer, &Given::new())?;
    assert_eq!(seen.len(), 50 * 50, "pixels of a square of 2 at a distance of 4");
    for (pixel, triangle, depth) in seen {
        // In the plane, 25 pixels are a unit; y is up there and down here.
        let [x, y] = [(pixel % 128) as f32 + 0.5 - 64.0, 48.0 - (pixel / 128) as f32 - 0.5];
        let [x, y] = [x, y].map(|at| (at / 25.0 + 1.0) * 2.5);
        let square = 2 * (y as u32 * 5 + x as u32);
        let half = y.fract() - x.fract();
        assert!(half.abs() < 1e-3 || triangle == square + 1 + u32::from(half > 0.0), "{pixel}");
        assert_eq!(depth, 4.0);
    }
    Ok(())
}

#[trial]
fn joints_and_vertices_of_a_moment_move_the_surface() -> Result<(), Failed> {
    let (points, triangles) = grid(5);
    let count = points.len();
    let arrays = MeshArrays::new(points.clone(), triangles);
    let mut there = [[0.0; 4]; 4];
    (0..4).for_each(|k| there[k][k] = 1.0);
    // Five influences need a second set of four.
    let joints = vec![vec![0, 1, 0, 1, 1]; count];
    let weights = vec![vec![0.25, 0.25, 0.25, 0.125, 0.125]; count];
    let skinned = renderer(&arrays.clone().skin(joints, weights, vec![there; 2]))?;
    let plain = renderer(&arrays)?;
    let still = seen(&plain, &Given::new())?;
    assert_eq!(seen(&skinned, &Given::new())?, still, "identities move nothing");
    let mut near = there;
    near[2][3] = 2.0;
    // Half of the weight moves by 2.
    let posed = seen(&skinned, &Given::new().joints(0, &[near, there]))?;
    let moved: Vec<[f32; 3]> = points.iter().map(|&[x, y, z]| [x, y, z + 1.0]).collect();
    let given = seen(&plain, &Given::new().vertices(0, &moved))?;
    assert_eq!(posed, given);
    assert!(posed.iter().all(|&(.., depth)| depth == 3.0) && posed.len() > still.len());
    near[2][3] = 1.0;
    assert_eq!(seen(&plain, &Given::new().transform(0, &near))?, given);
    // The same picture, lights and all.
    let [one, other] = [Given::new().vertices(0, &moved), Given::new().transform(0, &near)]
        .map(|given| plain.draw_given(0, &given, &[]).map(|(frame, _)| frame));
    assert_eq!(one?, other?);
    Ok(())
}

#[trial]
fn arrays_that_do_not_fit_are_refused() -> Result<(), Failed> {
    let (points, triangles) = grid(2);
    let arrays = || MeshArrays::new(points.clone(), triangles.clone());
    for (made, says) in [
        (
            MeshArrays::new(points.clone(), vec![[0, 1, 9]]),
            "triangles[0] = [0, 1, 9] refers to a vertex",
        ),
        (arrays().normals(vec![[0.0; 3]; 8]), "normals has 8 vertices, but positions has 9"),
        (arrays().texcoords(vec![[f32::NAN, 0.0]; 9]), "texcoords[0] is not finite"),
        (arrays().skin(vec![vec![1]; 9], vec![vec![1.0]; 9], vec![[[0.0; 4]; 4]]), "joint 1 of 1"),
        (arrays().skin(vec![vec![]; 9], vec![vec![1.0]; 9], vec![]), "as many joints as weights"),
        (arrays().skin(vec![vec![]; 8], vec![vec![]; 8], vec![]), "joints has 8 vertices"),
    ] {
        let error = made.to_glb().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Draw);
        assert!(error.to_string().contains(says), "{error}");
    }
    let renderer = renderer(&arrays())?;
    for (given, says) in [
        (Given::new().transform(1, &[[0.0; 4]; 4]), "instance 1 of 1"),
        (Given::new().vertices(0, &[[0.0; 3]; 8]), "8 vertices, but its model has 9"),
        (Given::new().vertices(0, &[[f32::INFINITY; 3]; 9]), "is not finite"),
        (Given::new().joints(0, &[[[0.0; 4]; 4]; 7]), "7 joints, but its model has"),
    ] {
        let error = renderer.draw_given(0, &given, &[]).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    Ok(())
}
