//! `attach`: an instance attached to a joint of another one.

use crate::error::quoted;
use crate::model::ModelEntry;
use crate::reader::{Item, Names, Table};
use tintype_base::suggest::nearest_word;

/// Maximum number of instances in a chain, each attached to the next.
const MAX_LINKS: usize = 64;

/// The joint that an instance is attached to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The index of the instance with that joint.
    pub to: usize,
    /// The name of the joint; by default the origin of that instance.
    pub joint: Option<String>,
}

/// Checks that names are unique, and gives the only instance of a model the model's name. `crowds`
/// has the members of crowds with their tables, `of_model` the model of each instance.
pub(super) fn check_names(
    tables: &[Table<'_>],
    crowds: &[(usize, &Table<'_>)],
    names: &mut [Option<String>],
    of_model: &[usize],
    models: &[ModelEntry],
) {
    let mut unique = Names::new("instance");
    for table in tables.iter().filter(|table| !table.has("crowd")) {
        if let Some(name) = table.text("name", "a name") {
            unique.add(&name, table, "name");
        }
    }
    for (index, table) in crowds {
        if let Some(Some(name)) = names.get(*index) {
            unique.add(name, table, "crowd");
        }
    }
    let given: Vec<String> = names.iter().flatten().cloned().collect();
    for (slot, model) in names.iter_mut().zip(of_model).filter(|(slot, _)| slot.is_none()) {
        let is_only = of_model.iter().filter(|&other| other == model).count() == 1;
        let name = models.get(*model).map(|model| &model.name);
        *slot = name.filter(|name| is_only && !given.contains(name)).cloned();
    }
}

/// Reads `attach` of each instance; unknown names and circles are reported.
pub(super) fn read(
    items: &[Option<Item<'_>>],
    names: &[Option<String>],
) -> Vec<Option<Attachment>> {
    let read = |item: &Option<Item<'_>>| item.as_ref().and_then(|item| read_one(item, names));
    let mut attached: Vec<Option<Attachment>> = items.iter().map(read).collect();
    for (index, item) in items.iter().enumerate() {
        let Some(item) = item else { continue };
        let chain = chain_of(index, &attached);
        let is_circle = chain.len() > 1 && chain.first() == chain.last();
        if !is_circle && chain.len() <= MAX_LINKS + 1 {
            continue;
        }
        let title = |&index: &usize| match names.get(index) {
            Some(Some(name)) => quoted(name),
            _ => format!("instance[{index}]"),
        };
        let (message, allowed) = if is_circle {
            let chain: Vec<String> = chain.iter().map(title).collect();
            (
                format!("instances are attached to each other in a cycle: {}", chain.join(" on ")),
                "a chain must end at an instance that is not attached".to_owned(),
            )
        } else {
            (
                format!("a chain of more than {MAX_LINKS} attached instances"),
                format!("a chain has at most {MAX_LINKS} links"),
            )
        };
        item.invalid::<()>(message, allowed);
        // A circle is reported once.
        if let Some(slot) = attached.get_mut(index) {
            *slot = None;
        }
    }
    attached
}

/// The instances from one up to the first unattached one; a circle ends where it began, and other
/// chains after [`MAX_LINKS`].
fn chain_of(first: usize, attached: &[Option<Attachment>]) -> Vec<usize> {
    let mut chain = vec![first];
    let mut at = first;
    while let Some(attachment) = attached.get(at).and_then(Option::as_ref) {
        at = attachment.to;
        chain.push(at);
        if at == first || chain.len() > MAX_LINKS + 1 {
            break;
        }
    }
    chain
}

fn read_one(item: &Item<'_>, names: &[Option<String>]) -> Option<Attachment> {
    let table = item.table("{ to, joint }")?;
    let joint = table.text("joint", "the name of a joint");
    let to = table.required("to", "the name of an instance")?;
    let name = to.filled_text("the name of an instance")?;
    let Some(found) = names.iter().position(|known| known.as_deref() == Some(name)) else {
        let known = names.iter().flatten().map(String::as_str);
        let nearest = nearest_word(name, known.clone());
        return to.unknown(["instance", "the scene"], quoted(name), known, nearest);
    };
    (joint.is_some() || !table.has("joint")).then_some(Attachment { to: found, joint })
}
