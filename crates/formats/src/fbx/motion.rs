//! Animation: stacks of layers that drive properties of objects by curves. Takes of files before
//! 7000 are stacks of one layer.

use super::curve::Curve;
use super::document::{Document, Target};
use super::rotation::{euler_of, quat_of};
use super::tree::{Node, real_of};
use std::collections::BTreeMap;
use std::sync::Arc;
use tintype_model::math::func::pow_f64;
use tintype_model::math::{DQuat, DVec3, larger, smaller};
use tintype_model::{FileRepair, Warning};

/// Curves of the components of a property, and the values of those without one.
#[derive(Clone, Debug, Default)]
pub(super) struct Driver {
    defaults: [Option<f64>; 3],
    pub(super) curves: [Option<Arc<Curve>>; 3],
}

impl Driver {
    /// The value at a time; `rest` if the file has none.
    pub(super) fn value(&self, time_s: f64, rest: DVec3) -> DVec3 {
        let at = |index: usize, rest: f64| {
            let curve = self.curves.get(index).and_then(Option::as_ref);
            let moving = curve.and_then(|curve| curve.value(time_s));
            moving.or_else(|| self.defaults.get(index).copied().flatten()).unwrap_or(rest)
        };
        DVec3::new(at(0, rest.x), at(1, rest.y), at(2, rest.z))
    }

    /// The values without curves.
    fn default_value(&self, rest: DVec3) -> DVec3 {
        let at =
            |index: usize, rest: f64| self.defaults.get(index).copied().flatten().unwrap_or(rest);
        DVec3::new(at(0, rest.x), at(1, rest.y), at(2, rest.z))
    }
}

/// A layer.
#[derive(Debug)]
struct Layer {
    /// True for the first layer of its stack, which replaces the model's values.
    is_base: bool,
    weight: f64,
    weight_driver: Option<Driver>,
    /// True if it is blended by its weight with the layers below; otherwise it replaces them.
    is_blended: bool,
    /// True if it is added to the layers below.
    is_additive: bool,
    composes_rotation: bool,
    composes_scale: bool,
    /// By object and property.
    drivers: BTreeMap<(usize, String), Driver>,
}

/// A stack: a clip of the file.
#[derive(Debug)]
pub(super) struct Stack {
    pub(super) name: String,
    /// Span that its file states.
    pub(super) span_s: Option<(f64, f64)>,
    layers: Vec<Layer>,
}

/// Combination of the values of layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blend {
    Plain,
    Scale,
    /// A rotation of this order.
    Rotation(i64),
}

impl Stack {
    /// The drivers of a property, in the order of their layers.
    pub(super) fn drives(&self, object: usize, property: &str) -> Drives<'_> {
        let key = (object, property.to_owned());
        let layers = self.layers.iter();
        Drives { list: layers.filter_map(|one| Some((one, one.drivers.get(&key)?))).collect() }
    }
}

/// The drivers of one property.
#[derive(Default)]
pub(super) struct Drives<'s> {
    list: Vec<(&'s Layer, &'s Driver)>,
}

impl<'s> Drives<'s> {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All curves that affect the property, including those of layer weights.
    pub(super) fn curves(&self) -> impl Iterator<Item = &'s Curve> {
        self.list.iter().flat_map(|(layer, driver)| {
            let weights = layer.weight_driver.iter().flat_map(|driver| &driver.curves);
            driver.curves.iter().chain(weights).flatten().map(Arc::as_ref)
        })
    }

    /// The curves of the property itself, each with its axis.
    pub(super) fn own_curves(&self) -> impl Iterator<Item = (u8, &'s Curve)> {
        self.list.iter().flat_map(|(_, driver)| {
            (0..).zip(&driver.curves).filter_map(|(axis, curve)| Some((axis, curve.as_deref()?)))
        })
    }

    /// The value of the property at a time.
    pub(super) fn value(&self, blend: Blend, rest: DVec3, time_s: f64) -> DVec3 {
        let mut result = rest;
        for (layer, driver) in &self.list {
            let value = driver.value(time_s, rest);
            result =
                if layer.is_base { value } else { layer.combined(result, value, blend, time_s) };
        }
        result
    }

    /// True if the property is always 1 in all components.
    pub(super) fn is_one(&self) -> bool {
        self.list.iter().all(|(_, driver)| {
            let is_one = |value: f64| (value - 1.0).abs() < 1.0e-6;
            driver.defaults.iter().flatten().all(|&value| is_one(value))
                && driver.curves.iter().flatten().all(|curve| curve.values().all(is_one))
        })
    }
}

