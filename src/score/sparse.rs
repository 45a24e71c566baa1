//! Is the squared error spread evenly, or do a few elements carry most of it?
//!
//! The worst share of p % is the sum of the ceil(p N / 100) greatest squared errors over the sum of all. Nothing is
//! sorted as a whole: a pass into [`Bins`] tells in which bin each question is decided, and only these bins are looked
//! into, with their errors counted one by one where few differ, else with finer bins.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use super::bins::{Bins, Group};

/// The shares asked for, in percent of the elements.
pub(super) const WORST: [f64; 4] = [0.1, 0.5, 1.0, 5.0];
/// Which of [`WORST`] is left out for the PSNR without the worst.
const LEFT_OUT: usize = 1;
/// The parts of the squared error whose carriers are counted.
pub(super) const CARRIED: [f64; 2] = [0.5, 0.9];
/// A part counts as carried within this, so that the rounding of a sum does not ask for one element more.
const ROUNDING: f64 = 1e-12;

/// Squared errors are put in order in memory where they are no more than this.
pub(super) const FEW: u64 = 1 << 15;
/// Different squared errors that are counted one by one: 4 MB of them.
const FEW_DIFFERENT: usize = 1 << 17;

/// Squared errors that can be gone through any number of times.
pub(super) trait Errors {
    fn count(&self) -> u64;

    /// Shows all of them in blocks.
    fn each_block(&self, visit: &mut dyn FnMut(&[f64]));
}

/// How the squared error is spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    /// Share of the squared error that the worst of [`WORST`] carry.
    pub worst: [f64; WORST.len()],
    /// Least share of the elements that carries each part of [`CARRIED`].
    pub carriers: [f64; CARRIED.len()],
    /// Mean squared error of all but the worst 0.5 %; none where nothing is left.
    pub mean_without_worst: Option<f64>,
}

/// Of errors that have been put into bins over all, or are [`FEW`] and have not. None where there is no error to
/// spread, or the sum leaves the range of f64.
pub(super) fn spread(errors: &impl Errors, bins: Option<Bins>) -> Option<Spread> {
    let count = errors.count();
    let splits = match bins {
        None => split_in_memory(errors)?,
        Some(bins) => split_in_bins(errors, bins)?,
    };
    Some(spread_of(count, &splits))
}

/// Of whole squared errors by how often each comes: `counts[e]` times the error e.
pub(super) fn spread_of_counts(counts: &[u64]) -> Option<Spread> {
    let groups: Vec<Group> = (counts.iter().enumerate().rev())
        .filter(|(_, count)| **count > 0)
        .map(|(error, &count)| Group {
            prefix: error as u64,
            count,
            sum: error as f64 * count as f64,
        })
        .collect();
    let all = Part::of(&groups);
    let goals = all.goals()?;
    Some(spread_of(all.count, &goals.map(|goal| split_equals(&groups, goal))))
}

fn spread_of(count: u64, splits: &[Split; GOALS]) -> Spread {
    let mut worst: [f64; WORST.len()] = std::array::from_fn(|i| splits[i].share());
    // More elements never carry less; the last digit of two sums could say so.
    for i in 1..worst.len() {
        worst[i] = worst[i].max(worst[i - 1]);
    }
    let carriers = std::array::from_fn(|i| splits[WORST.len() + i].taken.count as f64 / count as f64);
    let rest = splits[LEFT_OUT].rest;
    Spread {
        worst,
        carriers,
        mean_without_worst: (rest.count > 0).then(|| rest.sum / rest.count as f64),
    }
}

/// How many errors, and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Part {
    count: u64,
    sum: f64,
}

const GOALS: usize = WORST.len() + CARRIED.len();

/// How far to go from the greatest error on.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Count(u64),
    Sum(f64),
}

impl Part {
    fn of(groups: &[Group]) -> Part {
        groups
            .iter()
            .fold(Part::default(), |part, group| part.and(group.part()))
    }

