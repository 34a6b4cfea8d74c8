//! A match as an agent reads it: text first, and the same in fields.
//!
//! Invariant: a text has at most [`TEXT_MAX`] bytes ([`LARGE_TEXT_MAX`] for Henge). Where there is no room, the
//! description goes, which the facts of the view repeat, and then the words of moves.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::agent::Agent;
use super::answer::Told;
use super::facts::facts;
use super::moves::{Choice, LegalMoves, Listed, MoveKind};
use super::names::{cut, quoted};
use super::since;
use crate::answer::problem::Problem;
use sarsen_accounts::auth::PlayerKind;
use sarsen_base::ids::MatchId;
use sarsen_games::bots::Level;
use sarsen_games::pictures::PictureText;
use sarsen_matches::play::DecisionId;
use sarsen_matches::{Reader, Refused, Stage, ViewedMatch};
use sarsen_rules::phrases::seats;
use sarsen_rules::{Outcome, Seat};

/// The longest text of a position, in bytes.
pub(super) const TEXT_MAX: usize = 4096;
/// The same for the large game.
pub(super) const LARGE_TEXT_MAX: usize = 8192;
/// The large game.
const LARGE: &str = "henge";
/// The room that moves have in any case, in bytes.
const MOVES_ROOM: usize = 700;

/// The holder of a seat.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AgentSeat)]
pub(super) struct SeatLine {
    /// The seat's number, from 0.
    seat: Seat,
    /// `person`, `program` (a bot account), `bot` (of the service), `reserved` (kept for a player) or `free`.
    held_by: &'static str,
    /// The name of that player: text of somebody else's, cut after 40 characters. Null for bots and free seats.
    #[schema(required)]
    name: Option<String>,
    /// The level of a bot; null otherwise.
    #[schema(required)]
    level: Option<Level>,
    /// Indicates whether the caller holds it.
    yours: bool,
}

/// The open decision of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AgentDecision)]
pub(super) struct Asked {
    /// The id to pass to `make_move`. It stays good until the seat has moved.
    id: String,
    /// The question.
    question: String,
    /// The number of legal moves.
    moves: usize,
    /// Indicates whether these are all: if not, other legal moves are accepted in notation too.
    complete: bool,
    /// The moves, where there are at most 60; otherwise empty.
    choices: Vec<Choice>,
    /// The kinds of moves, where there are more; otherwise empty.
    kinds: Vec<MoveKind>,
}

/// A match as the caller may see it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AgentPosition)]
pub(super) struct Position {
    /// The id of the match.
    match_id: String,
    /// The game's id.
    game: String,
    /// The stage of the match.
    status: Stage,
    /// The number of steps so far.
    #[schema(minimum = 1)]
    version: u64,
    /// The caller's seat; null for a spectator.
    #[schema(required)]
    your_seat: Option<Seat>,
    /// Indicates whether the caller has a decision to make.
    your_turn: bool,
    /// The seats that have a decision to make.
    to_act: Vec<Seat>,
    /// The holders of all seats.
    seats: Vec<SeatLine>,
    /// The position in words: its title, its description and the facts of the caller's view.
    position: String,
    /// The same without the description, for where there is no room.
    #[serde(skip)]
    brief: String,
    /// The events since the caller's last move, oldest first.
    since_your_move: Vec<String>,
    /// The caller's open decision; null if there is none.
    #[schema(required)]
    decision: Option<Asked>,
    /// The version to which the caller could go back alone, with `undo`; null if there is none.
    #[schema(required)]
    undo_to_version: Option<u64>,
    /// The moment at which the caller's clock runs out; null while it is stopped, and without a clock.
    #[schema(required, format = "date-time")]
    deadline_at: Option<String>,
    /// The seats that have offered or accepted a draw.
    draw_offered_by: Vec<Seat>,
    /// The code that lets others in, for the seats of a private match; null otherwise.
    #[schema(required)]
    invite_code: Option<String>,
    /// The result; null until the match has finished.
    #[schema(required)]
    outcome: Option<Outcome>,
}

impl Position {
    /// The match as `reader` may see it, with its legal moves of this kind (all, if it is empty).
    pub(super) async fn read(agent: &Agent, reader: &Reader, id: &MatchId, kind: &str) -> Result<Position, Problem> {
        let (viewed, since) = since::read(&agent.service.matches, reader, id).await?;
        Position::of(&viewed, since, kind)
    }

