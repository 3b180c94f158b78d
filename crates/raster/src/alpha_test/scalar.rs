//! Alpha test at one point: the definition of [`crate::alpha_test::lanes`].

use crate::interpolate::scalar::Interpolants;
use crate::texture::sample_filtered;
use tintype_model::TextureRole;

/// Alpha test of a triangle at single points.
pub(crate) struct PointTest<'a> {
    pub surface: Interpolants<'a>,
    /// Minimum alpha of a solid point.
    pub cutoff: f32,
}

impl PointTest<'_> {
    pub(crate) fn is_solid(&self, x: i32, y: i32) -> bool {
        alpha_at(&self.surface, x, y) >= self.cutoff
    }
}

/// The alpha of the diffuse texture and of the vertex colours at a point, times the opacity of the
/// material.
fn alpha_at(triangle: &Interpolants, x: i32, y: i32) -> f32 {
    let material = triangle.material;
    let texture = triangle.texture(material.diffuse);
    if texture.is_none() && !triangle.has_color() {
        return material.opacity;
    }
    let barycentric = triangle.barycentric(x, y);
    let most = triangle.anisotropy();
    let texel = texture.map_or(1.0, |map| {
        sample_filtered(map, &triangle.footprint(&barycentric, TextureRole::Diffuse), most).w
    });
    let opacity = texel * material.opacity;
    triangle.color(&barycentric).map_or(opacity, |color| opacity * color.w)
}
