//! `crowd`: many instances from one table, in rows and columns, with individual starts of the clip.

use crate::bounds::Bounds;
use crate::reader::{Item, Table};

/// Most members of a crowd.
const MOST: i64 = 10_000;
/// Seeds are integers that every tool writes exactly.
const MAX_SEED: i64 = (1 << 53) - 1;
const DISTANCE: Bounds = Bounds::Within(-1e6, 1e6);
const SECONDS: Bounds = Bounds::Within(-1e6, 1e6);

/// Members of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crowd {
    /// Number of members, at least 1.
    count: u32,
    /// Number of columns, along x; rows follow each other along z.
    columns: u32,
    /// Distance of two columns, and of two rows.
    spacing: [f64; 2],
    seed: u64,
    /// Seconds added to the start of the clip: for each member a number between these.
    start_s: [f64; 2],
}

impl Crowd {
    /// Reads `crowd`, if the table has it. Also none after a mistake.
    pub(super) fn read(table: &Table<'_>) -> Option<Self> {
        const EXPECTED: &str = "{ count or grid, spacing, seed, start_s }";
        let crowd = table.item("crowd")?.table(EXPECTED)?;
        let whole = |item: &Item<'_>, least: i64, most: i64| {
            let allowed = format!("a whole number from {least} to {most}");
            item.whole_within(least..=most, &allowed, format!("it is {allowed}"))
        };
        let small = |item: &Item<'_>| u32::try_from(whole(item, 1, MOST)?).ok();
        let (count, columns) = match crowd.item("grid") {
            Some(grid) => {
                crowd.refuse("count", "grid", "a crowd without grid");
                let sides = grid.array_of::<2>("[columns, rows]")?;
                let [columns, rows] = sides.map(|side| small(&side));
                let count = u64::from(columns?) * u64::from(rows?);
                if count > MOST.unsigned_abs() {
                    let message = format!("the crowd has {count} members");
                    return grid.invalid(message, format!("a crowd has at most {MOST}"));
                }
                (u32::try_from(count).ok()?, columns?)
            }
            None => {
                let count = small(&crowd.required("count", "the number of members, or grid")?)?;
                // As square as possible, with the last row the shorter one.
                (count, (count - 1).isqrt() + 1)
            }
        };
        let spacing = crowd.required("spacing", "the distance between members, or [x, z]")?;
        let pair = |item: &Item<'_>, expected: &str, bounds: Bounds| {
            let [first, second] = item.array_of::<2>(expected)?;
            Some([first.number_within(bounds)?, second.number_within(bounds)?])
        };
        let spacing = if spacing.is_array() {
            pair(&spacing, "a number or [x, z]", DISTANCE)?
        } else {
            [spacing.number_within(DISTANCE)?; 2]
        };
        let seed = match crowd.item("seed") {
            Some(item) => whole(&item, 0, MAX_SEED)?.unsigned_abs(),
            None => 0,
        };
        let start_s = match crowd.item("start_s") {
            Some(item) => pair(&item, "[from, to] in seconds", SECONDS)?,
            None => [0.0; 2],
        };
        Some(Self { count, columns, spacing, seed, start_s })
    }

    /// The members in rows, by their numbers from 0.
    pub(super) fn members(self) -> impl Iterator<Item = Member> {
        (0..self.count).map(move |number| self.member(number))
    }

    fn member(self, number: u32) -> Member {
        let Self { count, columns, spacing: [across, along], seed, start_s: [from, to] } = self;
        // Twice the steps from the middle are an integer.
        let offset = |place: u32, of: u32, step: f64| {
            (2.0 * f64::from(place) - f64::from(of - 1)) * 0.5 * step
        };
        let x = offset(number % columns, columns, across);
        let z = offset(number / columns, count.div_ceil(columns), along);
        let is_spread = from != 0.0 || to != 0.0;
        let share = f64::from(thousandths(seed, number)) / 1000.0;
        let added_s = is_spread.then_some(from + (to - from) * share);
        Member { number, offset: [x, 0.0, z], added_s }
    }
}

/// One member of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Member {
    /// From 0.
    pub(super) number: u32,
    /// Its position from the middle of the crowd.
    pub(super) offset: [f64; 3],
    /// Seconds added to the start of the clip. None if all start together.
    added_s: Option<f64>,
}

impl Member {
    /// Its start in the clip if that of the crowd is `start_s`: in whole milliseconds, as written
    /// by hand.
    pub(super) fn start_s(self, start_s: f64) -> f64 {
        self.added_s
            .map_or(start_s, |added_s| ((start_s + added_s) * 1000.0 + 0.5).floor() / 1000.0)
    }
}

