//! Targets of the channels of animations: a property of a node, or the target of a pointer.

use crate::gltf::document::Channel;
use crate::gltf::number::JsonInteger;

/// The property of `KHR_node_visibility` in pointers.
pub(super) const VISIBLE: &str = "extensions/KHR_node_visibility/visible";

/// Target of a channel.
pub(super) enum Target<'c> {
    /// A node, and a property of it: direct, or named by `KHR_animation_pointer`.
    Node(JsonInteger, &'c str),
    /// Another property, by its pointer.
    Pointer(&'c str),
    /// No known target.
    None,
}

/// The target of a channel.
pub(super) fn target_of(channel: &Channel) -> Target<'_> {
    let target = &channel.target;
    if target.path.as_str() != "pointer" {
        return target.node.map_or(Target::None, |node| Target::Node(node, target.path.as_str()));
    }
    let own = target.extensions.get("KHR_animation_pointer");
    let Some(pointer) = own.and_then(|own| own.get("pointer")?.as_str()) else {
        return Target::None;
    };
    let of_node = || {
        let (node, property) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
        let known = ["translation", "rotation", "scale", "weights", VISIBLE];
        let node = known.contains(&property).then(|| node.parse().ok())??;
        Some(Target::Node(JsonInteger(node), property))
    };
    of_node().unwrap_or(Target::Pointer(pointer))
}
