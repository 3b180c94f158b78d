//! The source as a graph: every file of every crate parsed, every path in it resolved to the file
//! that defines the name.
//!
//! Input: the folder of the workspace. Output: [`Source`], with the files, their imports and the
//! paths into other crates. Unit tests (items under `#[cfg(test)]` and the files they declare) are
//! left out, as they follow other rules.
//!
//! A `mod` line is not an import, nor is a `pub use` that re-exports an item of a module below:
//! both declare. A `use` or a path that names an item is an import of the file that defines the
//! item, even if it is reached through a `pub use` elsewhere.
#![allow(dead_code, reason = "the tests and the example each use a part")]

use proc_macro2::{Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// One name that a file mentions, with its line.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    pub line: usize,
    /// Absolute: `crate`, `std` or another crate first.
    pub path: Vec<String>,
}

/// One line of documentation, with whether it opens a comment.
#[derive(Clone, Debug)]
pub(crate) struct DocLine {
    pub line: usize,
    pub text: String,
    pub is_first: bool,
}

/// One function, not of unit tests.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub line: usize,
    pub lines: usize,
}

/// One file of the source.
#[derive(Debug, Default)]
pub(crate) struct File {
    /// Its crate without `tintype-`, such as `raster`; `tintype` for the library.
    pub krate: String,
    /// Crate and path below its `src`, such as `raster/tile/mod.rs`.
    pub name: String,
    pub text: String,
    /// Absolute module path without `crate`, such as `["raster", "tile"]`.
    pub module: Vec<String>,
    /// Files of its crate that it imports from, each with the first line that does.
    pub imports: BTreeMap<String, usize>,
    /// Names of other crates.
    pub external: Vec<Mention>,
    /// Identifiers outside of documentation, macros included, with the function around each.
    pub words: Vec<(usize, String, String)>,
    /// Methods that are called, with the function around each.
    pub calls: Vec<(usize, String, String)>,
    /// Literal texts that others are searched for or compared with.
    pub texts: Vec<(usize, String)>,
    /// All literal texts outside of documentation, those of macros and error attributes included.
    pub literals: Vec<(usize, String)>,
    /// Macros that are called.
    pub macros: Vec<(usize, String)>,
    /// Paths with two `super`.
    pub crooked: Vec<usize>,
    pub docs: Vec<DocLine>,
    pub functions: Vec<Function>,
    /// Items that are `pub` without restriction.
    pub public_items: usize,
}

impl File {
    /// The top-level module of its crate, empty for `lib.rs`.
    pub(crate) fn top(&self) -> &str {
        self.module.first().map_or("", String::as_str)
    }

    /// True if it lies in one of these places: crates such as `host`, or their modules such as
    /// `render/asset`.
    pub(crate) fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| match place.split_once('/') {
            Some((krate, module)) => self.krate == krate && self.top() == module,
            None => self.krate == *place,
        })
    }

    /// Its path below the folder of the workspace.
    pub(crate) fn path(&self) -> String {
        let below = self.name.split_once('/').map_or("", |(_, below)| below);
        match self.krate.as_str() {
            LIBRARY => format!("src/{below}"),
            krate => format!("crates/{krate}/src/{below}"),
        }
    }
}

/// Methods that look into a text.
const LOOK: [&str; 19] = [
    "contains",
    "starts_with",
    "ends_with",
    "strip_prefix",
    "strip_suffix",
    "split",
    "split_once",
    "rsplit",
    "rsplit_once",
    "splitn",
    "rsplitn",
    "split_terminator",
    "find",
    "rfind",
    "matches",
    "match_indices",
    "trim_start_matches",
    "trim_end_matches",
    "replace",
];

/// The crate of the library, whose source is the folder `src`.
const LIBRARY: &str = "tintype";

/// The parsed source.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub files: BTreeMap<String, File>,
}

