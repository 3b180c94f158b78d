//! The bytes of a file -> `model` values.
//!
//! Each format checks what it reads against limits before it allocates, and answers damaged data with an error that names the
//! thing, what was found and what is allowed. Nothing here opens a file, searches for one, or knows of a scene.

pub mod image;