impl Layer {
    fn combined(&self, below: DVec3, own: DVec3, blend: Blend, time_s: f64) -> DVec3 {
        let weight = match &self.weight_driver {
            Some(driver) if self.is_blended => {
                full(driver.value(time_s, DVec3::splat(100.0)).x / 100.0)
            }
            _ => self.weight,
        };
        match (blend, self.is_additive, self.is_blended) {
            (_, false, false) => own,
            (Blend::Scale, true, _) if self.composes_scale => below * powers(own, weight),
            (Blend::Scale, ..) if self.composes_scale => {
                powers(below, 1.0 - weight) * powers(own, weight)
            }
            (Blend::Rotation(order), true, _) if self.composes_rotation => {
                let turn = DQuat::IDENTITY.slerp(quat_of(own, order), weight);
                euler_of(quat_of(below, order) * turn, order)
            }
            (Blend::Rotation(order), ..) if self.composes_rotation => {
                euler_of(quat_of(below, order).slerp(quat_of(own, order), weight), order)
            }
            (_, true, _) => below + own * weight,
            _ => below * (1.0 - weight) + own * weight,
        }
    }
}

/// Clamps a weight.
fn full(weight: f64) -> f64 {
    let weight = larger(weight, 0.0);
    if weight > 0.99999 { 1.0 } else { weight }
}

/// Raises the components of a scale to a power, keeping their signs.
fn powers(scale: DVec3, weight: f64) -> DVec3 {
    let power = |value: f64| match weight {
        weight if weight <= 0.0 => 1.0,
        weight if weight >= 1.0 => value,
        weight => pow_f64(value.abs(), weight).copysign(value),
    };
    DVec3::new(power(scale.x), power(scale.y), power(scale.z))
}

/// Reads the stacks of a file.
pub(super) fn read_stacks(document: &Document, warnings: &mut Vec<Warning>) -> Vec<Stack> {
    match document.version {
        0..7000 => read_takes(document, warnings),
        _ => read_objects(document, warnings),
    }
}

/// Reads stacks, layers, curve nodes and curves stored as objects.
fn read_objects(document: &Document, warnings: &mut Vec<Warning>) -> Vec<Stack> {
    let mut curves: BTreeMap<usize, Option<Arc<Curve>>> = BTreeMap::new();
    let mut stacks = Vec::new();
    let is_stack = |index: &usize| {
        document.objects.get(*index).is_some_and(|object| object.kind == "AnimationStack")
    };
    for index in (0..document.objects.len()).filter(is_stack) {
        let name = document.objects.get(index).map(|own| own.name.clone()).unwrap_or_default();
        let time =
            |name: &str| Some(real_of(document.int(index, name)?) / document.ticks_per_second);
        let stated = time("LocalStart").zip(time("LocalStop"));
        let stated = stated.or_else(|| time("ReferenceStart").zip(time("ReferenceStop")));
        // A stack without properties has its time in the take of its name.
        let [own, _] = document.properties(index);
        let is_bare = own.is_empty();
        let take = || take_span(document, &name);
        let span_s = if is_bare { take().or(stated) } else { stated.or_else(take) };
        let has = |layer: usize, name: &str| document.int(layer, name) == Some(1);
        let all: Vec<usize> = document.parts(index, "AnimationLayer").collect();
        // If one layer is soloed, all others are muted.
        let is_solo = all.iter().any(|&layer| has(layer, "Solo") && !has(layer, "Mute"));
        let mut layers: Vec<Layer> = (all.iter().enumerate())
            .filter(|&(_, &layer)| !has(layer, "Mute") && (!is_solo || has(layer, "Solo")))
            .map(|(place, &layer)| Layer {
                is_base: place == 0,
                ..read_layer(document, layer, &mut curves, warnings)
            })
            .collect();
        if layers.is_empty() {
            layers.push(Layer::plain(BTreeMap::new()));
        }
        stacks.push(Stack { name, span_s, layers });
    }
    stacks
}

