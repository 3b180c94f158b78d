//! The declaration of every setting of a picture.
//!
//! One row declares one setting: its line of doc, its key, its type, whether every picture has a value (`always`) or not (`perhaps`), the
//! form of its values, the commands that have it as an option, and its default. The reader of `[output]`, the schema, the digest, the
//! builders, the options of commands, completions, the keywords and types of Python and JavaScript, and the tables of the pages are all
//! made from these rows. To add a setting, add a row, and use `scene.output.KEY` where it takes effect; `tools/settings.rs` writes the
//! files that are committed.

/// Calls a macro with the rows of all settings, in groups: `Picture` and `Sequence` are keys of `[output]`; those of the other groups
/// are asked of pictures that are drawn without a scene.
#[macro_export]
macro_rules! settings {
    ($use:ident $($argument:tt)*) => {
        $use! { $($argument)*
            Turn {
                /// Angle through which the camera travels over all frames; negative is clockwise from above.
                turn_deg: f64, perhaps, Shape::Number(TURN), OF_TURNTABLES, Usual::Value("360");
                /// Number of sprite directions, such as 4, 8 or 16: the whole clip is drawn from each, without perspective, as one row of a sheet. The first is at the azimuth, the others follow counter-clockwise from above.
                directions: u32, perhaps, Shape::Whole(1, 64), OF_TURNTABLES, Usual::Nothing;
                /// Ground below the model, with a soft contact shadow; over a transparent background, the shadow is in the alpha.
                ground: bool, perhaps, Shape::Truth, OF_TURNTABLES, Usual::Value("false");
                /// Shadow of the key light, on the model and on the ground.
                shadow: bool, perhaps, Shape::Truth, OF_TURNTABLES, Usual::Value("false");
            }
            Sequence {
                /// Width and height in pixels; one number for a square.
                size: [u32; 2], always, Shape::Size, OF_FRAMES, SIZE;
                /// All frames of the scene; ranges and fit always cover these, even if only some are drawn.
                frames: $crate::FrameList, always, Shape::Frames, NOWHERE, Usual::Value("\"0\"");
                /// Frames per second.
                fps: f64, always, Shape::Number(Bounds::Above(0.0, 1000.0)), OF_TURNTABLES, FPS;
                /// File names, relative to the working folder, with #### or %04d for the frame number.
                file: $crate::FramePattern, perhaps, Shape::FileNames, NOWHERE, Usual::Words("out/SCENE/####.png");
                /// Diagnostic views, each written as a file beside the picture.
                aov: Vec<$crate::Aov>, always, Shape::Views, OF_FRAMES, Usual::Value("[]");
                /// Channels, such as depth and normal, in one file beside each picture.
                channels: Vec<$crate::Channel>, always, Shape::Channels, OF_FRAMES, Usual::Value("[]");
                /// File format of the channels: npz, exr, or png (only depth and distance, as 16 bits in millimetres).
                channels_as: $crate::ChannelFormat, always, Shape::Word($crate::ChannelFormat::NAMES), OF_FRAMES, Usual::Value("\"npz\"");
            }
            Picture {
                /// Samples per pixel, for antialiasing: 1, 2, 4, 8 or 16.
                samples: u32, always, Shape::Power, EVERYWHERE, Usual::Value("4");
                /// Anisotropic filtering of textures seen at grazing angles, as the largest number of samples: 1, 2, 4, 8 or 16.
                anisotropy: u32, always, Shape::Power, EVERYWHERE, Usual::Value("1");
                /// Surfaces of the models: textured, or clay (plain grey without textures, to show shape).
                shade: $crate::Shade, always, Shape::Word($crate::Shade::NAMES), EVERYWHERE, Usual::Value("\"textured\"");
                /// Lighting preset, used if a scene has no lights: studio (an environment, a key light and a ground on light grey) or classic (three lights on dark grey).
                look: $crate::Look, always, Shape::Word($crate::Look::NAMES), EVERYWHERE, Usual::Value("\"studio\"");
                /// Text in the lower left corner of each picture; {frame}, {time}, {clip} and {file} are replaced by their values.
                label: String, perhaps, Shape::Label, EVERYWHERE, Usual::Nothing;
                /// Tone mapping of the models: neutral (Khronos PBR Neutral, compresses bright light) or none (clamps it).
                tone: $crate::ToneCurve, always, Shape::Word($crate::ToneCurve::NAMES), EVERYWHERE, TONE;
                /// Factor applied to all light on the models.
                exposure: f32, always, Shape::Number(Bounds::Above(0.0, 1000.0)), EVERYWHERE, Usual::Value("1");
                /// Strength of ambient occlusion between and within models.
                occlusion: f32, always, Shape::Number(Bounds::Within(0.0, 1.0)), EVERYWHERE, Usual::Words("0.8 in the studio look, otherwise 0");
                /// Springs of VRM files: swing with the clip, or rest.
                springs: $crate::Springs, always, Shape::Word($crate::Springs::NAMES), EVERYWHERE, Usual::Value("\"swing\"");
                /// Colour behind the models: transparent, #rrggbb, or two colours for top and bottom.
                background: $crate::Blend, always, Shape::Blend, EVERYWHERE, OF_LOOK;
            }
            Camera {
                /// Azimuth of the camera, in the first frame of a turntable: 0 is in front of the model, positive is counter-clockwise from above.
                azimuth_deg: f64, perhaps, Shape::Number(TURN), OF_MODELS, AZIMUTH;
                /// Elevation of the camera above the horizon.
                elevation_deg: f64, perhaps, Shape::Number(Bounds::Within(-90.0, 90.0)), OF_MODELS, ELEVATION;
                /// Vertical field of view.
                fov_deg: f64, perhaps, Shape::Number(Bounds::Within(1.0, 170.0)), OF_MODELS, FIELD_OF_VIEW;
                /// Standard direction of an orthographic camera: dimetric (azimuth 45, elevation 30, the 2:1 view of sprites), isometric, front, back, side or top.
                view: String, perhaps, Shape::Word($crate::VIEW_NAMES), OF_MODELS, Usual::Nothing;
                /// Projection of the camera: perspective or orthographic.
                projection: String, perhaps, Shape::Word($crate::PROJECTION_NAMES), OF_MODELS, PROJECTION;
            }
            Model {
                /// Axis of the file that points up: x, -x, y, -y, z or -z.
                up: String, perhaps, Shape::Word($crate::FileAxis::NAMES), OF_MODELS, Usual::Words("from the format; detected from joints and shape if the figure would lie down");
                /// Axis of the file that the model faces: x, -x, y, -y, z or -z.
                front: String, perhaps, Shape::Word($crate::FileAxis::NAMES), OF_MODELS, Usual::Words("detected from joints and shape");
                /// Ticks or frames per second of the file.
                ticks_per_second: f64, perhaps, Shape::Number(Bounds::Above(0.0, 1e9)), OF_MODELS, Usual::Words("as in the file");
                /// Palette of Quake skins.
                palette: String, perhaps, Shape::File, OF_MODELS, Usual::Words("gfx/palette.lmp above the model");
            }
            Play {
                /// Clip, by name or index from 0, or a range of it: NAME:168-187 (keys), NAME:1.5s-2.5s or NAME:800t-1600t (ticks); bind for the bind pose.
                clip: String, perhaps, Shape::Text, OF_MODELS, Usual::Words("chosen automatically");
                /// Behaviour beyond the ends of the clip: loop, clamp or ping-pong.
                wrap: $crate::setting::Wrap, perhaps, Shape::Word(WRAP_NAMES), OF_MODELS, WRAP;
                /// Root motion of the clip: keep, hold (in place) or hold-xz (in place on the ground plane).
                root: $crate::RootMotion, always, Shape::Word($crate::RootMotion::NAMES), OF_MODELS, Usual::Value("\"keep\"");
                /// Time of the picture or the first frame, from the start of the clip.
                time_s: f64, perhaps, Shape::Number(Bounds::Within(-1e6, 1e6)), OF_MODELS, TIME;
            }
        }
    };
}