    /// The match after a step, as the one who has taken it reads it.
    pub(super) async fn after(agent: &Agent, viewed: &ViewedMatch) -> Result<Position, Problem> {
        Position::read(agent, &agent.reader(viewed.seat()), &viewed.live.stored.id, "").await
    }

    /// The match as it was read, and what has happened.
    pub(super) fn of(viewed: &ViewedMatch, since: Vec<String>, kind: &str) -> Result<Position, Problem> {
        let (live, stored) = (&viewed.live, &viewed.live.stored);
        let your_seat = viewed.seat();
        let (whole, brief) = in_words(viewed)?;
        let mut position = Position {
            match_id: stored.id.to_string(),
            game: stored.terms.game.clone(),
            status: stored.stage,
            version: stored.version,
            your_seat,
            your_turn: your_seat.is_some_and(|seat| live.asks_player(seat).is_some()),
            to_act: live.to_act().iter().collect(),
            seats: live.seat_count().seats().map(|seat| SeatLine::of(viewed, seat)).collect(),
            position: whole,
            brief,
            since_your_move: since,
            decision: None,
            undo_to_version: viewed.free_undo().map(|undo| undo.to_version),
            deadline_at: your_seat.and_then(|seat| live.deadline(seat)).map(|at| at.rfc3339()),
            draw_offered_by: stored.draw.clone(),
            invite_code: stored.terms.invite.clone().filter(|_| viewed.insider),
            outcome: stored.outcome.clone(),
        };
        position.shorten();
        let open = your_seat.and_then(|seat| Some((seat, live.asks_player(seat)?, live.state()?)));
        let Some((seat, open, state)) = open else { return Ok(position) };
        position.decision = Some(Asked {
            id: DecisionId { version: open.version, seat }.to_string(),
            question: state.prompt(seat).text.into_owned(),
            moves: 0,
            complete: true,
            choices: Vec::new(),
            kinds: Vec::new(),
        });
        let legal = LegalMoves::of(live, seat)?;
        let room = position.room();
        if let Some(asked) = &mut position.decision {
            let Listed { choices, kinds } = legal.listed(kind, room);
            (asked.moves, asked.complete) = (legal.count(), legal.complete);
            (asked.choices, asked.kinds) = (choices, kinds);
        }
        Ok(position)
    }

    /// The game's id.
    pub(super) fn game(&self) -> &str {
        &self.game
    }

    /// The decision with its legal moves in text, or whose turn it is.
    pub(super) fn decision_text(&self) -> String {
        let mut text = String::new();
        match &self.decision {
            Some(asked) => asked.write(&mut text),
            None => text.push_str(&self.turn()),
        }
        text
    }

    /// The longest text that it may have.
    fn text_max(&self) -> usize {
        if self.game == LARGE { LARGE_TEXT_MAX } else { TEXT_MAX }
    }

    /// The bytes that its text has left, less some for the head of the list of moves.
    fn room(&self) -> usize {
        self.text_max().saturating_sub(self.text().len() + 120)
    }

    /// Tells the position more briefly where moves would have no room beside it; cuts it at a line's end at last.
    fn shorten(&mut self) {
        const CUT: &str = "(cut; the resource of the match has the rest)\n";
        let beside = self.text().len() - self.position.len() + MOVES_ROOM + CUT.len();
        let most = self.text_max().saturating_sub(beside);
        if self.position.len() > most {
            self.position = std::mem::take(&mut self.brief);
        }
        if self.position.len() > most {
            let begin = self.position.char_indices().take_while(|(at, _)| *at < most).filter(|(_, mark)| *mark == '\n');
            let end = begin.last().map_or(0, |(at, _)| at + 1);
            self.position.truncate(end);
            self.position.push_str(CUT);
        }
    }

    fn turn(&self) -> String {
        let seats = seats(&self.to_act);
        match (self.status, self.your_seat) {
            (Stage::Open, _) => "It waits for players or for its start.".to_owned(),
            (Stage::Finished | Stage::Aborted, _) => "It is over.".to_owned(),
            (Stage::Playing, Some(seat)) if self.your_turn => format!("It is your turn, on seat {seat}."),
            (Stage::Playing, Some(seat)) => format!("You hold seat {seat}; to act: {seats}."),
            (Stage::Playing, None) => format!("You watch; to act: {seats}."),
        }
    }
}

