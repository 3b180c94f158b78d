//! Children of an object, written in it or referred to.
//!
//! `{ name }` and `{ name <guid> }` refer to an object, anywhere in the file. If an object of a
//! certain kind is expected, the one of that kind is used: a frame and its mesh often have the same
//! name.

use crate::LimitExceeded;
use crate::x::error::XError;
use crate::x::tree::{Child, Document, Object, ObjectIndex, Reference};
use crate::{LimitName, LoadOptions};
use tintype_base::deadline::Watch;

/// The objects of a document with their indices: parents first, in file order, each once.
pub(super) fn all(document: &Document) -> impl Iterator<Item = ObjectIndex> + '_ {
    let mut open: Vec<ObjectIndex> = document.roots.iter().rev().copied().collect();
    std::iter::from_fn(move || {
        let next = open.pop()?;
        open.extend(document.object(next).children.iter().rev().filter_map(|child| match child {
            Child::Object(index) => Some(*index),
            Child::Reference(_) => None,
        }));
        Some(next)
    })
}

/// The objects of these templates that another one contains or refers to.
pub(super) fn parts<'d>(
    document: &'d Document,
    parent: ObjectIndex,
    templates: &'d [&'d str],
) -> impl Iterator<Item = ObjectIndex> + 'd {
    let children = document.object(parent).children.iter();
    children.filter_map(move |child| meant(document, child, templates))
}

/// The first object of a template that another contains or refers to.
pub(super) fn part(
    document: &Document,
    parent: ObjectIndex,
    template: &str,
) -> Option<ObjectIndex> {
    parts(document, parent, &[template]).next()
}

/// The object of a child, if its template is one of these.
pub(super) fn meant(document: &Document, child: &Child, templates: &[&str]) -> Option<ObjectIndex> {
    match child {
        Child::Object(index) => is_one_of(document.object(*index), templates).then_some(*index),
        Child::Reference(reference) => resolve(document, reference, templates),
    }
}

/// The target of a reference: the object with the GUID, otherwise the first one of the name, if its
/// template is one of these.
pub(super) fn resolve(
    document: &Document,
    reference: &Reference,
    templates: &[&str],
) -> Option<ObjectIndex> {
    let fits = |index: &ObjectIndex| is_one_of(document.object(*index), templates);
    let guided = reference.guid.and_then(|guid| document.with_guid(guid)).filter(fits);
    let of_kind = |template: &&str| document.named_of_kind(&reference.name, template);
    guided.or_else(|| templates.iter().filter_map(of_kind).min())
}

fn is_one_of(object: &Object, templates: &[&str]) -> bool {
    templates.iter().any(|template| object.is(template))
}

/// Number of values that take as long to read as finding a child.
const CHILD_COST: usize = 32;

/// Budget of values: an object with many references is read as many times.
pub(super) struct Budget {
    limit: usize,
    left: usize,
    watch: Watch,
}

/// Objects between two checks of the deadline.
const STEPS: u32 = 1 << 8;

impl Budget {
    pub(super) fn new(options: &LoadOptions) -> Self {
        let watch = options.deadline.watch("building from objects", STEPS);
        Self { limit: options.limits.max_values, left: options.limits.max_values, watch }
    }

    /// Deducts the values of one object from the budget.
    ///
    /// # Errors
    /// [`XError::Limit`] if the budget is used up; [`XError::TimedOut`] after the deadline.
    pub(super) fn spend(&mut self, object: &Object) -> Result<(), XError> {
        self.watch.step()?;
        let cost = object.values.len() + object.children.len() * CHILD_COST + 1;
        let what = "values of all objects, counted at each reference to them";
        let (found, limit) = (self.limit.saturating_add(1), (self.limit, Some(LimitName::Values)));
        let too_many = || LimitExceeded::new(object.position, what, found, limit);
        self.left = self.left.checked_sub(cost).ok_or_else(too_many)?;
        Ok(())
    }
}
