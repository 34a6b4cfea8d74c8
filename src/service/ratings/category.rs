//! The names of categories, which are those of their boards: `<game>.<2|3-5>.<live|correspondence>` for ratings, with
//! `.programs` behind it for bot accounts; `<game>.<solo|coop>.<ranked options>` for results, with the month behind it, as
//! in `.2026-11`, on a board of one.

use sarsen_base::ambient::Timestamp;

/// A category of ratings, or a board of results.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Category {
    /// The whole name.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// The kind.
    pub kind: CategoryKind,
}

/// The kind of a category.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CategoryKind {
    /// Ratings.
    Ratings {
        /// True for matches of two, false for those of more.
        two_seats: bool,
        /// True for matches with a live clock.
        live: bool,
        /// True for matches of bot accounts.
        programs: bool,
    },
    /// Results of matches that nobody plays against anybody.
    Results {
        /// True for the streaks of players who play together, false for the scores of those who play alone.
        together: bool,
        /// The name of the ranked options.
        options: String,
        /// The month of a board of one, as in `2026-11`; `None` for all times.
        month: Option<String>,
    },
}

pub(super) const TWO: &str = "2";
pub(super) const MORE: &str = "3-5";
pub(super) const SPEEDS: [&str; 2] = ["live", "correspondence"];
pub(super) const SOLO: &str = "solo";
pub(super) const TOGETHER: &str = "coop";
const PROGRAMS: &str = "programs";
/// The number of months for which the board of a month is kept after its end.
const MONTHS_KEPT: i64 = 13;

/// Returns true if matches of this category are of two.
pub(super) fn has_two_seats(category: &str) -> bool {
    category.split('.').nth(1) == Some(TWO)
}

/// The name of the board of the month in which this moment is; `None` where it is not kept any more.
pub(super) fn of_month(board: &str, moment: Timestamp, now: Timestamp) -> Option<String> {
    let month = month_of(moment);
    is_kept(&month, now).then(|| format!("{board}.{month}"))
}

/// The month of a moment, as in `2026-11`.
fn month_of(moment: Timestamp) -> String {
    moment.rfc3339().chars().take(7).collect()
}

/// The months from the year 0 to this one; `None` where it is no month.
fn counted(month: &str) -> Option<i64> {
    let (year, month) = month.split_once('-').filter(|(year, month)| (year.len(), month.len()) == (4, 2))?;
    let month = month.parse::<u8>().ok().filter(|month| (1..=12).contains(month))?;
    Some(i64::from(year.parse::<u16>().ok()?) * 12 + i64::from(month))
}

/// Returns true if the board of a month is still kept.
fn is_kept(month: &str, now: Timestamp) -> bool {
    let age = counted(&month_of(now)).zip(counted(month)).map(|(now, month)| now - month);
    age.is_some_and(|age| age <= MONTHS_KEPT)
}

impl Category {
    /// Reads a name; `None` if it names no category.
    pub(crate) fn read(name: &str) -> Option<Category> {
        let mut parts = name.split('.');
        let game = parts.next()?.to_owned();
        let first = parts.next()?;
        let kind = match first {
            TWO | MORE => {
                let speed = parts.next()?;
                let live = SPEEDS.contains(&speed).then(|| speed == SPEEDS[0])?;
                let programs = match parts.next() {
                    None => false,
                    Some(PROGRAMS) => true,
                    Some(_) => return None,
                };
                CategoryKind::Ratings { two_seats: first == TWO, live, programs }
            }
            SOLO | TOGETHER => {
                let options = parts.next().filter(|options| !options.is_empty())?.to_owned();
                let month = parts.next().map(str::to_owned);
                if month.as_deref().is_some_and(|month| counted(month).is_none()) {
                    return None;
                }
                CategoryKind::Results { together: first == TOGETHER, options, month }
            }
            _ => return None,
        };
        parts.next().is_none().then(|| Category { name: name.to_owned(), game, kind })
    }

    /// Returns true for a category of ratings.
    pub fn is_rated(&self) -> bool {
        matches!(self.kind, CategoryKind::Ratings { .. })
    }

    /// Returns false for the board of a month long past.
    pub(super) fn is_kept(&self, now: Timestamp) -> bool {
        match &self.kind {
            CategoryKind::Results { month: Some(month), .. } => is_kept(month, now),
            _ => true,
        }
    }

    /// Returns true if this is the board of a month of that of all times.
    pub(super) fn is_month_of(&self, board: &str) -> bool {
        let months = matches!(self.kind, CategoryKind::Results { month: Some(_), .. });
        months && self.name.rsplit_once('.').is_some_and(|(all, _)| all == board)
    }

    /// The number of seats, as in the name.
    pub fn seats(two_seats: bool) -> &'static str {
        if two_seats { TWO } else { MORE }
    }

    /// The speed, as in the name.
    pub fn speed(live: bool) -> &'static str {
        SPEEDS[usize::from(!live)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_and_others_are_refused() {
        let kind = |name| Category::read(name).unwrap().kind;
        let rated = |two_seats, live, programs| CategoryKind::Ratings { two_seats, live, programs };
        assert_eq!(kind("henge.3-5.correspondence.programs"), rated(false, false, true));
        assert_eq!(kind("contiguity.2.live"), rated(true, true, false));
        let results = |together, options: &str, month: Option<&str>| CategoryKind::Results {
            together,
            options: options.to_owned(),
            month: month.map(str::to_owned),
        };
        assert_eq!(kind("henge.solo.default"), results(false, "default", None));
        assert_eq!(kind("absolution.coop.default.2026-11"), results(true, "default", Some("2026-11")));
        for other in [
            "",
            "contiguity",
            "contiguity.2",
            "contiguity.4.live",
            "contiguity.2.fast",
            "a.2.live.bots",
            "a.2.live.programs.x",
            "a.solo",
            "a.solo.",
            "a.solo.default.2026-13",
            "a.solo.default.month",
            "a.coop.default.2026-11.x",
        ] {
            assert_eq!(Category::read(other), None, "{other}");
        }
    }

    #[test]
    fn the_board_of_a_month_is_kept_for_13_months_after_it() {
        let at = |text: &str| Timestamp::from_rfc3339(text).unwrap();
        let (begun, board) = (at("2026-11-30T23:59:59.999Z"), "a.solo.default");
        let name = Some("a.solo.default.2026-11".to_owned());
        assert_eq!(of_month(board, begun, at("2026-12-01T00:00:00Z")), name);
        assert_eq!(of_month(board, begun, at("2027-12-31T23:59:59.999Z")), name);
        assert_eq!(of_month(board, begun, at("2028-01-01T00:00:00Z")), None);
        let month = Category::read("a.solo.default.2026-11").unwrap();
        assert!(
            month.is_month_of(board) && !month.is_month_of("a.solo.long") && month.is_kept(at("2027-12-31T00:00:00Z"))
        );
        assert!(!month.is_kept(at("2028-01-01T00:00:00Z")));
    }
}
