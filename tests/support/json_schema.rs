//! JSON against a schema, by a validator that is not ours: the Python module jsonschema.

use libtest_mimic::Failed;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// A Python that has the module `jsonschema`.
pub(crate) fn python() -> Option<PathBuf> {
    let candidates = [crate::support::program("python3"), Some(PathBuf::from("/usr/bin/python3"))];
    candidates.into_iter().flatten().find(|program| {
        let found = Command::new(program).args(["-c", "import jsonschema"]).output();
        found.is_ok_and(|output| output.status.success())
    })
}

const VALIDATE: &str = "
import json, sys
from jsonschema import Draft202012Validator
schema, *files = [json.load(open(name, encoding='utf-8')) for name in sys.argv[1:]]
Draft202012Validator.check_schema(schema)
for value in files:
    for error in Draft202012Validator(schema).iter_errors(value):
        print(list(error.absolute_path), error.message)
";

/// Errors of an independent validator on these texts; none if they follow the schema.
pub(crate) fn validate(python: &PathBuf, schema: &str, texts: &[String]) -> Result<String, Failed> {
    let folder = TempDir::new()?;
    let mut command = Command::new(python);
    command.args(["-c", VALIDATE]);
    for (number, text) in (0..).zip([schema.to_owned()].iter().chain(texts)) {
        let file = folder.path().join(format!("{number}.json"));
        fs::write(&file, text)?;
        command.arg(file);
    }
    let output = command.output()?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() { Ok(said) } else { Err(said.into()) }
}
