//! How bad is a status, and what is it called?

use std::fmt;

use super::{Expectation, Status};
use crate::attempt::AttemptStatus;

impl Status {
    /// Every status, the good ones first: the order of counts.
    pub const ALL: [Status; 11] = [
        Status::Pass,
        Status::Unscored,
        Status::Flaky,
        Status::Inaccurate,
        Status::Nonfinite,
        Status::Failed,
        Status::NoResult,
        Status::Timeout,
        Status::Crashed,
        Status::Unavailable,
        Status::Skipped,
    ];

    /// The order in which repeats of one cell outvote each other; the highest decides.
    ///
    /// Anything that ran badly outvotes `unavailable`, so that a driver lost half-way hides no finding; `unavailable`
    /// outvotes a pass, which then did not hold for all repeats. `flaky` outvotes what ran well and yields to
    /// whatever says more precisely what is wrong.
    pub fn severity(self) -> u8 {
        match self {
            Status::Skipped => 0,
            Status::Pass => 1,
            Status::Unscored => 2,
            Status::Unavailable => 3,
            Status::Flaky => 4,
            Status::Inaccurate => 5,
            Status::Nonfinite => 6,
            Status::Failed => 7,
            Status::NoResult => 8,
            Status::Timeout => 9,
            Status::Crashed => 10,
        }
    }

    /// True where the graph ran and nothing speaks against what it computed.
    pub fn ran_well(self) -> bool {
        matches!(self, Status::Pass | Status::Unscored)
    }

    /// True where a row needs no entry in the baseline.
    pub fn needs_no_entry(self) -> bool {
        self.ran_well() || matches!(self, Status::Unavailable | Status::Skipped)
    }

    /// The name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Unscored => "unscored",
            Status::Inaccurate => "inaccurate",
            Status::Nonfinite => "nonfinite",
            Status::Failed => "failed",
            Status::Crashed => "crashed",
            Status::Timeout => "timeout",
            Status::NoResult => "no_result",
            Status::Flaky => "flaky",
            Status::Unavailable => "unavailable",
            Status::Skipped => "skipped",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<AttemptStatus> for Status {
    fn from(status: AttemptStatus) -> Self {
        match status {
            AttemptStatus::Pass => Status::Pass,
            AttemptStatus::Unscored => Status::Unscored,
            AttemptStatus::Inaccurate => Status::Inaccurate,
            AttemptStatus::Nonfinite => Status::Nonfinite,
            AttemptStatus::Failed => Status::Failed,
            AttemptStatus::Crashed => Status::Crashed,
            AttemptStatus::Timeout => Status::Timeout,
            AttemptStatus::NoResult => Status::NoResult,
            AttemptStatus::Unavailable => Status::Unavailable,
        }
    }
}

impl Expectation {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Expectation::Fine => "fine",
            Expectation::ExpectedFailure => "expected_failure",
            Expectation::UnexpectedPass => "unexpected_pass",
            Expectation::Finding => "finding",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_statuses_are_equally_severe() {
        let mut severities = Status::ALL.map(Status::severity);
        severities.sort_unstable();
        assert_eq!(severities, std::array::from_fn::<u8, 11, _>(|i| i as u8));
    }

    #[test]
    fn names_are_those_of_the_contract() {
        for status in Status::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        for expectation in [
            Expectation::Fine,
            Expectation::ExpectedFailure,
            Expectation::UnexpectedPass,
            Expectation::Finding,
        ] {
            assert_eq!(serde_json::to_value(expectation).unwrap(), expectation.name());
        }
    }
}
