//! Files before version 6000: objects at the top, values in channels, texture coordinates without a
//! layer.

use super::{assert_near, bind_pose, place, read};
use tintype_model::math::{Vec2, Vec3};

/// A quad on a model below a root that is rotated by a separate channel, with the values of a take
/// where `take` is.
fn old(take: &str) -> String {
    let channel = |x: f64| {
        format!(
            "Channel: \"Transform\" {{\nChannel: \"R\" {{\nChannel: \"X\" {{\nDefault: {x}\n}}\n\
             Channel: \"Y\" {{\nDefault: 0\n}}\nChannel: \"Z\" {{\nDefault: 0\n}}\n}}\n}}\n"
        )
    };
    format!(
        "; FBX 5.8.0 project file\nFBXHeaderExtension: {{\nFBXHeaderVersion: 1003\nFBXVersion: 5800\n}}\n\
         Model: \"Model::top\", \"Null\" {{\n{root}Children: \"Model::quad\"\n}}\n\
         Model: \"Model::quad\", \"Mesh\" {{\n\
         Vertices: 0,0,0,100,0,0,100,100,0,0,100,0\nPolygonVertexIndex: 0,1,2,-4\n\
         GeometryUVInfo: {{\nMappingInformationType: \"ByPolygon\"\nTextureUV: 0,0,1,0,1,0.5,0,0.5\n\
         TextureUVVerticeIndex: 2,3,0,1\n}}\n}}\n\
         Takes: {{\nTake: \"walk\" {{\nLocalTime: 0,46186158000\n{take}}}\n}}\n",
        root = channel(-90.0),
    )
}

#[test]
fn model_is_placed_by_its_own_channel_and_without_one_by_the_first_take() {
    let read = |text: &str| read(text).value;
    let tip = |text: &str, name: &str| {
        let file = read(text);
        place(&file, &bind_pose(&file.model.skeleton), name, Vec3::Y)
    };
    // A quarter about x turns +Y to -Z.
    assert_near(tip(&old(""), "top"), Vec3::NEG_Z);
    let moved = "Model: \"Model::quad\" {\nChannel: \"Transform\" {\nChannel: \"T\" {\n\
        Channel: \"X\" {\nDefault: 300\n}\nChannel: \"Y\" {\nDefault: 0\n}\nChannel: \"Z\" {\nDefault: 0\n}\n}\n}\n}\n";
    assert_near(tip(&old(moved), "quad"), Vec3::new(3.0, 0.0, -1.0));
}

#[test]
fn texture_coordinates_by_polygon_are_those_of_its_corners() {
    let file = read(&old("")).value;
    let mesh = &file.model.meshes[0];
    let expected = [(1.0, 0.5), (0.0, 0.5), (0.0, 1.0), (1.0, 1.0)];
    let expected = expected.map(|(u, v)| Vec2::new(u, v));
    assert_eq!(mesh.texcoords[..], expected);
}
