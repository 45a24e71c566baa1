//! Which channel, row or head does the squared error sit in?

use super::{
    accuracy::{Breakdown, Part},
    lanes,
};

/// An axis with more parts than this is not broken down: its sums would take memory, and tell no more than the worst
/// shares do.
const MOST_PARTS: usize = 1 << 16;
/// Parts named of each axis.
const NAMED: usize = 3;

/// How a shape is broken down: the sums of squared errors along its axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axes {
    axes: Vec<Axis>,
    /// Elements along the innermost axis.
    innermost: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Axis {
    name: &'static str,
    parts: usize,
    /// Rows of the innermost axis that lie in one part at a stretch; none for the innermost axis itself.
    rows: Option<usize>,
}

/// What the dimensions of a shape are called, innermost last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// `[token, channel]`, `[head, row, column]`
    Tensor,
    /// `[channel, row, column]`
    ChannelsFirst,
    /// `[row, column, channel]`
    ChannelsLast,
}

impl Axes {
    /// The axes of more than one part. A shape whose first dimension is a batch of one is named without it.
    pub fn of(shape: &[u32], naming: Naming) -> Axes {
        let shape = match shape {
            [1, rest @ ..] if rest.len() >= 2 => rest,
            shape => shape,
        };
        let innermost = shape.last().map_or(1, |&d| d as usize);
        let mut rows = 1usize;
        let mut axes = Vec::new();
        for (position, &parts) in shape.iter().enumerate().rev() {
            let parts = parts as usize;
            let is_innermost = position + 1 == shape.len();
            if (2..=MOST_PARTS).contains(&parts) {
                axes.push(Axis {
                    name: name(naming, shape.len(), position),
                    parts,
                    rows: (!is_innermost).then_some(rows),
                });
            }
            if !is_innermost {
                rows = rows.saturating_mul(parts);
            }
        }
        axes.reverse();
        Axes { axes, innermost }
    }

    /// Sums of nothing.
    pub fn sums(&self) -> AxisSums {
        AxisSums(self.axes.iter().map(|axis| vec![0.0; axis.parts]).collect())
    }

    /// Adds squared errors to sums of these axes; `start` is the row-major index of the first.
    #[inline(always)]
    pub fn add(&self, sums: &mut AxisSums, start: usize, errors: &[f64]) {
        if self.axes.is_empty() {
            return;
        }
        let mut row = start / self.innermost;
        let mut column = start % self.innermost;
        let mut left = errors;
        while !left.is_empty() {
            let (here, next) = left.split_at(left.len().min(self.innermost - column));
            let mut in_row = None;
            for (axis, sums) in self.axes.iter().zip(&mut sums.0) {
                match axis.rows {
                    None => {
                        for (sum, error) in sums[column..].iter_mut().zip(here) {
                            *sum += error;
                        }
                    }
                    Some(rows) => {
                        sums[row / rows % axis.parts] += *in_row.get_or_insert_with(|| lanes::sum(here));
                    }
                }
            }
            left = next;
            row += 1;
            column = 0;
        }
    }

    /// The worst parts of each axis; none where there is no axis, or no error that f64 can sum.
    pub fn breakdown(&self, sums: &AxisSums) -> Option<Vec<Breakdown>> {
        let axes = self.axes.iter().zip(&sums.0);
        let found: Vec<Breakdown> = axes.filter_map(|(axis, sums)| worst_parts(axis.name, sums)).collect();
        (!found.is_empty()).then_some(found)
    }
}

/// Sums of squared errors by part, for each axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AxisSums(Vec<Vec<f64>>);

impl AxisSums {
    pub fn join(mut self, other: AxisSums) -> AxisSums {
        for (sums, more) in self.0.iter_mut().zip(other.0) {
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum += more;
            }
        }
        self
    }
}

/// The parts with the greatest share, greatest first; a part without error is not named.
pub(super) fn worst_parts(by: &str, sums: &[f64]) -> Option<Breakdown> {
    let all: f64 = sums.iter().sum();
    if !(all > 0.0 && all.is_finite()) {
        return None;
    }
    let mut order: Vec<usize> = (0..sums.len()).filter(|&i| sums[i] > 0.0).collect();
    order.sort_by(|&a, &b| sums[b].total_cmp(&sums[a]));
    order.truncate(NAMED);
    Some(Breakdown {
        by: by.to_owned(),
        parts: sums.len() as u64,
        worst: order
            .into_iter()
            .map(|i| Part {
                index: i as u64,
                share: sums[i] / all,
            })
            .collect(),
    })
}

