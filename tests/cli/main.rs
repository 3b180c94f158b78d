//! The program as a user meets it: exit codes, messages, files, help, and the documentation word for word.

#[path = "../support/held.rs"]
mod held;
#[path = "../support/mod.rs"]
mod support;

mod accept;
#[cfg(unix)]
mod action;
mod archives;
mod commands;
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
    support::run([
        ("accept", accept::trials()),
        #[cfg(unix)]
        ("action", action::trials()),
        ("archives", archives::trials()),
        ("commands", commands::trials()),
        ("goldens", goldens::trials()),
        ("git", git::trials()),
        ("gltf", gltf::trials()),
        ("x", x::trials()),
        ("help", help::trials()),
        #[cfg(unix)]
        ("readme", readme::trials()),
        #[cfg(unix)]
        ("docs", docs::trials()),
        ("stats", stats::trials()),
        #[cfg(unix)]
        ("hostile", hostile::trials()),
        #[cfg(unix)]
        ("names", names::trials()),
        ("neighbours", neighbours::trials()),
        ("resources", resources::trials()),
        #[cfg(unix)]
        ("stop", stop::trials()),
        ("turntable", turntable::trials()),
        ("upgrade", upgrade::trials()),
        ("outputs", outputs::trials()),
        ("settings", settings::trials()),
        ("wishes", wishes::trials()),
        #[cfg(unix)]
        ("watch", watch::trials()),
    ]);
}
