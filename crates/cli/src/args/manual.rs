//! Options of `tintype schema`, `tintype completions` and `tintype man`.

use clap::Args;
use std::path::PathBuf;

pub(super) const SCHEMA_EXAMPLES: &str = "\
Write the schema beside your scenes, then begin each scene with the second line. Editors read it (VS Code with Even Better TOML; others through taplo):
  tintype schema > scenes/scene.schema.json
  #:schema ./scene.schema.json";

/// `schema`
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Schema {
    /// Write the schema of data set recipes instead
    #[arg(long)]
    pub dataset: bool,
}

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  tintype completions bash > ~/.local/share/bash-completion/completions/tintype
  tintype completions fish > ~/.config/fish/completions/tintype.fish
  tintype completions zsh > ~/.zfunc/_tintype

zsh needs fpath+=~/.zfunc before compinit in ~/.zshrc.";

pub(super) const MAN_EXAMPLES: &str = "\
Examples:
  tintype man | man -l -                      show the manual
  tintype man -o ~/.local/share/man/man1      then: man tintype-render";

/// `completions`
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Completions {
    /// Shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `man`
#[derive(Clone, Debug, Args)]
pub(crate) struct Man {
    /// Write one page per command into this folder, such as ~/.local/share/man/man1
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}