#[derive(Clone, Debug, Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    items: BTreeSet<String>,
    /// Local name to the path of a `use`, as written.
    uses: HashMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

/// A path, resolved.
#[derive(Clone, Debug)]
enum Found {
    Module(Vec<String>),
    Item { module: Vec<String> },
    External(Vec<String>),
}

type Modules = HashMap<Vec<String>, Module>;

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return attribute.path().is_ident("test");
        };
        let words = list.tokens.to_string();
        list.path.is_ident("cfg") && (words == "test" || words.starts_with("all (test"))
    })
}

fn line(span: Span) -> usize {
    span.start().line
}

impl Source {
    /// Parses every file that the `lib.rs` of a crate reaches.
    pub(crate) fn read(root: &Path) -> Self {
        let mut sources = vec![(LIBRARY.to_owned(), root.join("src"))];
        for entry in fs::read_dir(root.join("crates")).expect("there are crates") {
            let entry = entry.expect("crates can be read");
            sources
                .push((entry.file_name().to_string_lossy().into_owned(), entry.path().join("src")));
        }
        let mut texts = BTreeMap::new();
        for (krate, folder) in sources {
            let mut folders = vec![folder.clone()];
            while let Some(below) = folders.pop() {
                for entry in fs::read_dir(&below).expect("src is a folder") {
                    let path = entry.expect("src can be read").path();
                    if path.is_dir() {
                        folders.push(path);
                    } else if path.extension().is_some_and(|own| own == "rs") {
                        let name = path.strip_prefix(&folder).expect("below src").to_string_lossy();
                        let text = fs::read_to_string(&path).expect("source is text");
                        texts.insert(format!("{krate}/{name}"), text);
                    }
                }
            }
        }
        Self::parse(texts)
    }

    /// Parses files by their crates and their names below its `src`.
    pub(crate) fn parse(texts: BTreeMap<String, String>) -> Self {
        let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (name, text) in texts {
            let (krate, below) = name.split_once('/').expect("a crate before each name");
            crates.entry(krate.to_owned()).or_default().insert(below.to_owned(), text);
        }
        // Each crate on a separate thread.
        let files = thread::scope(|scope| {
            let crates: Vec<_> = crates
                .into_iter()
                .map(|(krate, texts)| scope.spawn(move || Self::of_crate(&krate, texts)))
                .collect();
            let ended = crates.into_iter().map(|thread| thread.join());
            let files = ended.flat_map(|files| files.unwrap_or_else(|panic| resume_unwind(panic)));
            files.map(|file| (file.name.clone(), file)).collect()
        });
        Self { files }
    }

