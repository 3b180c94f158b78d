//! Targets of the channels of animations: a property of a node, or what a pointer names.

use crate::gltf::document::Channel;
use crate::gltf::number::JsonInteger;

/// The property of `KHR_node_visibility` that a pointer names.
pub(super) const VISIBLE: &str = "extensions/KHR_node_visibility/visible";

/// The node that a channel moves, and the property: its own, or that which `KHR_animation_pointer` names; none of other objects.
pub(super) fn target_of(channel: &Channel) -> Option<(JsonInteger, &str)> {
    let target = &channel.target;
    if target.path.as_str() != "pointer" {
        return Some((target.node?, target.path.as_str()));
    }
    let pointer = target.extensions.get("KHR_animation_pointer")?.get("pointer")?.as_str()?;
    let (node, property) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    let is_known = ["translation", "rotation", "scale", "weights", VISIBLE].contains(&property);
    is_known.then_some((JsonInteger(node.parse().ok()?), property))
}