/// A number from 0 to 999 for a member of a crowd, in integer arithmetic.
///
/// # Source
/// Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014: `SplitMix64`.
fn thousandths(seed: u64, number: u32) -> u32 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = seed.wrapping_add(STEP.wrapping_mul(u64::from(number) + 1));
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^= state >> 31;
    u32::try_from((u128::from(state) * 1000) >> 64).unwrap_or(999)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instance, Scene, parse_scene};

    fn scene(text: &str) -> Result<Scene, String> {
        let text = format!("[[model]]\nfile = \"imp.x\"\n[[instance]]\nmodel = \"imp\"\n{text}");
        parse_scene(&text, "crowd.toml").map_err(|errors| errors.to_string())
    }

    #[test]
    fn crowd_is_the_same_scene_as_its_members_by_hand() {
        let short = scene(
            "name = \"guard\"\nclip = \"walk\"\nposition = [1, 2, { from = 3, to = 4 }]\nstart_s = 0.5\n\
             crowd = { grid = [3, 2], spacing = [1.5, 2], seed = 7, start_s = [0, 2] }",
        )
        .unwrap();
        assert_eq!(short.instances.len(), 6);
        let by_hand: Vec<String> =
            short.instances.iter().map(|own| own.start_s.to_string()).collect();
        assert!(by_hand.iter().all(|start| start.len() <= 5), "three digits: {by_hand:?}");
        let mut text = String::new();
        for (number, start) in by_hand.iter().enumerate() {
            let (x, z) = ([-0.5, 1.0, 2.5][number % 3], [-1.0, 1.0][number / 3]);
            let head = if number == 0 { "" } else { "[[instance]]\nmodel = \"imp\"\n" };
            text += &format!(
                "{head}name = \"guard.{number}\"\nclip = \"walk\"\nstart_s = {start}\n\
                 position = [{x}, 2, {{ from = {}, to = {} }}]\n",
                3.0 + z,
                4.0 + z
            );
        }
        let long = scene(&text).unwrap();
        assert_eq!(
            short.instances,
            long.instances
                .iter()
                .zip(&short.instances)
                .map(|(own, short)| {
                    // Each of the long ones has a table, and notes its clip, for itself.
                    let Instance { clip, table, is_member, .. } = *short;
                    Instance { clip, table, is_member, ..own.clone() }
                })
                .collect::<Vec<_>>()
        );
        let starts: std::collections::BTreeSet<&String> = by_hand.iter().collect();
        assert!(starts.len() >= 5, "starts are spread: {by_hand:?}");
    }

    #[test]
    fn crowd_by_count_is_as_square_as_it_can_be() {
        let found = scene("crowd = { count = 7, spacing = 2 }").unwrap();
        let places: Vec<[f64; 3]> = (found.instances.iter())
            .map(|one| one.placement.position.as_constant().unwrap())
            .collect();
        assert_eq!(places[0], [-2.0, 0.0, -2.0]);
        assert_eq!(places[4], [0.0, 0.0, 0.0]);
        assert_eq!(places[6], [-2.0, 0.0, 2.0]);
        let names: Vec<&str> =
            found.instances.iter().filter_map(|one| one.name.as_deref()).collect();
        assert_eq!((names[0], names[6]), ("imp.0", "imp.6"));
        assert!(found.instances.iter().all(|one| one.start_s == 0.0));
    }

    #[test]
    fn seeds_give_the_same_starts_on_every_machine() {
        let starts = |seed| (0..6).map(|number| thousandths(seed, number)).collect::<Vec<_>>();
        assert_eq!(starts(0), [883, 431, 26, 970, 106, 327]);
        assert_ne!(starts(0), starts(1));
    }

    #[test]
    fn mistakes_of_a_crowd_are_named() {
        for (text, said) in [
            ("crowd = { spacing = 1 }", "crowd.count"),
            ("crowd = { count = 0, spacing = 1 }", "from 1 to 10000"),
            ("crowd = { count = 3 }", "crowd.spacing"),
            ("crowd = { grid = [200, 200], spacing = 1 }", "40000 members"),
            ("crowd = { grid = [2, 2], count = 4, spacing = 1 }", "count"),
            ("crowd = { count = 2, spacing = 1, seed = -1 }", "seed"),
            ("crowd = { count = 2, spacing = 1, start_s = 3 }", "start_s"),
            ("crowd = { count = 2, spacing = 1, gap = 3 }", "gap"),
            (
                "crowd = { count = 2, spacing = 1 }\n[[instance]]\nmodel = \"imp\"\nname = \"imp.1\"",
                "imp.1",
            ),
            (
                "name = \"a\"\ncrowd = { count = 2, spacing = 1 }\n[[instance]]\nmodel = \"imp\"\n\
                 attach = { to = \"a\" }",
                "a.0",
            ),
        ] {
            let errors = scene(text).unwrap_err();
            assert!(errors.contains(said), "{text}: {errors}");
        }
        // A member may carry others.
        let found = scene(
            "name = \"a\"\ncrowd = { count = 2, spacing = 1 }\n[[instance]]\nmodel = \"imp\"\n\
             attach = { to = \"a.1\" }",
        );
        assert_eq!(found.unwrap().instances[2].attach.as_ref().map(|at| at.to), Some(1));
    }
}