impl Layer {
    fn plain(drivers: BTreeMap<(usize, String), Driver>) -> Self {
        Self {
            is_base: true,
            weight: 1.0,
            weight_driver: None,
            is_blended: false,
            is_additive: false,
            composes_rotation: true,
            composes_scale: true,
            drivers,
        }
    }
}

fn read_layer(
    document: &Document,
    layer: usize,
    curves: &mut BTreeMap<usize, Option<Arc<Curve>>>,
    warnings: &mut Vec<Warning>,
) -> Layer {
    let mut drivers = BTreeMap::new();
    for node in document.parts(layer, "AnimationCurveNode") {
        let driver = read_driver(document, node, curves, warnings);
        for (target, property) in document.targets(node) {
            let (Target::Object(object), false) = (target, property.is_empty()) else { continue };
            drivers.entry((object, property.to_owned())).or_insert_with(|| driver.clone());
        }
    }
    // The weight of a layer is driven by a curve node of any layer.
    let own = document.sources(layer).find(|(_, property)| *property == "Weight");
    let weight_driver = own.map(|(node, _)| read_driver(document, node, curves, warnings));
    let mode = document.int(layer, "BlendMode").unwrap_or(0);
    let is_zero = |name: &str| document.int(layer, name).unwrap_or(0) == 0;
    Layer {
        is_base: false,
        weight: full(document.real(layer, "Weight").unwrap_or(100.0) / 100.0),
        weight_driver,
        is_blended: matches!(mode, 0 | 2),
        is_additive: mode == 0,
        composes_rotation: is_zero("RotationAccumulationMode"),
        composes_scale: is_zero("ScaleAccumulationMode"),
        drivers,
    }
}

fn read_driver(
    document: &Document,
    node: usize,
    curves: &mut BTreeMap<usize, Option<Arc<Curve>>>,
    warnings: &mut Vec<Warning>,
) -> Driver {
    let mut driver = Driver::default();
    let [own, _] = document.properties(node);
    let first = own.first();
    for (index, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
        let given = document.real(node, &format!("d|{letter}"));
        let given = given.or_else(|| document.real(node, letter));
        // A property of a single number has a special name: d|DeformPercent.
        let lone = first.filter(|_| index == 0);
        let given = given.or_else(|| lone.and_then(|(_, node, at)| node.values.get(*at)?.real()));
        if let Some(slot) = driver.defaults.get_mut(index) {
            *slot = given;
        }
    }
    for (curve, property) in document.sources(node) {
        let Some(object) = document.objects.get(curve) else { continue };
        if object.kind != "AnimationCurve" {
            continue;
        }
        let index = match property {
            "d|Y" | "Y" => 1,
            "d|Z" | "Z" => 2,
            _ => 0,
        };
        let found = curves.entry(curve).or_insert_with(|| {
            let mut tell = |fault: FileRepair, why: &str| {
                warnings.push(document.fault(fault, curve, &format!("the curve: {why}")));
            };
            match Curve::read(object.node, document.ticks_per_second, &mut tell) {
                Ok(curve) => Some(Arc::new(curve)),
                Err(why) => {
                    let message = format!("the curve is skipped: {why}");
                    warnings.push(document.fault(FileRepair::BadChannel, curve, &message));
                    None
                }
            }
        });
        if let Some(slot) = driver.curves.get_mut(index) {
            slot.clone_from(found);
        }
    }
    driver
}

/// Span of the take of a name.
fn take_span(document: &Document, name: &str) -> Option<(f64, f64)> {
    let mut takes = document.root.all("Takes").flat_map(|list| list.all("Take"));
    let take = takes.find(|take| take.text(0).as_deref() == Some(name))?;
    span_of(take, document.ticks_per_second)
}

fn span_of(take: &Node, ticks_per_second: f64) -> Option<(f64, f64)> {
    let node = take.child("LocalTime").or_else(|| take.child("ReferenceTime"))?;
    let list = node.reals().ok()?;
    match *list.as_slice() {
        [start, stop, ..] => Some((start / ticks_per_second, stop / ticks_per_second)),
        _ => None,
    }
}