    fn and(self, other: Part) -> Part {
        Part {
            count: self.count + other.count,
            sum: self.sum + other.sum,
        }
    }

    /// What is asked of these errors; none where they sum to nothing, or to more than f64 holds.
    fn goals(self) -> Option<[Goal; GOALS]> {
        if !(self.sum > 0.0 && self.sum.is_finite()) {
            return None;
        }
        Some(std::array::from_fn(|i| match WORST.get(i) {
            // Both sides of the product are exact for 0.5, 1 and 5; for 0.1 % the division by 1000 is the exact one.
            Some(percent) => Goal::Count((self.count as f64 * (percent * 10.0).round() / 1000.0).ceil() as u64),
            None => Goal::Sum(self.sum * CARRIED[i - WORST.len()] * (1.0 - ROUNDING)),
        }))
    }
}

impl Group {
    fn part(self) -> Part {
        Part {
            count: self.count,
            sum: self.sum,
        }
    }
}

impl Goal {
    /// Is it reached with this much?
    fn is_reached(self, part: Part) -> bool {
        match self {
            Goal::Count(count) => part.count >= count,
            Goal::Sum(sum) => part.sum >= sum,
        }
    }

    /// What is left of it after this much.
    fn less(self, part: Part) -> Goal {
        match self {
            Goal::Count(count) => Goal::Count(count.saturating_sub(part.count)),
            Goal::Sum(sum) => Goal::Sum(sum - part.sum),
        }
    }
}

/// All errors, cut where a goal is reached.
#[derive(Clone, Copy, Debug, Default)]
struct Split {
    taken: Part,
    rest: Part,
}

impl Split {
    fn share(&self) -> f64 {
        self.taken.sum / (self.taken.sum + self.rest.sum)
    }
}

/// Groups in descending order, cut where a goal is reached: what is above, the group it is reached in, what is below.
/// The last group reaches every goal that rounding kept from being reached.
fn cut(groups: &[Group], goal: Goal) -> Option<(Part, Group, Part)> {
    let mut above = Part::default();
    for (i, group) in groups.iter().enumerate() {
        let with = above.and(group.part());
        if goal.is_reached(with) || i + 1 == groups.len() {
            return Some((above, *group, Part::of(&groups[i + 1..])));
        }
        above = with;
    }
    None
}

/// The same where the errors of a group are equal, so that it can be parted too.
fn split_equals(groups: &[Group], goal: Goal) -> Split {
    let Some((above, group, below)) = cut(groups, goal) else {
        return Split::default();
    };
    let error = group.sum / group.count as f64;
    let wanted = match goal.less(above) {
        Goal::Count(count) => count,
        Goal::Sum(sum) if error > 0.0 => (sum / error).ceil() as u64,
        Goal::Sum(_) => 0,
    };
    let part = |count: u64| Part {
        count,
        sum: error * count as f64,
    };
    let taken = wanted.min(group.count);
    Split {
        taken: above.and(part(taken)),
        rest: part(group.count - taken).and(below),
    }
}

/// The bin that a goal is reached in, and what lies on both sides of it.
#[derive(Clone, Copy, Debug)]
struct Open {
    goal: Goal,
    above: Part,
    below: Part,
    prefix: u64,
}

impl Open {
    /// The goal within groups that make up this bin.
    fn narrow(self, groups: &[Group]) -> Option<Open> {
        let (above, group, below) = cut(groups, self.goal)?;
        Some(Open {
            goal: self.goal.less(above),
            above: self.above.and(above),
            below: self.below.and(below),
            prefix: group.prefix,
        })
    }

    fn close(&self, groups: &[Group]) -> Split {
        let split = split_equals(groups, self.goal);
        Split {
            taken: self.above.and(split.taken),
            rest: split.rest.and(self.below),
        }
    }
}

fn split_in_memory(errors: &impl Errors) -> Option<[Split; GOALS]> {
    let mut values = Vec::with_capacity(errors.count() as usize);
    errors.each_block(&mut |block| values.extend_from_slice(block));
    let groups = in_order(values);
    let goals = Part::of(&groups).goals()?;
    Some(goals.map(|goal| split_equals(&groups, goal)))
}