    fn of_crate(krate: &str, texts: BTreeMap<String, String>) -> Vec<File> {
        let parsed: BTreeMap<String, syn::File> = texts
            .iter()
            .map(|(name, text)| {
                (
                    name.clone(),
                    syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}")),
                )
            })
            .collect();
        let mut modules = Modules::new();
        let mut order = Vec::new();
        if parsed.contains_key("lib.rs") {
            declare(&parsed, "lib.rs", Vec::new(), &mut modules, &mut order);
        } else {
            // Single files, in tests of the rules.
            modules.insert(Vec::new(), Module { file: "lib.rs".into(), ..Module::default() });
            for name in parsed.keys() {
                let module = module_of(name);
                for depth in 0..module.len() {
                    let (parent, child) = (module[..depth].to_vec(), module[depth].clone());
                    modules.entry(parent).or_default().children.insert(child);
                }
                declare(&parsed, name, module, &mut modules, &mut order);
            }
        }
        let mut files = Vec::new();
        for (name, module) in order {
            let mut reader = Reader {
                modules: &modules,
                module: module.clone(),
                function: String::new(),
                file: File {
                    krate: krate.to_owned(),
                    name: name.clone(),
                    text: texts[&name].clone(),
                    module,
                    ..File::default()
                },
                handed_on: Vec::new(),
                heads: BTreeSet::new(),
            };
            reader.docs(&parsed[&name].attrs);
            for item in &parsed[&name].items {
                reader.visit_item(item);
            }
            let mut file = reader.finish();
            file.name = format!("{krate}/{}", file.name);
            let imports = std::mem::take(&mut file.imports).into_iter();
            file.imports = imports.map(|(name, at)| (format!("{krate}/{name}"), at)).collect();
            files.push(file);
        }
        files
    }

    /// Groups of files of one crate that import each other in a cycle, each sorted.
    pub(crate) fn cycles(&self) -> Vec<Vec<String>> {
        let names: Vec<&String> = self.files.keys().collect();
        let reach: HashMap<&String, BTreeSet<&String>> =
            names.iter().map(|name| (*name, self.reachable(name))).collect();
        let mut seen: BTreeSet<&String> = BTreeSet::new();
        let mut found = Vec::new();
        for name in names {
            if !seen.contains(name) && reach[name].contains(name) {
                let group: Vec<&String> = reach[name]
                    .iter()
                    .filter(|other| reach[*other].contains(name))
                    .copied()
                    .collect();
                seen.extend(&group);
                found.push(group.into_iter().cloned().collect());
            }
        }
        found
    }

    /// Files of the same crate reached by one or more imports.
    fn reachable<'s>(&'s self, from: &str) -> BTreeSet<&'s String> {
        let krate = &self.files[from].krate;
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(name) = open.pop() {
            for other in self.files[name].imports.keys() {
                let (other, file) = self.files.get_key_value(other).expect("imports are files");
                if file.krate == *krate && found.insert(other) {
                    open.push(other);
                }
            }
        }
        found
    }
}

/// The module of a file by its name.
fn module_of(name: &str) -> Vec<String> {
    let mut module: Vec<String> =
        name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

fn declare(
    parsed: &BTreeMap<String, syn::File>,
    name: &str,
    module: Vec<String>,
    modules: &mut Modules,
    order: &mut Vec<(String, Vec<String>)>,
) {
    order.push((name.to_owned(), module.clone()));
    declare_items(parsed, name, &parsed[name].items, module, modules, order);
}

fn declare_items(
    parsed: &BTreeMap<String, syn::File>,
    name: &str,
    items: &[syn::Item],
    module: Vec<String>,
    modules: &mut Modules,
    order: &mut Vec<(String, Vec<String>)>,
) {
    let mut this = modules.remove(&module).unwrap_or_default();
    this.file = name.to_owned();
    for item in items {
        if is_test(attributes(item)) {
            continue;
        }
        match item {
            syn::Item::Mod(inner) => {
                let child = inner.ident.to_string();
                this.children.insert(child.clone());
                let path = [&module[..], &[child]].concat();
                if let Some((_, items)) = &inner.content {
                    declare_items(parsed, name, items, path, modules, order);
                } else {
                    let stem = path.join("/");
                    let file = [format!("{stem}.rs"), format!("{stem}/mod.rs")]
                        .into_iter()
                        .find(|file| parsed.contains_key(file));
                    if let Some(file) = file {
                        declare(parsed, &file, path, modules, order);
                    }
                }
            }
            syn::Item::Use(inner) => {
                flatten(&inner.tree, &mut Vec::new(), &mut |path, local| match local {
                    Some(local) => drop(this.uses.insert(local, path)),
                    None => this.globs.push(path),
                });
            }
            other => this.items.extend(item_name(other)),
        }
    }
    modules.insert(module, this);
}

fn item_name(item: &syn::Item) -> Option<String> {
    Some(match item {
        syn::Item::Const(item) => item.ident.to_string(),
        syn::Item::Enum(item) => item.ident.to_string(),
        syn::Item::Fn(item) => item.sig.ident.to_string(),
        syn::Item::Static(item) => item.ident.to_string(),
        syn::Item::Struct(item) => item.ident.to_string(),
        syn::Item::Trait(item) => item.ident.to_string(),
        syn::Item::Type(item) => item.ident.to_string(),
        syn::Item::Union(item) => item.ident.to_string(),
        syn::Item::Macro(item) => item.ident.as_ref()?.to_string(),
        _ => return None,
    })
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Union(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn visibility(item: &syn::Item) -> Option<&syn::Visibility> {
    Some(match item {
        syn::Item::Const(item) => &item.vis,
        syn::Item::Enum(item) => &item.vis,
        syn::Item::Fn(item) => &item.vis,
        syn::Item::Mod(item) => &item.vis,
        syn::Item::Static(item) => &item.vis,
        syn::Item::Struct(item) => &item.vis,
        syn::Item::Trait(item) => &item.vis,
        syn::Item::Type(item) => &item.vis,
        syn::Item::Union(item) => &item.vis,
        syn::Item::Use(item) => &item.vis,
        _ => return None,
    })
}

/// Yields each path of a `use`, with its local name. None for `*`.
fn flatten(
    tree: &syn::UseTree,
    prefix: &mut Vec<String>,
    give: &mut impl FnMut(Vec<String>, Option<String>),
) {
    match tree {
        syn::UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, give);
            prefix.pop();
        }
        syn::UseTree::Name(name) => {
            let name = name.ident.to_string();
            if name == "self" {
                give(prefix.clone(), prefix.last().cloned());
            } else {
                give([&prefix[..], std::slice::from_ref(&name)].concat(), Some(name));
            }
        }
        syn::UseTree::Rename(rename) => {
            let mut path = prefix.clone();
            if rename.ident != "self" {
                path.push(rename.ident.to_string());
            }
            give(path, Some(rename.rename.to_string()));
        }
        syn::UseTree::Glob(_) => give(prefix.clone(), None),
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, prefix, give);
            }
        }
    }
}

