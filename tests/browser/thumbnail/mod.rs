//! `thumbnail` as a user, a script and a file manager meet it: which files there are afterwards, what is in them, what is said.

mod desktop;
mod files;
mod page;

use crate::Shared;
use libtest_mimic::Trial;

pub(crate) fn trials(browser: &Shared) -> Vec<Trial> {
    let mut trials = files::trials();
    trials.extend(desktop::trials());
    trials.extend(page::trials(browser));
    trials
}