impl Told for Position {
    fn text(&self) -> String {
        let mut text =
            format!("Match {}: {}, {}, version {}. ", self.match_id, self.game, self.status.name(), self.version);
        text.push_str(&self.turn());
        let seats: Vec<String> = self.seats.iter().map(SeatLine::text).collect();
        text.push_str(&format!("\nSeats: {}.\n", seats.join("; ")));
        if let Some(code) = &self.invite_code {
            text.push_str(&format!("Invite code for others: {code}\n"));
        }
        if let ([by, ..], None) = (&self.draw_offered_by[..], &self.outcome) {
            text.push_str(&format!("Seat {by} offers a draw (answer_draw).\n"));
        }
        if let Some(version) = self.undo_to_version {
            text.push_str(&format!("You can take back to version {version} (undo).\n"));
        }
        if let Some(at) = &self.deadline_at {
            text.push_str(&format!("Your time is over at {at}.\n"));
        }
        if !self.position.is_empty() {
            text.push_str(&format!("\n{}", self.position));
        }
        if !self.since_your_move.is_empty() {
            text.push_str("\nSince your last move:\n");
            self.since_your_move.iter().for_each(|sentence| text.push_str(&format!("- {sentence}\n")));
        }
        if let Some(asked) = &self.decision {
            text.push('\n');
            asked.write(&mut text);
        }
        text
    }
}

impl Asked {
    fn write(&self, text: &mut String) {
        let Asked { id, question, moves, complete, choices, kinds } = self;
        text.push_str(&format!("Decision {id}: {question} "));
        let more = if *complete { "" } else { " and more in notation" };
        text.push_str(&format!("Legal moves: {moves}{more}.\n"));
        choices.iter().for_each(|choice| text.push_str(&format!("{}\n", choice.line())));
        if !kinds.is_empty() {
            let kinds: Vec<String> = kinds.iter().map(MoveKind::words).collect();
            text.push_str(&format!("By kind (get_match with `kind` lists one): {}\n", kinds.join(", ")));
        }
    }
}

impl SeatLine {
    fn of(viewed: &ViewedMatch, seat: Seat) -> SeatLine {
        let stored = viewed.live.stored.seats.get(seat.index());
        let bot = viewed.live.bot(seat);
        let player = stored.and_then(|stored| stored.player.as_ref());
        let reserved = stored.and_then(|stored| stored.reserved.as_ref());
        let held_by = match (player, bot, reserved) {
            (_, Some(_), _) => "bot",
            (Some(player), None, _) if player.kind == PlayerKind::Bot => "program",
            (Some(_), None, _) => "person",
            (None, None, Some(_)) => "reserved",
            (None, None, None) => "free",
        };
        SeatLine {
            seat,
            held_by,
            name: player.or(reserved).map(|player| cut(viewed.shown(player).name)),
            level: bot.map(|bot| bot.level),
            yours: viewed.seat() == Some(seat),
        }
    }

    fn text(&self) -> String {
        let name = self.name.as_deref().map(|name| format!(" {}", quoted(name))).unwrap_or_default();
        let level = self.level.map(|level| format!(" ({})", level.name())).unwrap_or_default();
        let you = if self.yours { ", you" } else { "" };
        format!("{} {}{name}{level}{you}", self.seat, self.held_by)
    }
}

/// The position in words, with a small drawing where the game has one and the facts of the view, and the same without
/// its description; nothing before the start.
fn in_words(viewed: &ViewedMatch) -> Result<(String, String), Problem> {
    let Some(PictureText { title, description }) = viewed.words()? else { return Ok((String::new(), String::new())) };
    let mut view = Vec::new();
    viewed.live.write_view(viewed.viewer, &mut view).map_err(Refused::from)?;
    let view: Value = serde_json::from_slice(&view).map_err(Problem::internal)?;
    let drawing = viewed.draw_plain().map(|drawing| format!("{drawing}\n")).unwrap_or_default();
    let facts = facts(&view);
    Ok((format!("{title}.\n{description}\n{drawing}\n{facts}"), format!("{title}.\n{drawing}\n{facts}")))
}
