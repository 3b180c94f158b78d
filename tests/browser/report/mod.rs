//! The report of `test`: its texts read back by other programs, its page used in a browser, its files on the disk.

mod command;
mod page;
pub(crate) mod sample;
mod text;

use crate::Shared;
use libtest_mimic::Trial;

pub(crate) fn trials(browser: &Shared) -> Vec<Trial> {
    let mut trials = text::trials();
    trials.extend(command::trials(browser));
    trials.extend(page::trials(browser));
    trials
}