/// Reads the takes of files before 7000.
fn read_takes(document: &Document, warnings: &mut Vec<Warning>) -> Vec<Stack> {
    let mut stacks = Vec::new();
    for take in document.root.all("Takes").flat_map(|list| list.all("Take")) {
        let mut drivers = BTreeMap::new();
        for model in take.all("Model") {
            let object = model.values.first().and_then(|key| document.find(key));
            let Some(object) = object else { continue };
            for (name, channel) in channels_of(model) {
                let driver = channel_driver(document, object, channel, warnings);
                drivers.insert((object, name), driver);
            }
        }
        let name = take.text(0).unwrap_or_default().into_owned();
        let span_s = span_of(take, document.ticks_per_second);
        stacks.push(Stack { name, span_s, layers: vec![Layer::plain(drivers)] });
    }
    stacks
}

/// The channels of a model of a take, or of a model before version 6000, by the properties that
/// they drive.
fn channels_of<'n, 'd>(model: &'n Node<'d>) -> Vec<(String, &'n Node<'d>)> {
    let mut found = Vec::new();
    for channel in model.all("Channel") {
        let name = channel.text(0).unwrap_or_default();
        if name != "Transform" {
            found.push((name.strip_suffix(" (Shape)").unwrap_or(&name).to_owned(), channel));
            continue;
        }
        for part in channel.all("Channel") {
            let property = match part.text(0).as_deref() {
                Some("T") => "Lcl Translation",
                Some("R") => "Lcl Rotation",
                Some("S") => "Lcl Scaling",
                _ => continue,
            };
            found.push((property.to_owned(), part));
        }
    }
    found
}

fn channel_driver(
    document: &Document,
    object: usize,
    channel: &Node,
    warnings: &mut Vec<Warning>,
) -> Driver {
    let mut driver = Driver::default();
    let has_value = |node: &&Node| node.child("Key").is_some() || node.child("Default").is_some();
    let own = Some(channel).filter(has_value);
    let within = channel.all("Channel").filter(has_value);
    let nodes = own.into_iter().chain(within.filter(|_| own.is_none()));
    let slots = driver.defaults.iter_mut().zip(&mut driver.curves);
    for (node, (default, curve)) in nodes.zip(slots) {
        *default = node.real_of("Default");
        let mut tell = |fault: FileRepair, why: &str| {
            warnings.push(document.fault(fault, object, &format!("{}: a channel: {why}", node.at)));
        };
        let (version, ticks_per_second) = (document.version, document.ticks_per_second);
        match Curve::read_channel(node, version, ticks_per_second, &mut tell) {
            Ok(found) => *curve = found.map(Arc::new),
            Err(why) => {
                let message = format!("{}: a channel is skipped: {why}", node.at);
                warnings.push(document.fault(FileRepair::BadChannel, object, &message));
            }
        }
    }
    driver
}

/// The value of a property stated in files before 6000 by a channel of the model itself or, without
/// one, of their first take.
pub(super) fn stated_by_channel(
    document: &Document,
    stacks: &[Stack],
    object: usize,
    property: &str,
) -> Option<DVec3> {
    if document.version >= 6000 {
        return None;
    }
    let rest = if property == "Lcl Scaling" { DVec3::ONE } else { DVec3::ZERO };
    let own = document.objects.get(object).map(|own| channels_of(own.node)).unwrap_or_default();
    if let Some((_, channel)) = own.iter().find(|(name, _)| name == property) {
        let driver = channel_driver(document, object, channel, &mut Vec::new());
        return Some(driver.default_value(rest));
    }
    let layer = stacks.first()?.layers.first()?;
    Some(layer.drivers.get(&(object, property.to_owned()))?.default_value(rest))
}

/// The smallest span that contains all keys of a stack.
pub(super) fn span_of_keys(stack: &Stack) -> Option<(f64, f64)> {
    let drivers = stack.layers.iter().flat_map(|layer| layer.drivers.values());
    let curves = drivers.flat_map(|driver| driver.curves.iter().flatten());
    let spans = curves.filter_map(|curve| curve.span());
    spans.map(|(from, to, _)| (from, to)).reduce(|a, b| (smaller(a.0, b.0), larger(a.1, b.1)))
}
