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
                /// Directions of a sprite, such as 4, 8 or 16: the whole clip from each, one row of a sheet for each, without perspective. The first is the azimuth, the next are counter-clockwise from above.
                directions: u32, perhaps, Shape::Whole(1, 64), OF_TURNTABLES, Usual::Nothing;
                /// A ground below the model that receives a soft contact shadow of it; over a transparent background the shadow is in the alpha.
                ground: bool, perhaps, Shape::Truth, OF_TURNTABLES, Usual::Value("false");
                /// A shadow of the key light, on the model and on the ground.
                shadow: bool, perhaps, Shape::Truth, OF_TURNTABLES, Usual::Value("false");
            }
            Sequence {
                /// Width and height in pixels; one number for a square.
                size: [u32; 2], always, Shape::Size, OF_FRAMES, SIZE;
                /// The scene's own frames; ranges and fit are spread over these, whichever of them are drawn.
                frames: $crate::FrameList, always, Shape::Frames, NOWHERE, Usual::Value("\"0\"");
                /// Frames a second.
                fps: f64, always, Shape::Number(Bounds::Above(0.0, 1000.0)), OF_TURNTABLES, FPS;
                /// File names, relative to the working folder: #### or %04d is the frame.
                file: $crate::FramePattern, perhaps, Shape::FileNames, NOWHERE, Usual::Words("out/SCENE/####.png");
                /// Views of what is behind the picture, each a file beside it.
                aov: Vec<$crate::Aov>, always, Shape::Views, OF_FRAMES, Usual::Value("[]");
                /// Channels, such as depth and normal, in one file beside each picture.
                channels: Vec<$crate::Channel>, always, Shape::Channels, OF_FRAMES, Usual::Value("[]");
                /// Files of the channels: npz; exr; or png of depth and distance alone, 16 bits in millimetres.
                channels_as: $crate::ChannelFormat, always, Shape::Word($crate::ChannelFormat::NAMES), OF_FRAMES, Usual::Value("\"npz\"");
            }
            Picture {
                /// Samples of a pixel, against jagged edges: 1, 2, 4, 8 or 16.
                samples: u32, always, Shape::Power, EVERYWHERE, Usual::Value("4");
                /// Largest number of texture samples for a point, against blur on surfaces at a slant: 1, 2, 4, 8 or 16.
                anisotropy: u32, always, Shape::Power, EVERYWHERE, Usual::Value("1");
                /// Surfaces of the models: textured, or clay, a plain grey without textures that shows shape alone.
                shade: $crate::Shade, always, Shape::Word($crate::Shade::NAMES), EVERYWHERE, Usual::Value("\"textured\"");
                /// Light, ground and background where a scene names no lights: studio, an environment, a key light and a ground before light grey; or classic, three lights before dark grey.
                look: $crate::Look, always, Shape::Word($crate::Look::NAMES), EVERYWHERE, Usual::Value("\"studio\"");
                /// Text in the lower left corner of each picture; {frame}, {time}, {clip} and {file} stand for those of the frame.
                label: String, perhaps, Shape::Label, EVERYWHERE, Usual::Nothing;
                /// From the light of the models to the picture: neutral compresses bright light by the curve of Khronos PBR Neutral, none clamps it.
                tone: $crate::ToneCurve, always, Shape::Word($crate::ToneCurve::NAMES), EVERYWHERE, TONE;
                /// Factor of all light of the models.
                exposure: f32, always, Shape::Number(Bounds::Above(0.0, 1000.0)), EVERYWHERE, Usual::Value("1");
                /// Strength of ambient occlusion, by which models keep light from all around from each other and from themselves.
                occlusion: f32, always, Shape::Number(Bounds::Within(0.0, 1.0)), EVERYWHERE, Usual::Words("0.8 in the studio look, else 0");
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
                /// Usual direction of an orthographic camera: dimetric (azimuth 45 and elevation 30, the 2:1 view of sprites), isometric, front, back, side or top.
                view: String, perhaps, Shape::Word($crate::VIEW_NAMES), OF_MODELS, Usual::Nothing;
                /// Projection of the camera: perspective or orthographic.
                projection: String, perhaps, Shape::Word($crate::PROJECTION_NAMES), OF_MODELS, PROJECTION;
            }
            Model {
                /// Axis of the file that points up: x, -x, y, -y, z or -z.
                up: String, perhaps, Shape::Word($crate::FileAxis::NAMES), OF_MODELS, Usual::Words("that of the format; found by joints and shape for figures that would lie");
                /// Axis of the file that the model faces: x, -x, y, -y, z or -z.
                front: String, perhaps, Shape::Word($crate::FileAxis::NAMES), OF_MODELS, Usual::Words("found by joints and shape");
                /// Ticks or frames a second of a file.
                ticks_per_second: f64, perhaps, Shape::Number(Bounds::Above(0.0, 1e9)), OF_MODELS, Usual::Words("those of the file");
                /// Palette of Quake skins.
                palette: String, perhaps, Shape::File, OF_MODELS, Usual::Words("gfx/palette.lmp above the model");
            }
            Play {
                /// Clip, by name or by index from 0, or a part of it: NAME:168-187 for keys, NAME:1.5s-2.5s, NAME:800t-1600t; bind for none.
                clip: String, perhaps, Shape::Text, OF_MODELS, Usual::Words("one that suits the model");
                /// Behaviour beyond the ends of the clip: loop, clamp or ping-pong.
                wrap: $crate::setting::Wrap, perhaps, Shape::Word(WRAP_NAMES), OF_MODELS, WRAP;
                /// Motion with which the clip carries the model: keep, hold (in place) or hold-xz (in place on the level plane).
                root: $crate::RootMotion, always, Shape::Word($crate::RootMotion::NAMES), OF_MODELS, Usual::Value("\"keep\"");
                /// Time of the clip in the picture, or in the first frame, from the start of the clip.
                time_s: f64, perhaps, Shape::Number(Bounds::Within(-1e6, 1e6)), OF_MODELS, TIME;
            }
        }
    };
}
