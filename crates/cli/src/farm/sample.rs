//! A sample of models, drawn before submission to measure time and to find models that cannot be
//! drawn.

use super::models;
use crate::console::Console;
use crate::failure::Failure;
use crate::models::Found;
use crate::{exit, thumbnail, turntable};
use std::time::Duration;
use tintype::Deadline;
use tintype_base::path::ShowPath;
use tintype_farm::job::{JobKind, Models};

/// Maximum number of models that are drawn: the largest file, and others chosen evenly.
const MOST: usize = 6;
/// No further model is started after this time.
const ENOUGH: Duration = Duration::from_secs(10);

/// Measured cost.
pub(super) struct Sample {
    /// Seconds per model on one thread.
    pub unit_s: f64,
    /// Bytes of each further picture in work.
    pub flight: u64,
}

/// Draws one; the seconds that took.
type TryOut = dyn Fn(&Found, &mut Console) -> Result<f64, Failure> + Sync;

/// Draws some models without keeping the pictures.
///
/// # Errors
/// A [`Failure`] if options are invalid, or none of the sampled models can be drawn.
pub(super) fn sample(
    job: &Models,
    found: &[Found],
    console: &mut Console,
) -> Result<Sample, Failure> {
    // 1. Draws one as a trial.
    let flight;
    let try_out: Box<TryOut> = match job.command {
        JobKind::Turntable => {
            let options = models::turntable(job)?;
            flight = turntable::bytes_in_flight(&options);
            Box::new(move |found, console| turntable::try_out(&options, found, console))
        }
        JobKind::Thumbnail => {
            let options = models::thumbnail(job)?;
            flight = u64::from(options.size) * u64::from(options.size) * 16;
            let sitter = thumbnail::CostProbe::new(&options, console)?;
            Box::new(move |found, _| sitter.try_out(found))
        }
    };

    // 2. The largest for the memory, others for the time.
    let length = |found: &&Found| std::fs::metadata(&found.path).map_or(0, |data| data.len());
    let largest = found.iter().max_by_key(length);
    let step = found.len().div_ceil(MOST - 1).max(1);
    let mut picked: Vec<&Found> = found.iter().skip(step / 2).step_by(step).collect();
    picked.extend(largest.filter(|largest| !picked.contains(largest)));
    let (enough, mut times, mut failures) = (Deadline::after(ENOUGH), Vec::new(), Vec::new());
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| {
        Failure::new(exit::TRY_AGAIN, format!("cannot start a thread: {error}"))
    })?;
    for &one in &picked {
        if enough.is_over() && !times.is_empty() {
            break;
        }
        match alone.install(|| try_out(one, console)) {
            Ok(seconds) => times.push(seconds),
            Err(failure) => failures.push((one, failure)),
        }
    }

    // 3. The cost.
    if let (true, Some((found, failure))) = (times.is_empty(), failures.first()) {
        return Err(Failure::new(
            failure.code,
            format!(
                "none of the {} tried here can be drawn; {}: {}",
                failures.len(),
                found.path.shown(),
                failure.message
            ),
        ));
    }
    for (found, failure) in &failures {
        console.warning(&format!("{}: {}", found.path.shown(), failure.message));
    }
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let unit_s = times.iter().sum::<f64>() / times.len().max(1) as f64;
    Ok(Sample { unit_s, flight })
}