fn name(naming: Naming, rank: usize, position: usize) -> &'static str {
    let names: &[&str] = match (naming, rank) {
        (Naming::ChannelsFirst, 3) => &["channel", "row", "column"],
        (Naming::ChannelsLast, 3) => &["row", "column", "channel"],
        (_, 1) => &["element"],
        (_, 2) => &["token", "channel"],
        (_, 3) => &["head", "row", "column"],
        _ => &["axis 0", "axis 1", "axis 2", "axis 3", "axis 4", "axis 5"],
    };
    names.get(position).copied().unwrap_or("a later axis")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sums_of(axes: &Axes, errors: &[f64], block: usize) -> AxisSums {
        let mut sums = axes.sums();
        for (i, errors) in errors.chunks(block).enumerate() {
            axes.add(&mut sums, i * block, errors);
        }
        sums
    }

    #[test]
    fn every_axis_is_summed_whatever_the_blocks() {
        let shape = [1, 2, 3, 4];
        let axes = Axes::of(&shape, Naming::Tensor);
        let errors: Vec<f64> = (0..24).map(f64::from).collect();
        for block in [1, 5, 24] {
            let AxisSums(sums) = sums_of(&axes, &errors, block);
            assert_eq!(sums[0], [66.0, 210.0]);
            assert_eq!(sums[1], [60.0, 92.0, 124.0]);
            assert_eq!(sums[2], [60.0, 66.0, 72.0, 78.0]);
        }
    }

    #[test]
    fn the_worst_parts_come_first_with_their_share() {
        let axes = Axes::of(&[1, 3, 4], Naming::Tensor);
        let errors = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 5.0, 2.0, 0.0, 0.0, 0.0];
        let found = axes.breakdown(&sums_of(&axes, &errors, 12)).unwrap();
        assert_eq!((found[0].by.as_str(), found[0].parts), ("token", 3));
        let shares: Vec<(u64, f64)> = found[0].worst.iter().map(|part| (part.index, part.share)).collect();
        assert_eq!(shares, [(1, 0.75), (2, 0.25)]);
        assert_eq!((found[1].by.as_str(), found[1].worst[0].index), ("channel", 3));
    }

    #[test]
    fn axes_are_named_after_what_they_are() {
        let names = |shape: &[u32], naming| {
            let axes = Axes::of(shape, naming).axes;
            axes.into_iter().map(|axis| axis.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&[1, 64, 48], Naming::Tensor), ["token", "channel"]);
        assert_eq!(names(&[1, 4, 44, 44], Naming::Tensor), ["head", "row", "column"]);
        assert_eq!(
            names(&[1, 8, 16, 16], Naming::ChannelsFirst),
            ["channel", "row", "column"]
        );
        assert_eq!(
            names(&[1, 16, 16, 8], Naming::ChannelsLast),
            ["row", "column", "channel"]
        );
        assert_eq!(names(&[1, 1, 288], Naming::Tensor), ["channel"]);
        assert_eq!(names(&[70_000], Naming::Tensor), [""; 0]);
        assert_eq!(names(&[], Naming::Tensor), [""; 0]);
    }

    proptest! {
        #[test]
        fn swapping_channels_swaps_the_breakdown(
            errors in prop::collection::vec(0f64..10.0, 15..=15), a in 0usize..5, b in 0usize..5,
        ) {
            let axes = Axes::of(&[1, 3, 5], Naming::Tensor);
            let mut swapped = errors.clone();
            swapped.chunks_mut(5).for_each(|row| row.swap(a, b));
            let AxisSums(mut sums) = sums_of(&axes, &errors, 4);
            sums[1].swap(a, b);
            let AxisSums(of_swapped) = sums_of(&axes, &swapped, 4);
            prop_assert_eq!(&sums[1], &of_swapped[1]);
        }
    }
}
