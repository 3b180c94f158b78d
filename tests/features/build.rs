//! Needed for the features of a build dependency.

fn main() {}
