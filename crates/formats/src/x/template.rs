//! Templates declared in a file, the shapes of its objects:
//! `template Name { <guid> members [open to] }`.

use super::guid::Guid;
use crate::text::SourcePosition;

/// The layout of all objects of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// As the file spells it; compare without case.
    pub name: String,
    /// None if it is missing or does not have 32 digits.
    pub guid: Option<Guid>,
    /// In file order.
    pub members: Vec<Member>,
    /// Objects that an object of the template may contain.
    pub openness: Openness,
    /// The name.
    pub position: SourcePosition,
}

/// One member of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Type of the member, or of its elements.
    pub kind: MemberKind,
    /// Empty if the file has none.
    pub name: String,
    /// For an array, outermost first; empty for a single value.
    pub dimensions: Vec<Dimension>,
}

/// Type of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// `WORD`, `DWORD`, `CHAR`, `UCHAR`, `SWORD` or `SDWORD`.
    Whole,
    /// `FLOAT` or `DOUBLE`.
    Real,
    /// `STRING`, `LPSTR`, `CSTRING` or `UNICODE`.
    Text,
    /// The members of this template, one after the other.
    Template(String),
}

/// The length of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// A fixed number.
    Fixed(u32),
    /// As many as stated by that member of the same template.
    Member(String),
}

/// Objects that an object of the template may contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openness {
    /// No other objects.
    Closed,
    /// Any: `[...]`.
    Open,
    /// Only the templates of these names.
    Restricted(Vec<String>),
}
