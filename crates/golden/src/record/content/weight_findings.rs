//! Differences of the weights of a mesh.

use super::mesh_finding::{MAX_VERTICES, Partner, joint_before, say, subject, vertices_of, within};
use super::model_content::{MeshContent, MeshJoint};
use super::sums::{Change, Sums};
use std::collections::BTreeMap;
use tintype_compare::finding::{Element, Finding, Kind, Subject, Unit};
use tintype_model::math::larger;

/// Joints with the changes of their weights.
type OfJoints = Vec<(Subject, f64)>;

/// Changes of the weights of a mesh, as reported joint by joint.
struct Changes<'m> {
    mesh: &'m MeshContent,
    /// The vertices that are known to differ.
    vertices: Option<&'m [usize]>,
    /// Joints with all weights changed by the same factor.
    all: Vec<Finding>,
    /// By vertex: the joints and their changes.
    of_vertices: BTreeMap<usize, OfJoints>,
    /// Joints with several changes, and their sums before and now.
    several: Vec<(Subject, [f64; 2])>,
}

/// Weights: all of a joint by one factor, otherwise those of single vertices. `vertices` are the
/// ones known to differ; sums reveal how the changes of a joint are divided between one or two of
/// them, and no more.
pub(super) fn weights(
    old: &MeshContent,
    new: &MeshContent,
    partner: &Partner,
    vertices: Option<&[usize]>,
) -> Vec<Finding> {
    let none = Sums::default();
    let mut changes = Changes {
        mesh: new,
        vertices,
        all: Vec::new(),
        of_vertices: BTreeMap::new(),
        several: Vec::new(),
    };
    for MeshJoint { name: joint, weights, .. } in &new.joints {
        let before = joint_before(old, partner, joint);
        changes.add(joint, before.map_or(&none, |before| &before.weights), weights);
    }
    for MeshJoint { name: joint, weights, .. } in &old.joints {
        let is_kept = new
            .joints
            .iter()
            .any(|now| partner(&now.name).unwrap_or_else(|| now.name.clone()) == *joint);
        if !is_kept {
            changes.add(joint, weights, &none);
        }
    }
    changes.findings()
}

/// The sum of one power of weights.
fn total(sums: &Sums, power: usize) -> f64 {
    sums.total(power).first().copied().unwrap_or(0.0)
}

impl Changes<'_> {
    /// Adds the changes in the weights of a joint.
    fn add(&mut self, joint: &str, before: &Sums, now: &Sums) {
        if before.is_same(now) {
            return;
        }
        let ratio = [0, 1].map(|power| total(now, power) / total(before, power));
        let is_factor = before.count == now.count
            && before.count > 1
            && (ratio[0] - ratio[1]).abs() < 2e-5
            && (ratio[0] - 1.0).abs() > 1e-5;
        let padded = |sums: &Sums| {
            if sums.sums.is_empty() {
                Sums { sums: vec![[0; 2]], ..sums.clone() }
            } else {
                sums.clone()
            }
        };
        let (from, to) = (padded(before), padded(now));
        if to.is_rounded(&Sums { count: to.count, ..from.clone() }, 1.0, self.vertices) {
            return;
        }
        match self.single(to.change_since(&from, self.vertices)) {
            Some(changes) if !is_factor || changes.len() < 3 => {
                for (vertex, by) in changes.into_iter().filter(|(_, by)| by.abs() > 1e-6) {
                    self.of_vertices.entry(vertex).or_default().push((Subject::joint(joint), by));
                }
            }
            _ if is_factor => {
                let count = now.count as usize;
                let weights = say(Kind::AllChanged, Subject::all(Element::Weight));
                let weights = weights.within(Subject::joint(joint)).within(subject(self.mesh));
                let percent = (ratio[0] - 1.0) * 100.0;
                self.all.push(weights.count(count, count).by(percent, Unit::Percent));
            }
            _ => {
                self.several.push((Subject::joint(joint), [&from, &to].map(|sums| total(sums, 0))))
            }
        }
    }

    /// The vertices of a change, each with its amount. No weight changes by more than 1: if sums
    /// suggest that, several changed, or one factor changed all.
    fn single(&self, change: Change) -> Option<Vec<(usize, f64)>> {
        let changes = match change {
            // With three or more vertices, changes of two others have the same sums as one between
            // them.
            Change::One { index, by } => {
                let is_told = self.vertices.is_none_or(|vertices| vertices.len() < 3);
                is_told.then(|| vec![(index, by[0])])
            }
            Change::Each { indices, by } => {
                Some(indices.into_iter().map(|index| (index, by[0])).collect())
            }
            Change::Two { indices, by: [a, b] } => {
                Some(vec![(indices[0], a[0]), (indices[1], b[0])])
            }
            Change::Several => None,
        };
        changes.filter(|changes| changes.iter().all(|(_, by)| by.abs() <= 1.0 + 1e-6))
    }

    fn findings(self) -> Vec<Finding> {
        let Self { mesh, vertices, mut all, of_vertices, several } = self;
        let weights = || within(mesh, Kind::ElementsChanged, Element::Weight);
        if !several.is_empty() {
            let among = vertices.unwrap_or_default();
            let among = if (3..=MAX_VERTICES).contains(&among.len()) { among } else { &[] };
            all.push(weights().elements(vertices_of(among).chain(by_size(several))));
            return all;
        }
        // Vertices with the same change are reported together.
        let mut groups: Vec<(Vec<usize>, OfJoints)> = Vec::new();
        for (vertex, changes) in of_vertices {
            match groups.iter_mut().find(|(_, known)| *known == changes) {
                Some((vertices, _)) => vertices.push(vertex),
                None => groups.push((vec![vertex], changes)),
            }
        }
        all.extend(groups.into_iter().map(|(vertices, mut changes)| {
            // The largest comes first, and of equal ones the lower one.
            let weight = |by: f64| ((by.abs() * 1e5).round(), -by);
            changes.sort_by(|(_, a), (_, b)| {
                let (a, b) = (weight(*a), weight(*b));
                b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
            });
            let own = changes.iter().fold(weights(), |own, (_, by)| own.by(*by, Unit::Number));
            own.elements(vertices_of(&vertices).chain(changes.into_iter().map(|(joint, _)| joint)))
        }));
        all
    }
}

