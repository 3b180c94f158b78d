//! A rig, its meshes and its clips as frames, skinned meshes and animation sets.
//!
//! A rotation key is `w, x, y, z` of the turn against the sense of the matrices; a turn about the
//! axis `(x, y, z)` is written with `(x, z, y)`, because the change of axes and the sense each turn
//! the axis over.

use super::axes::{fine, frame, matrix, wholes};
use super::mesh::{Look, mesh_object};
use super::{Object, Value, counted};
use crate::md5_text::{Mesh, local};
use crate::rig::{Pose, Posed, Rig, restored};
use glam::{DQuat, DVec3};
use std::collections::BTreeSet;

/// Content of a file.
pub(crate) struct Figure<'a> {
    /// The name of the outermost frame.
    pub name: &'a str,
    pub rig: &'a Rig,
    pub meshes: &'a [Mesh],
    /// One for each mesh.
    pub looks: &'a [Look],
    /// Keys a second.
    pub rate: u32,
    /// Clips by name.
    pub clips: &'a [(&'a str, &'a [Pose])],
}

impl Figure<'_> {
    /// The objects of the file.
    pub(crate) fn objects(&self) -> Vec<Object> {
        let mut top = frame(self.name, DVec3::ZERO, DQuat::IDENTITY);
        top.push(self.joint(0));
        for (mesh, look) in self.meshes.iter().zip(self.looks) {
            top.push(self.mesh(mesh, look));
        }
        let mut objects =
            vec![Object::new("AnimTicksPerSecond", vec![Value::Whole(self.rate)]), top];
        objects.extend(self.clips.iter().map(|(name, poses)| self.clip(name, poses)));
        objects
    }

    /// A joint and all below it, each against its parent in the bind pose.
    fn joint(&self, index: usize) -> Object {
        let joint = &self.rig.joints[index];
        let (place, turn) = match joint.parent.map(|parent| &self.rig.joints[parent]) {
            None => (joint.place, joint.turn),
            Some(above) => {
                let back = above.turn.inverse();
                (back * (joint.place - above.place), back * joint.turn)
            }
        };
        let mut object = frame(&joint.name, place, turn);
        for child in 0..self.rig.joints.len() {
            if self.rig.joints[child].parent == Some(index) {
                object.push(self.joint(child));
            }
        }
        object
    }

    fn mesh(&self, mesh: &Mesh, look: &Look) -> Object {
        let (mut object, order) = mesh_object(mesh, look);
        self.skin(mesh, &order, &mut object);
        object
    }

    /// Weights of joints on vertices, and the matrix from mesh space into the space of each joint.
    fn skin(&self, mesh: &Mesh, order: &[u32], object: &mut Object) {
        let joints: BTreeSet<usize> =
            mesh.holds.iter().flatten().map(|&(joint, _)| joint).collect();
        let most = mesh.holds.iter().map(Vec::len).max().unwrap_or(0);
        let of_face = |triangle: &[u32; 3]| {
            let places = triangle.map(|vertex| mesh.vertices[vertex as usize].0 as usize);
            let joints: BTreeSet<usize> =
                places.iter().flat_map(|&at| &mesh.holds[at]).map(|&(joint, _)| joint).collect();
            joints.len()
        };
        let most_of_face = mesh.triangles.iter().map(of_face).max().unwrap_or(0);
        object.push(Object::new(
            "XSkinMeshHeader",
            [most, most_of_face, joints.len()].map(|count| Value::Whole(count as u32)).into(),
        ));
        for joint in joints {
            let mut pulled = Vec::new();
            for (at, &vertex) in order.iter().enumerate() {
                let hold = &mesh.holds[mesh.vertices[vertex as usize].0 as usize];
                pulled.extend(
                    hold.iter()
                        .filter(|one| one.0 == joint)
                        .map(|&(_, weight)| (at as u32, weight)),
                );
            }
            let own = &self.rig.joints[joint];
            let back = own.turn.inverse();
            object.push(Object::new(
                "SkinWeights",
                vec![
                    Value::Text(own.name.clone()),
                    Value::Whole(pulled.len() as u32),
                    wholes(pulled.iter().map(|&(at, _)| at)),
                    Value::Array(pulled.iter().map(|&(_, weight)| fine(weight)).collect()),
                    matrix(-(back * own.place), back),
                ],
            ));
        }
    }

    /// All joints at each tick, and the first pose again at the end, where a set repeats.
    fn clip(&self, name: &str, poses: &[Pose]) -> Object {
        let posed: Vec<Vec<Posed>> = poses.iter().map(|pose| pose.posed(self.rig)).collect();
        let mut set = Object::new("AnimationSet", Vec::new()).named(name);
        for (index, joint) in self.rig.joints.iter().enumerate() {
            let (mut turns, mut places) = (Vec::new(), Vec::new());
            let mut before = DQuat::IDENTITY;
            let again = poses.iter().zip(&posed).take(1);
            for (pose, posed) in poses.iter().zip(&posed).chain(again) {
                let [x, y, z, turn_x, turn_y, turn_z] = local(self.rig, index, pose, posed);
                let turn = restored(DVec3::new(turn_x, turn_y, turn_z));
                // On the side of the previous key, so that readers need not turn it over.
                let turn = if turn.dot(before) < 0.0 { -turn } else { turn };
                before = turn;
                turns.push([turn.w, turn.x, turn.z, turn.y].map(fine).into());
                places.push([x, z, y].map(fine).into());
            }
            let mut animation = Object::new("Animation", Vec::new());
            animation.refer(&joint.name);
            animation.push(keys(0, turns));
            animation.push(keys(1, vec![vec![fine(1.0), fine(1.0), fine(1.0)]]));
            animation.push(keys(2, places));
            set.push(animation);
        }
        set
    }
}

/// Keys at the ticks from 0 on; one if they are all the same.
fn keys(kind: u32, mut keys: Vec<Vec<Value>>) -> Object {
    let text = |key: &Vec<Value>| key.iter().map(super::text::inline).collect::<Vec<_>>();
    if keys.windows(2).all(|pair| text(&pair[0]) == text(&pair[1])) {
        keys.truncate(1);
    }
    let timed = (0_u32..).zip(keys).map(|(tick, key)| {
        let numbers = vec![Value::Whole(key.len() as u32), Value::Array(key)];
        Value::Struct(vec![Value::Whole(tick), Value::Struct(numbers)])
    });
    let mut values = vec![Value::Whole(kind)];
    values.extend(counted(timed.collect()));
    Object::new("AnimationKey", values)
}
