//! The names of categories: `<game>.<2|3-5>.<live|correspondence>`, with `.programs` behind it for bot accounts.

/// A category of ratings, which is the name of its board too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Category {
    /// The whole name.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// True for matches of two, false for those of more.
    pub two_seats: bool,
    /// True for matches with a live clock.
    pub live: bool,
    /// True for matches of bot accounts.
    pub programs: bool,
}

pub(super) const TWO: &str = "2";
pub(super) const MORE: &str = "3-5";
pub(super) const SPEEDS: [&str; 2] = ["live", "correspondence"];
const PROGRAMS: &str = "programs";

/// Returns true if matches of this category are of two.
pub(super) fn has_two_seats(category: &str) -> bool {
    category.split('.').nth(1) == Some(TWO)
}

impl Category {
    /// Reads a name; `None` if it names no category.
    pub fn read(name: &str) -> Option<Category> {
        let mut parts = name.split('.');
        let game = parts.next()?.to_owned();
        let two_seats = match parts.next()? {
            TWO => true,
            MORE => false,
            _ => return None,
        };
        let speed = parts.next()?;
        let live = SPEEDS.contains(&speed).then(|| speed == SPEEDS[0])?;
        let programs = match parts.next() {
            None => false,
            Some(PROGRAMS) => true,
            Some(_) => return None,
        };
        parts.next().is_none().then(|| Category { name: name.to_owned(), game, two_seats, live, programs })
    }

    /// The number of seats, as in the name.
    pub fn seats(&self) -> &'static str {
        if self.two_seats { TWO } else { MORE }
    }

    /// The speed, as in the name.
    pub fn speed(&self) -> &'static str {
        SPEEDS[usize::from(!self.live)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_and_others_are_refused() {
        let read = Category::read("henge.3-5.correspondence.programs").unwrap();
        assert_eq!(
            (read.game.as_str(), read.seats(), read.speed(), read.programs),
            ("henge", "3-5", "correspondence", true)
        );
        let read = Category::read("contiguity.2.live").unwrap();
        assert_eq!((read.two_seats, read.live, read.programs), (true, true, false));
        for other in [
            "",
            "contiguity",
            "contiguity.2",
            "contiguity.4.live",
            "contiguity.2.fast",
            "a.2.live.bots",
            "a.2.live.programs.x",
        ] {
            assert_eq!(Category::read(other), None, "{other}");
        }
    }
}
