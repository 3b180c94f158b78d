//! Elements of HTML as text: values and contents are always escaped.

use tintype_base::printable::escape_html;
/// Markup that grows at its end.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// Adds an element with attributes and contents.
    pub(super) fn element(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, &str)],
        contents: impl FnOnce(&mut Self),
    ) {
        self.void(name, attributes);
        contents(self);
        self.0 += &format!("</{name}>");
    }

    /// Adds an element without contents or end tag, such as a picture.
    pub(super) fn void(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        self.0 += &format!("<{name}");
        for (key, value) in attributes {
            self.0 += &format!(" {key}=\"{}\"", escape_html(value));
        }
        self.0.push('>');
    }

    /// Adds text.
    pub(super) fn text(&mut self, text: &str) {
        self.0 += &escape_html(text);
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}
