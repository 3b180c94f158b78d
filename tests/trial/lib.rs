//! Attributes that register tests in place, for programs whose tests may be ignored at run time.

use proc_macro::{TokenStream, TokenTree};

/// Registers a function as a test of its name.
///
/// `#[trial(with_models)]` makes it by `with_models("name", name)`, and
/// `#[trial(on_a_disk("size=64k"))]` by `on_a_disk("name", name, "size=64k")`: functions that pass
/// their resources to the test, or ignore it if they are missing.
#[proc_macro_attribute]
pub fn trial(maker: TokenStream, item: TokenStream) -> TokenStream {
    let name = name_of(&item);
    let mut maker: Vec<TokenTree> = maker.into_iter().collect();
    let more = match maker.pop_if(|last| matches!(last, TokenTree::Group(_))) {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    if maker.is_empty() {
        maker.extend("crate::support::needs_nothing".parse::<TokenStream>().expect("a path"));
    }
    let maker: TokenStream = maker.into_iter().collect();
    registered(
        item,
        &format!("|| ::std::result::Result::Ok(::std::vec![{maker}({name:?}, {name}, {more})])"),
    )
}

/// Registers a function that returns a list of tests, such as one for each file of a folder.
#[proc_macro_attribute]
pub fn trials(_: TokenStream, item: TokenStream) -> TokenStream {
    let name = name_of(&item);
    registered(item, &name)
}

/// The word after `fn`.
fn name_of(item: &TokenStream) -> String {
    let mut words = item.clone().into_iter().map(|token| token.to_string());
    words.find(|word| word == "fn");
    words.next().expect("the attribute stands above a function")
}

/// The function, followed by the registration of the tests that `make` returns.
fn registered(mut item: TokenStream, make: &str) -> TokenStream {
    let code = format!(
        "::inventory::submit! {{
            crate::support::Registered {{ module: module_path!(), line: line!(), make: {make} }}
        }}"
    );
    item.extend(code.parse::<TokenStream>().expect("the arguments of the attribute are code"));
    item
}
