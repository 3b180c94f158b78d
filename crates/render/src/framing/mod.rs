//! Framing: the scene of a turntable or a thumbnail of one model.
//!
//! Input: a loaded model with its clips, and the options of the user. Output: output settings, camera and instance, added to a
//! [`SceneBuilder`] by [`TurntableSpec`] and [`ThumbnailSpec`]; the number of frames that closes a loop ([`Timeline`]); and choices
//! where the user makes none: up and front ([`orientation`]), the clip ([`clip_choice`]), its key time
//! ([`key_time`]) and the viewpoint ([`viewpoint`]), for which its surface ([`solid`]) is drawn at a tiny size ([`silhouette`]). This
//! module draws no picture and touches no file.
//!
//! [`SceneBuilder`]: tintype_scene::SceneBuilder

pub mod clip_choice;
pub mod key_time;
pub mod orientation;
pub mod silhouette;
pub mod solid;
pub mod thumbnail;
pub mod timeline;
pub mod turntable;
pub mod viewpoint;

pub use orientation::ModelAxes;
pub use solid::Solid;
pub use thumbnail::ThumbnailSpec;
pub use timeline::Timeline;
pub use turntable::TurntableSpec;
pub use viewpoint::{Shape, Viewpoint};