/// Resolves paths as one module sees them.
#[derive(Clone, Copy)]
struct Resolver<'m> {
    modules: &'m Modules,
    viewer: &'m [String],
}

impl Resolver<'_> {
    /// Maximum length of a chain of `use` lines.
    const DEEPEST: usize = 16;

    fn path(self, path: &[String]) -> Option<Found> {
        self.below(self.viewer, path, 0)
    }

    /// Resolves a path that is written in `from`.
    fn below(self, from: &[String], path: &[String], depth: usize) -> Option<Found> {
        let mut module = from.to_vec();
        let mut rest = path;
        let mut is_anchored = false;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => module.clear(),
                "self" => {}
                "super" => drop(module.pop()?),
                _ => break,
            }
            is_anchored = true;
            rest = others;
        }
        let Some((first, others)) = rest.split_first() else {
            return Some(Found::Module(module));
        };
        let Some(found) = self.name(&module, first, others.is_empty(), depth) else {
            // An item that a macro makes, or another crate.
            return Some(if is_anchored {
                Found::Item { module }
            } else {
                Found::External(rest.to_vec())
            });
        };
        match found {
            Found::Module(module) if !others.is_empty() => {
                let inner: Vec<String> = [&["self".to_owned()], others].concat();
                self.below(&module, &inner, depth)
            }
            Found::External(mut path) => {
                path.extend(others.iter().cloned());
                Some(Found::External(path))
            }
            other => Some(other),
        }
    }

    /// Finds one name in a module; `is_last` where no other follows.
    ///
    /// An item of another crate that a module hands on counts as an item of that module, except to
    /// the module itself.
    fn name(self, module: &[String], name: &str, is_last: bool, depth: usize) -> Option<Found> {
        let here = self.modules.get(module)?;
        if depth > Self::DEEPEST {
            return None;
        }
        if here.items.contains(name) && (is_last || !here.children.contains(name)) {
            return Some(Found::Item { module: module.to_vec() });
        }
        if here.children.contains(name) {
            return Some(Found::Module([module, &[name.to_owned()]].concat()));
        }
        if let Some(path) = here.uses.get(name) {
            // `use png` in the module `png` names the crate.
            let is_itself = path.len() == 1 && path[0] == name;
            let found = if is_itself {
                Some(Found::External(path.clone()))
            } else {
                self.below(module, path, depth + 1)
            };
            return match found {
                Some(Found::External(_)) if module != self.viewer => {
                    Some(Found::Item { module: module.to_vec() })
                }
                other => other,
            };
        }
        here.globs.iter().find_map(|glob| match self.below(module, glob, depth + 1)? {
            Found::Module(other) if other != module => self.name(&other, name, is_last, depth + 1),
            _ => None,
        })
    }
}

