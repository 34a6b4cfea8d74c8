//! A game, described.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::list::GameSummary;
use super::options::standalone_schema;
use crate::matches::clock::ClockBody;
use sarsen_games::AnyGame;
use sarsen_matches::model::clock::{ClockTerms, WantedClock};
use sarsen_matches::presets::{Preset, presets};
use sarsen_rules::{Chance, Mode, Part, Ruling, SeatCount, Signal};

/// A game with everything a client needs to offer it.
#[derive(Serialize, ToSchema)]
#[schema(as = Game)]
pub(crate) struct GameBody {
    /// Stable id, used wherever a game is named.
    #[schema(examples("contiguity"))]
    pub(crate) id: &'static str,
    /// The title, as people know it.
    pub(crate) title: &'static str,
    /// The designer of the game.
    pub(crate) designer: &'static str,
    /// The fewest seats that a match can have.
    #[schema(minimum = 1, maximum = 5)]
    pub(crate) min_seats: u8,
    /// The most seats that a match can have.
    #[schema(minimum = 1, maximum = 5)]
    pub(crate) max_seats: u8,
    /// The mode: the seats play alone, together or against each other.
    pub(crate) mode: Mode,
    /// Indicates whether anything is hidden from any viewer, such as a hand or the order of a pile.
    pub(crate) hidden_information: bool,
    /// The phases of the game that involve chance.
    pub(crate) chance: Chance,
    /// Indicates whether seats may agree on a draw.
    pub(crate) draws: bool,
    /// Version of the rules as coded; each match keeps the one it was created with.
    #[schema(minimum = 1)]
    pub(crate) rules_version: u32,
    /// The rules in short, in Markdown; `getGameRules` has the whole.
    pub(crate) summary: &'static str,
    /// The notation of moves, in a few lines.
    pub(crate) notation: &'static str,
    /// The endings that this game's outcomes name.
    pub(crate) endings: &'static [&'static str],
    /// The types of its moves: which parts of `Move` it has. A later release may add some.
    pub(crate) move_types: Vec<&'static str>,
    /// The types of its own events: which parts of `MatchEvent` it has, beside those of any match's life. A later
    /// release may add some.
    pub(crate) event_types: Vec<&'static str>,
    /// JSON Schema of the options that a match may be created with. It refers to nothing outside itself.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub(crate) options_schema: Value,
    /// The rulings of this service on points that the printed rules leave open.
    pub(crate) rulings: Vec<Ruling>,
    /// The moves that need no turn: any seat may make them while the match is played, and they close no decision. They
    /// are not among the legal moves.
    pub(crate) signals: &'static [Signal],
    /// The types of moves that can show somebody what was hidden from them; no undo goes back behind a move that has. An
    /// empty list does not mean that every move can be undone: no undo goes back behind chance either, such as a card drawn
    /// after the move. `undo` of a match says what can be undone now.
    pub(crate) undo_barriers: &'static [&'static str],
    /// Named times of play, of which a match takes one as its `preset`. A later release may add some.
    pub(crate) presets: Vec<PresetBody>,
}

/// A named time of play.
#[derive(Serialize, ToSchema)]
#[schema(as = Preset)]
pub(crate) struct PresetBody {
    /// The id, for the `preset` of a new match.
    #[schema(examples("days-3"))]
    id: &'static str,
    /// The name to show.
    title: &'static str,
    /// The clock that a match of several players has with it; null for no time limit.
    #[schema(required)]
    clock: Option<ClockBody>,
}

/// The presets of a game.
fn presets_of(game: &dyn AnyGame) -> Vec<PresetBody> {
    let info = game.info();
    let seats = SeatCount::new(info.min_seats.max(2)).unwrap_or(SeatCount::ONE);
    let settled = |clock: WantedClock| ClockTerms::settle(&clock, info.mode, seats, None).ok().map(ClockBody::from);
    let body = |Preset { id, title, clock }| PresetBody { id, title, clock: clock.and_then(settled) };
    presets(info.max_seats).into_iter().map(body).collect()
}

impl GameBody {
    /// The game, described.
    pub(crate) fn of(game: &dyn AnyGame) -> Result<GameBody, serde_json::Error> {
        let info = game.info();
        let base = GameSummary::from(info);
        Ok(GameBody {
            id: base.id,
            title: base.title,
            designer: base.designer,
            min_seats: base.min_seats,
            max_seats: base.max_seats,
            mode: base.mode,
            hidden_information: base.hidden_information,
            chance: base.chance,
            draws: base.draws,
            rules_version: base.rules_version,
            summary: info.summary,
            notation: info.notation,
            endings: info.endings,
            move_types: tags(game.move_parts()),
            event_types: tags(game.event_parts()),
            options_schema: standalone_schema(&game.options_part())?,
            rulings: game.rulebook().rulings().to_vec(),
            signals: game.signals(),
            undo_barriers: info.undo_barriers,
            presets: presets_of(game),
        })
    }
}

fn tags(parts: Vec<Part>) -> Vec<&'static str> {
    parts.into_iter().map(|part| part.tag).collect()
}
