//! A test run: the goldens of many scenes, redrawn and compared.
//!
//! Decides the result, groups failures by cause, and accepts them. [`Suite`] selects the tests; a
//! [`TestRun`] contains the results, [`TestRun::groups`] groups its failures, [`Failure::accept`]
//! accepts one, and [`TestRun::write_report`] writes all forms of the report.

mod accept;
mod causes;
mod results;
mod suite;

pub use accept::{AcceptError, Acceptance, Failure};
pub use causes::CauseGroup;
pub use results::{Counts, Ending, TestRun, TestedScene};
pub use suite::{Clock, Share, Suite, Wanted};