fn split_in_bins(errors: &impl Errors, bins: Bins) -> Option<[Split; GOALS]> {
    let groups: Vec<Group> = bins.descending().collect();
    let mut open = Vec::with_capacity(GOALS);
    for goal in Part::of(&groups).goals()? {
        let everywhere = Open {
            goal,
            above: Part::default(),
            below: Part::default(),
            prefix: 0,
        };
        open.push(everywhere.narrow(&groups)?);
    }
    let mut layer = bins;
    loop {
        let wanted = Wanted::of(&open);
        match wanted.look_into(errors, &layer) {
            Inside::Counted(groups) => {
                let close = |open: &Open| Some(open.close(&groups[wanted.position(open.prefix)?]));
                let splits: Vec<Split> = open.iter().map(close).collect::<Option<_>>()?;
                return splits.try_into().ok();
            }
            Inside::Binned(mut finer) => {
                let groups: Vec<Vec<Group>> = finer.iter().map(|bins| bins.descending().collect()).collect();
                for open in &mut open {
                    *open = open.narrow(&groups[wanted.position(open.prefix)?])?;
                }
                // All of these are equally fine, which is all that is asked of a layer.
                layer = finer.pop()?;
            }
        }
    }
}

/// The bins that are looked into, each once.
struct Wanted {
    prefixes: Vec<u64>,
    /// By the last bits of a prefix: is any such wanted? Spares most errors the search.
    maybe: Box<[bool; 1 << MAYBE_BITS]>,
}

const MAYBE_BITS: u32 = 10;

/// What was found in each of the wanted bins.
enum Inside {
    /// Its errors, equal ones together.
    Counted(Vec<Vec<Group>>),
    /// Too many that differ: its errors in finer bins.
    Binned(Vec<Bins>),
}

impl Wanted {
    fn of(open: &[Open]) -> Wanted {
        let mut prefixes: Vec<u64> = open.iter().map(|open| open.prefix).collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        let mut maybe = Box::new([false; 1 << MAYBE_BITS]);
        for &prefix in &prefixes {
            maybe[last_bits(prefix)] = true;
        }
        Wanted { prefixes, maybe }
    }

    fn position(&self, prefix: u64) -> Option<usize> {
        self.prefixes.iter().position(|&wanted| wanted == prefix)
    }

    /// Goes through all errors once more.
    fn look_into(&self, errors: &impl Errors, layer: &Bins) -> Inside {
        let mut counts = Counts::default();
        let mut finer: Option<Vec<Bins>> = None;
        errors.each_block(&mut |block| {
            for &error in block {
                let prefix = layer.prefix_of(error);
                if !self.maybe[last_bits(prefix)] {
                    continue;
                }
                let Some(which) = self.position(prefix) else { continue };
                match &mut finer {
                    Some(bins) => bins[which].add(error),
                    None => *counts.entry(error.to_bits()).or_default() += 1,
                }
            }
            if finer.is_none() && counts.len() > FEW_DIFFERENT {
                finer = self.pour(std::mem::take(&mut counts), layer);
            }
        });
        match finer {
            Some(bins) => Inside::Binned(bins),
            None => Inside::Counted(self.in_order(counts, layer)),
        }
    }

    /// What was counted, in finer bins. There are finer ones, since equal errors are counted as one.
    fn pour(&self, counts: Counts, layer: &Bins) -> Option<Vec<Bins>> {
        let finer: Option<Vec<Bins>> = self.prefixes.iter().map(|&prefix| layer.within(prefix)).collect();
        finer.map(|mut bins| {
            for (bits, count) in counts {
                let error = f64::from_bits(bits);
                if let Some(which) = self.position(layer.prefix_of(error)) {
                    bins[which].add_many(error, count);
                }
            }
            bins
        })
    }

