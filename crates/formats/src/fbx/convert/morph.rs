//! Blend shapes and switches of visibility: weights moved by clips beside the joints.
//!
//! A channel with in-between shapes has one weight for each of them, computed from the percentage
//! of the channel.

use super::node::{Node, Nodes};
use crate::fbx::document::Document;
use crate::fbx::motion::Stack;
use crate::fbx::tree::Node as Record;
use crate::names::Names;
use std::collections::BTreeMap;
use tintype_model::{FileRepair, MorphWeight, Warning};

/// The property of visibility.
pub(super) const VISIBILITY: &str = "Visibility";
const PERCENT: &str = "DeformPercent";

/// A channel of a deformer of blend shapes.
pub(super) struct Channel<'d> {
    /// The object and its property with the percentage.
    pub(super) object: usize,
    pub(super) property: String,
    name: String,
    rest: f64,
    /// Percentages of full weight of each shape, and the shapes.
    pub(super) full: Vec<f64>,
    pub(super) shapes: Vec<&'d Record<'d>>,
    /// Fractions of a shape's offsets, one for each; empty if all count in full.
    shares: Vec<f64>,
    /// By shape: indices of its weights, one for each model with its geometry.
    pub(super) slots: Vec<Vec<usize>>,
}

/// The weights of the scene.
pub(super) struct Morphs<'d> {
    pub(super) weights: Vec<MorphWeight>,
    pub(super) channels: Vec<Channel<'d>>,
    /// Objects with animated visibility, with the indices of their weights.
    pub(super) switches: Vec<(usize, usize)>,
    /// By model and geometry: channels, with the index of the weight of their first shape.
    targets: BTreeMap<(usize, usize), Vec<(usize, usize)>>,
    /// True if the file hides all of its meshes permanently, so that nothing would be visible.
    shows_hidden: bool,
}

impl Channel<'_> {
    /// The weight of a shape at a percentage.
    pub(super) fn weight(&self, shape: usize, percent: f64) -> f64 {
        let is_side = |full: f64| if percent > 0.0 { full >= 0.0 } else { full < 0.0 };
        let mut side: Vec<(f64, Option<usize>)> = (self.full.iter().zip(0..))
            .filter(|(full, _)| is_side(**full))
            .map(|(full, index)| (*full, Some(index)))
            .collect();
        side.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        side.insert(0, (0.0, None));
        if side.len() == 1 {
            // Below 0, the nearest shape on the other side is extrapolated.
            let nearest = self.full.iter().zip(0..).min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
            side.extend(nearest.map(|(full, index)| (*full, Some(index))));
        }
        let next = side.iter().skip(1).position(|(full, _)| full.abs() > percent.abs());
        let next = next.map_or(side.len().saturating_sub(1), |index| index + 1);
        let (Some(from), Some(to)) =
            (next.checked_sub(1).and_then(|at| side.get(at)), side.get(next))
        else {
            return 0.0;
        };
        let way = to.0 - from.0;
        let share = if way == 0.0 { 0.0 } else { (percent - from.0) / way };
        match shape {
            shape if to.1 == Some(shape) => share,
            shape if from.1 == Some(shape) => 1.0 - share,
            _ => 0.0,
        }
    }
}

impl<'d> Channel<'d> {
    /// The channel of an object `BlendShapeChannel`.
    fn read(
        document: &'d Document<'d>,
        object: usize,
        warnings: &mut Vec<Warning>,
    ) -> Option<Self> {
        let own = document.objects.get(object)?;
        let shapes: Vec<&Record> = document
            .parts(object, "Geometry")
            .filter_map(|shape| document.objects.get(shape).map(|shape| shape.node))
            .collect();
        let stated = own.node.reals_of("FullWeights").unwrap_or_else(|why| {
            warnings.push(document.fault(FileRepair::WrongType, object, &why));
            None
        });
        let mut full = stated.unwrap_or_default();
        // Blender's exporter writes the weights of a vertex group here.
        let shares = if document.is_of_blender {
            std::mem::take(&mut full).iter().map(|one| one / 100.0).collect()
        } else {
            Vec::new()
        };
        full.resize(shapes.len(), 100.0);
        let rest = document.real(object, PERCENT);
        let rest = rest.or_else(|| own.node.real_of(PERCENT)).unwrap_or(0.0);
        let (property, name) = (PERCENT.to_owned(), own.name.clone());
        Some(Self { object, property, name, rest, full, shapes, shares, slots: Vec::new() })
    }
}

impl<'d> Morphs<'d> {
    /// Gathers channels and switches of the models that have meshes.
    pub(super) fn new(
        document: &'d Document<'d>,
        nodes: &Nodes,
        geometries: &[(usize, usize)],
        stacks: &[Stack],
        warnings: &mut Vec<Warning>,
    ) -> Self {
        let (weights, channels) = (Vec::new(), Vec::new());
        let (switches, targets) = (Vec::new(), BTreeMap::new());
        let mut all = Self { weights, channels, switches, targets, shows_hidden: false };
        let mut known: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let is_switched = |node: &Node| {
            stacks.iter().any(|stack| !stack.drives(node.object, VISIBILITY).is_empty())
        };
        let is_hidden = |&(model, _): &(usize, usize)| {
            let mut above =
                nodes.list.get(model).into_iter().flat_map(|node| above(document, nodes, node));
            above.any(|node| !is_shown(document, node) && !is_switched(node))
        };
        all.shows_hidden = !geometries.is_empty() && geometries.iter().all(is_hidden);
        if all.shows_hidden {
            let message = "all meshes are hidden in the file; they are drawn anyway";
            warnings.push(FileRepair::Effect.told(message));
        }
        for (index, node) in nodes.list.iter().enumerate() {
            let mut number = 0;
            let own = geometries.iter().filter(|(model, _)| *model == index);
            let mut names = Names::default();
            for &(_, geometry) in own {
                known
                    .entry(geometry)
                    .or_insert_with(|| all.read_channels(document, geometry, warnings));
                for &channel in known.get(&geometry).into_iter().flatten() {
                    all.add_targets((index, geometry), node, channel, &mut number, &mut names);
                }
            }
            if is_switched(node) {
                all.switches.push((node.object, all.weights.len()));
                let rest = if is_shown(document, node) { 1.0 } else { 0.0 };
                let name = names.unique(Some("visible"), "visible", 0);
                all.weights.push(MorphWeight { name, joint: node.carrier(), target: number, rest });
            }
        }
        all
    }

