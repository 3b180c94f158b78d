//! A ball with waves, skinned to a chain of eight joints, two influences a vertex: content that
//! benches make themselves, and the processor time that they measure.

use std::fmt::Write;
use std::fs;

/// CPU time of all threads of this process in milliseconds, if the system reports it.
pub(crate) fn processor_ms() -> f64 {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return f64::NAN };
    tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("schedstat")).ok())
        .filter_map(|text| text.split(' ').next()?.parse::<f64>().ok())
        .sum::<f64>()
        * 1e-6
}

/// The ball as MD5 text.
pub(crate) fn mesh(around: usize) -> String {
    let rows = around / 2;
    let stride = around + 1;
    let count = (rows + 1) * stride;
    let mut text =
        String::from("MD5Version 10\ncommandline \"\"\nnumJoints 8\nnumMeshes 1\njoints {\n");
    let joint_z = |joint: i32| f64::from(joint) / 3.5 - 1.0;
    for joint in 0..8_i32 {
        let z = joint_z(joint);
        let _ = writeln!(text, "\"j{joint}\" {} ( 0 0 {z} ) ( 0 0 0 )", joint - 1);
    }
    let _ = write!(text, "}}\nmesh {{\nshader \"ball\"\nnumverts {count}\n");
    for vertex in 0..count {
        let (row, column) = (vertex / stride, vertex % stride);
        let (u, v) = (column as f64 / around as f64, 1.0 - row as f64 / rows as f64);
        let _ = writeln!(text, "vert {vertex} ( {:.6} {v:.6} ) {} 2", 4.0 * u, 2 * vertex);
    }
    let _ = writeln!(text, "numtris {}", 2 * rows * around);
    for pair in 0..rows * around {
        let a = pair / around * stride + pair % around;
        let (b, c) = (a + 1, a + stride);
        let _ =
            writeln!(text, "tri {} {a} {c} {b}\ntri {} {b} {c} {}", 2 * pair, 2 * pair + 1, c + 1);
    }
    let _ = writeln!(text, "numweights {}", 2 * count);
    for vertex in 0..count {
        let (row, column) = (vertex / stride, vertex % stride % around);
        let turn = column as f64 / around as f64 * core::f64::consts::TAU;
        // Not quite to the poles, where triangles would have no area.
        let rise = (0.004 + 0.992 * row as f64 / rows as f64) * core::f64::consts::PI;
        let radius = 1.0 + 0.12 * libm::sin(5.0 * turn) * libm::sin(4.0 * rise);
        let ring = radius * libm::sin(rise);
        let (x, y, z) = (ring * libm::cos(turn), ring * libm::sin(turn), -radius * libm::cos(rise));
        let along = (z + 1.0) * 3.5;
        let first = if along > 0.0 { (along as i32).min(6) } else { 0 };
        let share = along - f64::from(first);
        for (slot, joint) in [first, first + 1].into_iter().enumerate() {
            let bias = if slot == 0 { 1.0 - share } else { share };
            let z = z - joint_z(joint);
            let index = 2 * vertex + slot;
            let _ = writeln!(text, "weight {index} {joint} {bias:.6} ( {x:.6} {y:.6} {z:.6} )");
        }
    }
    text + "}\n"
}

/// A clip of the swaying chain.
pub(crate) fn clip(frames: usize) -> String {
    let mut text = format!(
        "MD5Version 10\ncommandline \"\"\nnumFrames {frames}\nnumJoints 8\nframeRate 24\nnumAnimatedComponents 8\nhierarchy {{\n"
    );
    for joint in 0..8 {
        // Bit 3 is the x part of the rotation.
        let _ = writeln!(text, "\"j{joint}\" {} 8 {joint}", i64::from(joint) - 1);
    }
    text.push_str("}\nbounds {\n");
    text.push_str(&"( -2 -2 -2 ) ( 2 2 2 )\n".repeat(frames));
    text.push_str("}\nbaseframe {\n");
    for joint in 0..8 {
        let _ = writeln!(text, "( 0 0 {} ) ( 0 0 0 )", if joint == 0 { -1.0 } else { 2.0 / 7.0 });
    }
    text.push_str("}\n");
    for frame in 0..frames {
        let _ = writeln!(text, "frame {frame} {{");
        for joint in 0..8 {
            let turn = frame as f64 / frames as f64 * core::f64::consts::TAU + f64::from(joint);
            let _ = writeln!(text, "{:.6}", 0.02 * libm::sin(turn));
        }
        text.push_str("}\n");
    }
    text
}
