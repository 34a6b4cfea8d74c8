//! Adjudications: the results that organisers give matches of theirs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use sarsen_rules::{Mode, SeatCount, Verdict};

/// The result that an organiser gives a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// The place of each seat, in the order of seats, from 1. Seats that are tied share a place, and as many places less one
    /// stay empty behind it.
    #[schema(min_items = 1, max_items = 5, examples(1))]
    pub ranks: Vec<u8>,
    /// The result of the first place; all others have lost. With `drawn` and `lost` every seat is there.
    pub verdict: Verdict,
}

/// The refusal of a ruling with which the match cannot end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`ranks` has the place of each seat, in order, and only where somebody has won against others there is more than one"
)]
pub struct ImpossibleRuling;

impl Adjudication {
    /// Refuses a ruling that is impossible for this mode and number of seats.
    pub(crate) fn must_be_possible(&self, mode: Mode, seats: SeatCount) -> Result<(), ImpossibleRuling> {
        let better = |rank: u8| self.ranks.iter().filter(|other| **other < rank).count();
        let ranked = self.ranks.len() == usize::from(seats.get())
            && self.ranks.iter().all(|rank| usize::from(*rank) == better(*rank) + 1);
        let shared = self.ranks.iter().all(|rank| *rank == 1);
        let possible = match self.verdict {
            Verdict::Won => shared || mode == Mode::Competitive,
            Verdict::Drawn => shared && mode == Mode::Competitive,
            Verdict::Lost => shared,
        };
        if ranked && possible { Ok(()) } else { Err(ImpossibleRuling) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruling_ranks_every_seat_as_a_match_of_its_mode_can_end() {
        use Mode::{Competitive, Cooperative};
        use Verdict::{Drawn, Lost, Won};
        let possible = |mode, ranks: &[u8], verdict| {
            let seats = SeatCount::new(3).unwrap();
            Adjudication { ranks: ranks.to_vec(), verdict }.must_be_possible(mode, seats).is_ok()
        };
        for ranks in [[1, 2, 3], [3, 1, 2], [1, 1, 3], [2, 1, 2], [1, 1, 1]] {
            assert!(possible(Competitive, &ranks, Won), "{ranks:?}");
            assert_eq!(possible(Competitive, &ranks, Drawn), ranks == [1, 1, 1], "{ranks:?}");
            assert_eq!(possible(Cooperative, &ranks, Won), ranks == [1, 1, 1], "{ranks:?}");
        }
        assert!(possible(Cooperative, &[1, 1, 1], Lost) && !possible(Cooperative, &[1, 1, 1], Drawn));
        for ranks in [&[1, 2][..], &[1, 2, 3, 4], &[1, 1, 2], &[2, 3, 4], &[0, 1, 2], &[1, 3, 3], &[]] {
            assert!(!possible(Competitive, ranks, Won), "{ranks:?}");
        }
    }
}
