<<<<<<< HEAD
//! Slow, plain answers to what the renderer computes fast: the oracles of the raster tests.
//!
//! They share no code with the stages that they judge. Coverage is exact, in 128-bit integers; shading is `f64`, per pixel, by
//! rays in world space, where the renderer uses `f32` and homogeneous interpolation on the screen.

pub mod coverage;
pub mod shade;
pub mod texture;
=======
//! Second implementations in `f64`, to check the program's against: slow, plain, and sharing nothing with it.

pub mod md5;
pub mod surface;
>>>>>>> md5