/// Joints by the change of the sum of their weights. Weights are fractions, so other joints follow:
/// the largest change leads, and of equal ones the largest relative to the joint's weights.
fn by_size(mut joints: Vec<(Subject, [f64; 2])>) -> impl Iterator<Item = Subject> {
    let weight = |[from, to]: &[f64; 2]| {
        let by = (to - from).abs();
        ((libm::log(by) * 1e4).round(), by / larger(*from, f64::MIN_POSITIVE))
    };
    joints.sort_by(|(_, a), (_, b)| {
        let ((by, share), (other, its)) = (weight(a), weight(b));
        other.total_cmp(&by).then(its.total_cmp(&share))
    });
    joints.into_iter().map(|(joint, _)| joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_factor_for_all_weights_is_not_one_vertex_in_their_middle() {
        let told =
            |all: Vec<Finding>| -> Vec<String> { all.iter().map(Finding::sentence).collect() };
        let mesh = |weight: &dyn Fn(i64) -> f32| MeshContent {
            name: "body".to_owned(),
            joints: vec![MeshJoint {
                name: "spine".to_owned(),
                weights: Sums::at((0..21).map(|vertex| (vertex, [weight(vertex)]))),
                offset: None,
            }],
            ..MeshContent::default()
        };
        let changes = |to: &dyn Fn(i64) -> f32| {
            let (old, new) = (mesh(&|_| 1.0), mesh(to));
            told(weights(&old, &new, &|name| Some(name.to_owned()), None))
        };
        assert_eq!(changes(&|_| 0.5), ["all 21 weights of spine in mesh body are 50 % lower"]);
        let one = |vertex| if vertex == 10 { 0.5 } else { 1.0 };
        let two = |vertices: Option<&[usize]>| {
            let to = |vertex| if vertex == 10 || vertex == 12 { 0.5 } else { 1.0 };
            let (old, new) = (mesh(&|_| 1.0), mesh(&to));
            told(weights(&old, &new, &|name| Some(name.to_owned()), vertices))
        };
        assert_eq!(
            two(Some(&[10, 12])),
            ["weights of vertices 10 and 12 in mesh body changed: of spine 0.5 lower, each"]
        );
        // One of them may have the same mark by chance; if more may have changed, they cannot be
        // distinguished.
        assert_eq!(two(Some(&[10])), two(Some(&[10, 12])));
        assert_eq!(
            two(Some(&[3, 10, 11, 12])),
            ["weights of spine in mesh body changed on several vertices among 3, 10, 11 and 12"]
        );
        assert_eq!(
            changes(&one),
            ["weights of vertex 10 in mesh body changed: of spine 0.5 lower"]
        );
    }
}
