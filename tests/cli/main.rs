//! The program as a user meets it: exit codes, messages, files, help, and the documentation word
//! for word.

#[path = "../support/held.rs"]
mod held;
#[path = "../support/json_schema.rs"]
mod json_schema;
#[path = "../support/mod.rs"]
mod support;

mod accept;
#[cfg(unix)]
mod action;
mod archives;
mod commands;
mod contact_sheet;
mod dataset;
mod goldens;
mod git;
mod gltf;
mod x;
mod help;
#[cfg(unix)]
mod readme;
#[cfg(unix)]
mod docs;
mod stats;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod meshes;
mod moving;
mod names;
mod neighbours;
mod resources;
#[cfg(unix)]
mod stop;
mod turntable;
mod upgrade;
mod outputs;
mod settings;
mod wishes;
#[cfg(unix)]
mod watch;

fn main() {
    support::run();
}
