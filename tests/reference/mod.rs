//! Second implementations in `f64`, to check the program's against: slow, plain, and sharing nothing with it.

pub mod md5;
pub mod surface;
