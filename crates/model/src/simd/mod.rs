//! Instruction levels: the existing ones, those supported by the machine, and the execution of
//! kernels.
//!
//! A [`Kernel`] is written twice: [`Kernel::scalar`] handles one value at a time and is the
//! definition, and [`Kernel::lanes`] is generic over the level. [`run`] picks one of them for a
//! [`Level`]. The lane types are those of `fearless_simd` at the width of the level: 4, 8 or 16
//! lanes. This module contains no kernel.
//!
//! # Determinism
//! Lanes may use `+ - * /`, `sqrt`, comparison and selection, conversion in range, and integers.
//! Fused multiplication, `min`, `max`, reciprocal estimates and sums across lanes differ between
//! levels and are not allowed.

mod gather;

pub use fearless_simd::prelude;
pub use fearless_simd::{Simd, f32x4, f32x8, i8x64, i32x4, mask8x64, mask32x4, u8x32, u32x4};
pub use gather::{
    LaneIndices, deinterleave4, gather_eights, gather_pairs, gather_rows, gather_words,
    interleave4, prefetch, prefetch_one,
};

/// Most lanes of a vector on any level.
pub const MAX_LANES: usize = 16;

/// Index of each lane.
pub const LANE: [u32; MAX_LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Instruction set of compiled kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Plain Rust, one value at a time: the definition that all other levels must equal.
    #[default]
    Scalar,
    /// x86-64-v2. Older CPUs run the definition: a level below this one would cost each build more
    /// than it gains.
    Sse42,
    /// x86-64-v3.
    Avx2,
    /// AVX-512 as of Ice Lake and Zen 4.
    Avx512,
    /// Baseline of AArch64.
    Neon,
    /// WebAssembly vectors; never the relaxed ones, whose results differ between machines.
    Simd128,
}

impl Level {
    /// Every level, slowest first.
    pub const ALL: [Self; 6] =
        [Self::Scalar, Self::Sse42, Self::Avx2, Self::Avx512, Self::Neon, Self::Simd128];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse42 => "sse4.2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        }
    }

    /// The level of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// True if this machine can run the level.
    #[must_use]
    pub fn is_available(self) -> bool {
        self == Self::Scalar || self.token().is_some()
    }

    /// The levels supported by this machine, slowest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::ALL.into_iter().filter(|level| level.is_available()).collect()
    }

    /// The fastest level of this machine.
    #[must_use]
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|level| level.is_available()).unwrap_or_default()
    }

    /// Token that proves that the machine has the level. None for [`Level::Scalar`] where it needs
    /// no proof.
    fn token(self) -> Option<fearless_simd::Level> {
        let machine = fearless_simd::Level::new();
        match self {
            #[cfg(all(target_arch = "x86_64", not(one_level)))]
            Self::Sse42 => machine.as_sse4_2().map(fearless_simd::Level::Sse4_2),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => machine.as_avx2().map(fearless_simd::Level::Avx2),
            #[cfg(all(target_arch = "x86_64", not(one_level)))]
            Self::Avx512 => machine.as_avx512().map(fearless_simd::Level::Avx512),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => machine.as_neon().map(fearless_simd::Level::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Scalar | Self::Simd128 => {
                machine.as_wasm_simd128().map(fearless_simd::Level::WasmSimd128)
            }
            _ => {
                let _ = machine;
                None
            }
        }
    }

    /// The level that code with this token runs on.
    #[inline(always)]
    #[must_use]
    pub fn of<S: Simd>(simd: S) -> Self {
        match simd.level() {
            #[cfg(target_arch = "x86_64")]
            fearless_simd::Level::Sse4_2(_) => Self::Sse42,
            #[cfg(target_arch = "x86_64")]
            fearless_simd::Level::Avx2(_) => Self::Avx2,
            #[cfg(target_arch = "x86_64")]
            fearless_simd::Level::Avx512(_) => Self::Avx512,
            #[cfg(target_arch = "aarch64")]
            fearless_simd::Level::Neon(_) => Self::Neon,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            fearless_simd::Level::WasmSimd128(_) => Self::Simd128,
            _ => Self::Scalar,
        }
    }
}

/// A computation in two forms with the same bits.
pub trait Kernel {
    /// Result.
    type Output;

    /// The definition.
    fn scalar(self) -> Self::Output;

    /// The same over lanes. It must be `#[inline(always)]`, otherwise the instructions of the level
    /// are not used. A closure over lanes also loses them if it is called without being inlined, as
    /// `map` of an array may do; a function with that attribute does not.
    fn lanes<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs a kernel on a level. A WebAssembly module built with vectors does not start without them,
/// so it contains no scalar definitions: its only level is that of its vectors.
///
/// # Panics
/// If this machine does not have the level; see [`Level::is_available`].
#[inline]
pub fn run<K: Kernel>(level: Level, kernel: K) -> K::Output {
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    if level == Level::Scalar {
        return kernel.scalar();
    }
    dispatch(level.token().expect("a level of this machine"), kernel)
}

/// Runs the lanes of a kernel on the level of a token.
#[inline]
#[cfg_attr(
    all(target_arch = "wasm32", not(target_feature = "simd128")),
    expect(unused_variables, unused_macros, reason = "without vectors there is no token")
)]
fn dispatch<K: Kernel>(token: fearless_simd::Level, kernel: K) -> K::Output {
    macro_rules! run_on {
        ($simd:expr) => {
            $simd.vectorize(
                #[inline(always)]
                || kernel.lanes($simd),
            )
        };
    }
    match token {
        #[cfg(all(target_arch = "x86_64", not(one_level)))]
        fearless_simd::Level::Sse4_2(simd) => run_on!(simd),
        #[cfg(target_arch = "x86_64")]
        fearless_simd::Level::Avx2(simd) => run_on!(simd),
        #[cfg(all(target_arch = "x86_64", not(one_level)))]
        fearless_simd::Level::Avx512(simd) => run_on!(simd),
        #[cfg(target_arch = "aarch64")]
        fearless_simd::Level::Neon(simd) => run_on!(simd),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        fearless_simd::Level::WasmSimd128(simd) => run_on!(simd),
        _ => unreachable!("tokens are made for the levels above alone"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct WhichLevel;

    impl Kernel for WhichLevel {
        type Output = Level;

        fn scalar(self) -> Level {
            Level::Scalar
        }

        #[inline(always)]
        fn lanes<S: Simd>(self, simd: S) -> Level {
            Level::of(simd)
        }
    }

    #[test]
    fn level_that_is_asked_for_is_the_level_that_runs() {
        let available = Level::available();
        assert!(available.len() > 1, "more than the definition: {available:?}");
        for level in available {
            assert_eq!(run(level, WhichLevel), level);
        }
    }

    #[test]
    fn level_names_lead_back_to_the_level() {
        for level in Level::ALL {
            assert_eq!(Level::from_name(level.name()), Some(level));
        }
        assert_eq!(Level::from_name("mmx"), None);
    }
}
