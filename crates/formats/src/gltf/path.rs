//! JSON paths of messages, such as `meshes[2].primitives[0].attributes.JOINTS_0`.

use core::fmt;

/// A position in the JSON document: a chain of steps on the stack, so that a path costs nothing
/// until it is shown.
#[derive(Clone, Copy)]
pub(super) struct JsonPath<'a> {
    parent: Option<&'a JsonPath<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> JsonPath<'a> {
    /// A key of the document.
    pub(super) fn root(key: &'a str) -> Self {
        Self { parent: None, step: Step::Key(key) }
    }

    /// A key of the object here.
    pub(super) fn key(&'a self, key: &'a str) -> Self {
        Self { parent: Some(self), step: Step::Key(key) }
    }

    /// An element of the list here.
    pub(super) fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for JsonPath<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(out)?;
        }
        match (self.step, self.parent) {
            (Step::Key(key), None) => out.write_str(key),
            (Step::Key(key), Some(_)) => write!(out, ".{key}"),
            (Step::Index(index), _) => write!(out, "[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_written_with_dots_and_brackets() {
        let meshes = JsonPath::root("meshes");
        let mesh = meshes.index(2);
        let primitives = mesh.key("primitives");
        let primitive = primitives.index(0);
        let attributes = primitive.key("attributes");
        let path = attributes.key("JOINTS_0");
        assert_eq!(path.to_string(), "meshes[2].primitives[0].attributes.JOINTS_0");
    }
}
