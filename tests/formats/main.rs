//! Files of models, materials and scenes: read to known values, refused with known messages, within
//! a deadline.

#[path = "../support/held.rs"]
mod held;
#[path = "../support/json_schema.rs"]
mod json_schema;
#[path = "../support/mod.rs"]
mod support;

mod corpus;
mod deadline;
mod scene;
mod schema;
mod model_summary;
mod object_tree;

fn main() {
    support::run();
}