struct Reader<'m> {
    modules: &'m Modules,
    module: Vec<String>,
    function: String,
    file: File,
    /// Re-exports of what is below: local name, file, line.
    handed_on: Vec<(String, String, usize)>,
    /// First names of paths in code.
    heads: BTreeSet<String>,
}

impl Reader<'_> {
    fn finish(mut self) -> File {
        for (name, file, line) in std::mem::take(&mut self.handed_on) {
            if self.heads.contains(&name) {
                self.file.imports.entry(file).or_insert(line);
            }
        }
        self.file.imports.remove(&self.file.name);
        self.file
    }

    fn resolve(&self, path: &[String]) -> Option<Found> {
        Resolver { modules: self.modules, viewer: &self.module }.path(path)
    }

    fn mention(&mut self, path: &[String], line: usize) {
        if path.iter().filter(|part| *part == "super").count() > 1 {
            self.file.crooked.push(line);
        }
        match self.resolve(path) {
            Some(Found::Module(module) | Found::Item { module }) => {
                if let Some(module) = self.modules.get(&module) {
                    self.file.imports.entry(module.file.clone()).or_insert(line);
                }
            }
            Some(Found::External(path)) => self.file.external.push(Mention { line, path }),
            None => {}
        }
    }

    fn docs(&mut self, attributes: &[syn::Attribute]) {
        let mut is_first = true;
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
            let syn::Meta::NameValue(pair) = &attribute.meta else { continue };
            let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value else {
                continue;
            };
            let (line, text) = (line(attribute.span()), text.value());
            self.file.docs.push(DocLine { line, is_first, text: text.trim().to_owned() });
            is_first = false;
        }
    }

    /// A literal text, or a list of such.
    fn texts(&mut self, expression: &syn::Expr) {
        match expression {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                self.file.texts.push((line(text.span()), text.value()));
            }
            syn::Expr::Reference(of) => self.texts(&of.expr),
            syn::Expr::Array(all) => all.elems.iter().for_each(|one| self.texts(one)),
            _ => {}
        }
    }

    /// The tokens of a macro: words, and paths of two names or more.
    fn tokens(&mut self, stream: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut at = 0;
        let mut joined = false;
        let mut is_call = false;
        for token in stream {
            match token {
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    self.file.words.push((line(ident.span()), name.clone(), self.function.clone()));
                    if is_call {
                        let call = (line(ident.span()), name.clone(), self.function.clone());
                        self.file.calls.push(call);
                    }
                    if !joined {
                        self.end_path(&mut path, at);
                        at = line(ident.span());
                    }
                    path.push(name);
                    (joined, is_call) = (false, false);
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => joined = true,
                TokenTree::Punct(punct) => {
                    self.end_path(&mut path, at);
                    (joined, is_call) = (false, punct.as_char() == '.');
                }
                TokenTree::Group(group) => {
                    self.end_path(&mut path, at);
                    (joined, is_call) = (false, false);
                    self.tokens(group.stream());
                }
                TokenTree::Literal(literal) => {
                    self.literal(&literal);
                    self.end_path(&mut path, at);
                    (joined, is_call) = (false, false);
                }
            }
        }
        self.end_path(&mut path, at);
    }

    fn literal(&mut self, literal: &proc_macro2::Literal) {
        if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
            self.file.literals.push((line(literal.span()), text.value()));
        }
    }

    fn end_path(&mut self, path: &mut Vec<String>, at: usize) {
        self.heads.extend(path.first().cloned());
        if path.len() > 1 {
            self.mention(path, at);
        }
        path.clear();
    }

    fn count(&mut self, name: &syn::Ident, span: Span) {
        let (start, end) = (span.start().line, span.end().line);
        self.file.functions.push(Function {
            name: name.to_string(),
            line: start,
            lines: end - start + 1,
        });
    }

    fn within<T>(&mut self, function: &syn::Ident, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.function, function.to_string());
        let result = run(self);
        self.function = outer;
        result
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if is_test(attributes(item)) {
            return;
        }
        if matches!(visibility(item), Some(syn::Visibility::Public(_))) {
            self.file.public_items += 1;
        }
        if !matches!(item, syn::Item::Mod(_)) {
            self.docs(attributes(item));
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.docs(&item.attrs);
        if let Some((_, items)) = &item.content {
            self.module.push(item.ident.to_string());
            for item in items {
                self.visit_item(item);
            }
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let at = line(item.span());
        let is_handed_on = !matches!(item.vis, syn::Visibility::Inherited);
        let mut paths = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut |path, local| paths.push((path, local)));
        for (path, local) in paths {
            if is_handed_on
                && let Some(Found::Module(module) | Found::Item { module }) = self.resolve(&path)
                && module.starts_with(&self.module)
                && module != self.module
            {
                if let (Some(local), Some(module)) = (local, self.modules.get(&module)) {
                    self.handed_on.push((local, module.file.clone(), at));
                }
                continue;
            }
            self.mention(&path, at);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.count(&item.sig.ident, item.block.span().join(item.sig.span()).unwrap_or(item.span()));
        self.within(&item.sig.ident, |reader| visit::visit_item_fn(reader, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if is_test(&item.attrs) {
            return;
        }
        self.docs(&item.attrs);
        self.count(&item.sig.ident, item.block.span().join(item.sig.span()).unwrap_or(item.span()));
        self.file.public_items += usize::from(matches!(item.vis, syn::Visibility::Public(_)));
        self.within(&item.sig.ident, |reader| visit::visit_impl_item_fn(reader, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.docs(&item.attrs);
        self.within(&item.sig.ident, |reader| visit::visit_trait_item_fn(reader, item));
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.docs(&field.attrs);
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.docs(&variant.attrs);
        visit::visit_variant(self, variant);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.docs(&item.attrs);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        // Paths in derives and lints are not imports; neither is documentation.
        if attribute.path().is_ident("error")
            && let syn::Meta::List(list) = &attribute.meta
        {
            for token in list.tokens.clone() {
                if let TokenTree::Literal(literal) = token {
                    self.literal(&literal);
                }
            }
        }
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {
        // `pub(super)` is not an import.
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        self.heads.extend(names.first().cloned());
        let at = line(path.span());
        if path.leading_colon.is_some() {
            self.file.external.push(Mention { line: at, path: names });
        } else if names.len() > 1 {
            self.mention(&names, at);
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let at = line(call.method.span());
        self.file.calls.push((at, call.method.to_string(), self.function.clone()));
        if LOOK.contains(&call.method.to_string().as_str()) {
            call.args.first().into_iter().for_each(|text| self.texts(text));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if matches!(binary.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_)) {
            self.texts(&binary.left);
            self.texts(&binary.right);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.file.literals.push((line(text.span()), text.value()));
    }

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        self.file.words.push((line(ident.span()), ident.to_string(), self.function.clone()));
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(name) = call.path.segments.last() {
            self.file.macros.push((line(call.path.span()), name.ident.to_string()));
        }
        self.tokens(call.tokens.clone());
    }
}
