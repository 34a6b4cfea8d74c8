//! Making a match.

use std::sync::Arc;

use serde_json::Value;

use super::fairness::ServerSeed;
use super::live_match::LiveMatch;
use super::refused::CreateRefused;
use super::terms::{Creation, Seated, StartMode, Terms, Visibility};
use super::{Matches, Reader, Refused, ViewedMatch};
use crate::ids::MatchId;
use crate::rules::{Seat, SeatCount};

/// What the creator of a match asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMatch {
    /// The game's id.
    pub game: String,
    /// The game's options; `null` for all defaults.
    pub options: Value,
    /// How many seats; `None` for the fewest that the game has.
    pub seats: Option<SeatCount>,
    /// The creator's own seat; `None` to stay out.
    pub seat: Option<Seat>,
    /// Who may see it.
    pub visibility: Visibility,
    /// When it starts.
    pub start: StartMode,
    /// Seconds for a decision before others may claim; `None` for ever.
    pub move_time_seconds: Option<u32>,
}

impl Matches {
    /// Makes a match.
    ///
    /// # Errors
    /// Those of [`CreateRefused`], and [`SeatRefused::NoSuchSeat`].
    ///
    /// [`SeatRefused::NoSuchSeat`]: super::refused::SeatRefused::NoSuchSeat
    pub async fn create(&self, creator: Seated, new: NewMatch) -> Result<ViewedMatch, Refused> {
        let game = self.games.newest(&new.game).ok_or(CreateRefused::GameNotFound)?;
        let info = game.info();
        let (min, max) = (info.min_seats, info.max_seats);
        let fewest = SeatCount::new(min).unwrap_or(SeatCount::ONE);
        let seats = new.seats.unwrap_or(fewest);
        if seats.get() < min || seats.get() > max {
            return Err(CreateRefused::SeatCount { min, max }.into());
        }
        let terms = Terms {
            game: new.game,
            rules_version: info.rules_version,
            options: game.options(&new.options, seats).map_err(CreateRefused::Options)?,
            visibility: new.visibility,
            invite: (new.visibility == Visibility::Private).then(|| self.invite_code()),
            start: new.start,
            move_time_seconds: new.move_time_seconds,
        };
        let player = creator.id.clone();
        let creation = Creation { terms, seats, seat: new.seat, creator };
        let id = MatchId::generate(&self.ambient);
        let seed = ServerSeed::generate(&self.ambient);
        let (live, entry) = LiveMatch::create(Arc::clone(game), id, seed, creation, self.now())?;
        let made = self.commit(live, &entry, None, None).await?.ok_or(Refused::Busy)?;
        Ok(made.seen_by(&Reader::player(player)))
    }

    /// A fresh invite code: 12 letters and digits that are not mistaken for each other, 60 bits.
    fn invite_code(&self) -> String {
        const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        self.ambient.bytes::<12>().iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
    }
}
