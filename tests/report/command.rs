//! The files of a report as `test` leaves them on the disk.

use libtest_mimic::{Failed, Trial};

type Outcome = Result<(), Failed>;

pub fn trials() -> Vec<Trial> {
    let _: Option<Outcome> = None;
    Vec::new()
}
