//! JSON against a schema, by a validator that is not ours: the Python module jsonschema.

use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A Python with the module `jsonschema`; searched once.
pub(crate) fn python() -> Option<PathBuf> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let own = crate::support::program("python3");
        let candidates = [own, Some(PathBuf::from("/usr/bin/python3"))];
        candidates.into_iter().flatten().find(|program| {
            let found = Command::new(program).args(["-c", "import jsonschema"]).output();
            found.is_ok_and(|output| output.status.success())
        })
    };
    PYTHON.get_or_init(find).clone()
}

/// A test that is given this Python.
pub(crate) fn with_python(name: &str, run: fn(&PathBuf) -> Result<(), Failed>) -> Trial {
    match python() {
        Some(python) => Trial::test(name, move || run(&python)),
        None => crate::support::cannot_run(name, "no Python with the module jsonschema"),
    }
}

const VALIDATE: &str = "
import json, sys
from jsonschema import Draft202012Validator
schema, *files = [json.load(open(name, encoding='utf-8')) for name in sys.argv[1:]]
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
print(json.dumps([''.join(f'{list(error.absolute_path)} {error.message}\\n' for error in validator.iter_errors(value)) for value in files]))
";

/// Errors of an independent validator for each of these texts; none if it follows the schema. One
/// process reads them all, because Python takes a second to start it.
pub(crate) fn errors(
    python: &PathBuf,
    schema: &str,
    texts: &[String],
) -> Result<Vec<String>, Failed> {
    let folder = TempDir::new()?;
    let mut command = Command::new(python);
    command.args(["-c", VALIDATE]);
    for (number, text) in (0..).zip([schema.to_owned()].iter().chain(texts)) {
        let file = folder.path().join(format!("{number}.json"));
        fs::write(&file, text)?;
        command.arg(file);
    }
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let errors: Vec<String> = serde_json::from_slice(&output.stdout)?;
    assert_eq!(errors.len(), texts.len());
    Ok(errors)
}
