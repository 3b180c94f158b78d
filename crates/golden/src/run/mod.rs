//! A test run: the goldens of many scenes, drawn anew and compared.
//!
//! Decides what passes, what fails for one cause, and what is accepted. [`Suite`] says what is tested; a [`TestRun`] holds the results,
//! [`TestRun::groups`] gathers its failures, [`Failure::accept`] accepts one, and [`TestRun::write_report`] writes all forms of its report.

mod accept;
mod causes;
mod results;
mod suite;

pub use accept::{AcceptError, Acceptance, Failure};
pub use causes::CauseGroup;
pub use results::{Counts, Ending, TestRun, TestedScene};
pub use suite::{Clock, Share, Suite, Wanted};