    fn add_targets(
        &mut self,
        key: (usize, usize),
        node: &Node,
        index: usize,
        number: &mut usize,
        names: &mut Names,
    ) {
        let Some(channel) = self.channels.get_mut(index) else { return };
        self.targets.entry(key).or_default().push((index, self.weights.len()));
        let rests: Vec<f64> =
            (0..channel.full.len()).map(|shape| channel.weight(shape, channel.rest)).collect();
        for ((shape, rest), slots) in rests.into_iter().enumerate().zip(&mut channel.slots) {
            let full = channel.full.get(shape).copied().unwrap_or(100.0);
            let name = match channel.full.len() {
                1 => channel.name.clone(),
                _ => format!("{} {full}", channel.name),
            };
            let name = names.unique(Some(&name), "shape", *number);
            slots.push(self.weights.len());
            #[expect(clippy::cast_possible_truncation, reason = "weights have 32 bits")]
            let rest = rest as f32;
            let (joint, target) = (node.carrier(), *number);
            self.weights.push(MorphWeight { name, joint, target, rest });
            *number += 1;
        }
    }

    fn read_channels(
        &mut self,
        document: &'d Document<'d>,
        geometry: usize,
        warnings: &mut Vec<Warning>,
    ) -> Vec<usize> {
        let first = self.channels.len();
        let is_class = |object: usize, class: &str| {
            document.objects.get(object).is_some_and(|own| own.class == class)
        };
        let deformers = document.parts(geometry, "Deformer");
        for deformer in deformers.filter(|&one| is_class(one, "BlendShape")) {
            let channels = document.parts(deformer, "Deformer");
            for object in channels.filter(|&one| is_class(one, "BlendShapeChannel")) {
                if let Some(channel) = Channel::read(document, object, warnings) {
                    self.push(channel);
                }
            }
        }
        // Before version 7000 shapes are inside the model, and a property of the model has the
        // percentage.
        let within =
            document.objects.get(geometry).into_iter().flat_map(|own| own.node.all("Shape"));
        for shape in within {
            let property = shape.text(0).unwrap_or_default().into_owned();
            let rest = document.real(geometry, &property).unwrap_or(0.0);
            let (name, full, shapes) = (property.clone(), vec![100.0], vec![shape]);
            self.push(Channel {
                object: geometry,
                property,
                name,
                rest,
                full,
                shapes,
                shares: Vec::new(),
                slots: Vec::new(),
            });
        }
        (first..self.channels.len()).collect()
    }

    fn push(&mut self, mut channel: Channel<'d>) {
        channel.slots = vec![Vec::new(); channel.full.len()];
        if channel.rest.is_finite() && channel.full.iter().all(|full| full.is_finite()) {
            self.channels.push(channel);
        }
    }

    /// Shapes of a geometry of a model, each with the index of its weight.
    pub(super) fn shapes(
        &self,
        model: usize,
        geometry: usize,
    ) -> impl Iterator<Item = (usize, &'d Record<'d>, &[f64])> {
        let channels = self.targets.get(&(model, geometry)).into_iter().flatten();
        channels.flat_map(|&(channel, first)| {
            self.channels.get(channel).into_iter().flat_map(move |own| {
                let shapes = own.shapes.iter().enumerate();
                shapes.map(move |(index, shape)| (first + index, *shape, own.shares.as_slice()))
            })
        })
    }

    /// The weights that show a model. None if it is hidden permanently.
    pub(super) fn shown_by(
        &self,
        document: &Document,
        nodes: &Nodes,
        node: &Node,
    ) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for node in above(document, nodes, node) {
            match self.switches.iter().find(|(object, _)| *object == node.object) {
                Some(&(_, slot)) => found.push(slot),
                None if !is_shown(document, node) && !self.shows_hidden => return None,
                None => {}
            }
        }
        Some(found)
    }
}

/// A model and those that it inherits visibility from.
fn above<'n>(
    document: &'n Document,
    nodes: &'n Nodes,
    node: &'n Node,
) -> impl Iterator<Item = &'n Node> {
    core::iter::successors(Some(node), move |node| {
        let inherits = document.int(node.object, "Visibility Inheritance") != Some(0);
        nodes.parent(node).filter(|_| inherits)
    })
}

/// True if a model itself is visible, regardless of its parents.
fn is_shown(document: &Document, node: &Node) -> bool {
    document.real(node.object, VISIBILITY).is_none_or(|value| value >= 0.5)
        && document.int(node.object, "Show") != Some(0)
}