    fn in_order(&self, counts: Counts, layer: &Bins) -> Vec<Vec<Group>> {
        let mut groups = vec![Vec::new(); self.prefixes.len()];
        for (bits, count) in counts {
            let error = f64::from_bits(bits);
            if let Some(which) = self.position(layer.prefix_of(error)) {
                groups[which].push(Group {
                    prefix: bits,
                    count,
                    sum: error * count as f64,
                });
            }
        }
        for groups in &mut groups {
            groups.sort_unstable_by_key(|group| std::cmp::Reverse(group.prefix));
        }
        groups
    }
}

fn last_bits(prefix: u64) -> usize {
    prefix as usize & ((1 << MAYBE_BITS) - 1)
}

/// How often each error comes, by its bits.
type Counts = HashMap<u64, u64, BuildHasherDefault<Mix>>;

/// Spreads the bits of a number: a multiplication, and the high half of it.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The errors as groups of one, greatest first.
fn in_order(mut errors: Vec<f64>) -> Vec<Group> {
    errors.sort_unstable_by(|a, b| b.total_cmp(a));
    let group = |error: f64| Group {
        prefix: error.to_bits(),
        count: 1,
        sum: error,
    };
    errors.into_iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl Errors for Vec<f64> {
        fn count(&self) -> u64 {
            self.len() as u64
        }

        fn each_block(&self, visit: &mut dyn FnMut(&[f64])) {
            self.chunks(7).for_each(visit);
        }
    }

    fn in_bins(errors: &Vec<f64>) -> Option<Spread> {
        let mut bins = Bins::over_all();
        errors.iter().for_each(|&error| bins.add(error));
        spread(errors, Some(bins))
    }

    /// As docs/scoring.md defines it, on sorted errors.
    fn by_sorting(errors: &[f64]) -> Spread {
        let mut sorted = errors.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let all: f64 = sorted.iter().sum();
        let worst = |percent: f64| (sorted.len() as f64 * percent / 100.0).ceil() as usize;
        let carrier = |part: f64| {
            let mut sum = 0.0;
            let reached = |error: &f64| {
                sum += error;
                sum >= part * all * (1.0 - 1e-12)
            };
            (sorted.iter().position(reached).unwrap() + 1) as f64 / sorted.len() as f64
        };
        let rest = &sorted[worst(0.5)..];
        Spread {
            worst: WORST.map(|percent| sorted[..worst(percent)].iter().sum::<f64>() / all),
            carriers: CARRIED.map(carrier),
            mean_without_worst: (!rest.is_empty()).then(|| rest.iter().sum::<f64>() / rest.len() as f64),
        }
    }

    fn assert_close(spread: Option<Spread>, expected: Spread) {
        let spread = spread.unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b.abs(), "{spread:?} is not {expected:?}");
        for (a, b) in spread.worst.into_iter().zip(expected.worst) {
            close(a, b);
        }
        assert_eq!(spread.carriers, expected.carriers);
        assert_eq!(
            spread.mean_without_worst.is_some(),
            expected.mean_without_worst.is_some()
        );
        if let Some((a, b)) = spread.mean_without_worst.zip(expected.mean_without_worst) {
            close(a, b);
        }
    }

    proptest! {
        #[test]
        fn memory_bins_and_sorting_agree(errors in prop::collection::vec(0.001f64..10.0, 1..900)) {
            let expected = by_sorting(&errors);
            assert_close(spread(&errors, None), expected);
            assert_close(in_bins(&errors), expected);
        }

        #[test]
        fn counted_whole_errors_spread_as_the_errors_do(errors in prop::collection::vec(0u32..40, 1..900)) {
            prop_assume!(errors.iter().any(|&error| error > 0));
            let mut counts = vec![0; 40];
            errors.iter().for_each(|&error| counts[error as usize] += 1);
            let errors: Vec<f64> = errors.into_iter().map(f64::from).collect();
            assert_close(spread_of_counts(&counts), by_sorting(&errors));
        }

        #[test]
        fn the_order_of_the_errors_does_not_matter(errors in prop::collection::vec(0f64..10.0, 2..400), turn: prop::sample::Index) {
            let mut turned = errors.clone();
            turned.rotate_left(turn.index(errors.len()));
            prop_assert_eq!(in_bins(&errors), in_bins(&turned));
            prop_assert_eq!(spread(&errors, None), spread(&turned, None));
        }

        #[test]
        fn all_elements_carry_all_of_it(errors in prop::collection::vec(0.001f64..10.0, 1..400)) {
            let groups = in_order(errors.clone());
            let all = split_equals(&groups, Goal::Count(errors.len() as u64));
            prop_assert_eq!((all.share(), all.rest.count), (1.0, 0));
        }

        #[test]
        fn shares_rise_with_the_elements_they_are_taken_of(errors in prop::collection::vec(0f64..10.0, 1..400)) {
            if let Some(spread) = spread(&errors, None) {
                prop_assert!(spread.worst.is_sorted());
                prop_assert!(spread.worst.iter().all(|share| (0.0..=1.0).contains(share)));
                prop_assert!(spread.carriers.is_sorted());
            }
        }
    }

    #[test]
    fn errors_that_differ_in_the_last_bit_are_told_apart_however_many_there_are() {
        let near = |i: u32| if i.is_multiple_of(3) { 0.1 } else { 0.1f64.next_up() };
        let errors: Vec<f64> = (0..600_000).map(near).collect();
        let spread = in_bins(&errors).unwrap();
        let expected = by_sorting(&errors);
        for (share, expected) in spread.worst.into_iter().zip(expected.worst) {
            assert!((share - expected).abs() < 1e-9, "{share} is not {expected}");
        }
        assert!((spread.carriers[0] - 0.5).abs() < 1e-6);
    }

    #[test]
    fn bins_are_refined_until_their_errors_can_be_counted() {
        let different = FEW_DIFFERENT as u32 * 3;
        let errors: Vec<f64> = (0..different).map(|i| 1.0 + f64::from(i) * 1e-9).collect();
        let (spread, expected) = (in_bins(&errors).unwrap(), by_sorting(&errors));
        for (share, expected) in spread.worst.into_iter().zip(expected.worst) {
            assert!((share - expected).abs() < 1e-10, "{share} is not {expected}");
        }
        assert_eq!(spread.carriers, expected.carriers);
    }

    #[test]
    fn half_a_percent_of_the_pixels_with_76_percent_of_27_9_db_leave_34_1_db() {
        // Of 200,000 pixels, 1,000 are off by 126.6 levels and the rest share what is left of a MSE of 105.5.
        let (count, few) = (200_000u32, 1_000u32);
        let all = 105.5 * f64::from(count);
        let bad = 0.76 * all / f64::from(few);
        assert!((bad.sqrt() - 126.6).abs() < 0.1);
        let fair = 0.24 * all / f64::from(count - few);
        let errors: Vec<f64> = (0..count).map(|i| if i % 200 == 7 { bad } else { fair }).collect();
        let spread = in_bins(&errors).unwrap();
        let psnr = |mse: f64| 10.0 * (255.0f64.powi(2) / mse).log10();
        assert!((psnr(105.5) - 27.9).abs() < 0.05);
        assert!((spread.worst[1] - 0.76).abs() < 1e-9);
        assert!((psnr(spread.mean_without_worst.unwrap()) - 34.1).abs() < 0.05);
    }

    #[test]
    fn no_error_is_not_spread_and_one_wild_element_carries_everything() {
        assert_eq!(spread(&vec![0.0; 9], None), None);
        assert_eq!(spread(&vec![f64::MAX; 2], None), None);
        let mut errors = vec![0.0; 1000];
        errors[77] = 3.0;
        let spread = spread(&errors, None).unwrap();
        assert_eq!(spread.worst, [1.0; 4]);
        assert_eq!(spread.carriers, [0.001; 2]);
        assert_eq!(spread.mean_without_worst, Some(0.0));
    }
}
