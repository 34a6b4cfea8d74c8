//! The view of one viewer, with perfect recall, and the states that fit it.
//!
//! Beyond the table itself, everyone who has followed the match knows which cards each reshuffle has made the new deck
//! of, and so from which deck each hand's cards were drawn: a card that was not reshuffled and has not been played is
//! in a hand that has held it since an earlier deck. And after a `reverse` the rest of the hand is known.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type};

use super::SacrificeRoulette;
use super::events::Event;
use super::moves::Move;
use super::state::{Pits, Player, Reshuffle, Stage, State};
use super::track::Direction;
use crate::stonehenge::{Card, CardSet, Colour, Number, Pile, Stone};
use sarsen_rules::{Dice, Seat, Secrets, Viewer};

/// The step that the match is waiting for.
///
/// - `placing`: A sacrifice is due to be placed; if no seat is named, the boulder's card is due.
/// - `dealing`: The deal of the hands and the draw of the first seat are due.
/// - `rolling`: A roll is due.
/// - `falling`: The card for a fall is due.
/// - `drawing`: The draw up to the hand limit is due.
/// - `over`: Nothing: the match is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RoulettePhase)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Phase {
    Placing,
    Dealing,
    Rolling,
    Falling,
    Drawing,
    Over,
}

/// An occupied pit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RoulettePit)]
pub struct Pit {
    /// The stone that marks the pit.
    pub pit: Stone,
    /// The colour of the sacrifice in it.
    pub colour: Colour,
    /// The owner; null for a neutral sacrifice.
    #[schema(required)]
    pub owner: Option<Seat>,
}

/// The number of sacrifices of each colour in a scoring pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteScoringPile)]
pub struct ScoringPile {
    /// The number of white ones.
    #[schema(maximum = 10)]
    pub white: u8,
    /// The number of blue ones.
    #[schema(maximum = 10)]
    pub blue: u8,
    /// Green ones; with two players these are the neutral ones.
    #[schema(maximum = 10)]
    pub green: u8,
    /// The number of yellow ones.
    #[schema(maximum = 10)]
    pub yellow: u8,
    /// The number of red ones.
    #[schema(maximum = 10)]
    pub red: u8,
}

/// The part of one seat that a viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RoulettePlayer)]
pub struct PlayerView {
    /// The seat.
    pub seat: Seat,
    /// The colour of its sacrifices.
    pub colour: Colour,
    /// The number of sacrifices that it still has to place.
    #[schema(maximum = 5)]
    pub to_place: u8,
    /// The number of cards that it holds.
    #[schema(maximum = 15)]
    pub hand_size: u8,
    /// Its cards; null for those who may not see them.
    #[schema(required)]
    pub hand: Option<CardSet>,
    /// Those of its cards that everyone knows: what a hand of five trilithon cards still held after a `reverse`, minus
    /// what it has played of them since.
    pub known: CardSet,
    /// The number of its cards from each deck, the first deck first. The sum is the size of the hand.
    #[schema(schema_with = hand_by_deck, required)]
    pub hand_by_deck: Vec<u8>,
    /// The hand size that it draws up to.
    #[schema(minimum = 5, maximum = 15)]
    pub hand_limit: u8,
    /// The sacrifices that it has taken.
    pub scoring_pile: ScoringPile,
    /// The number of its own sacrifices on the board.
    #[schema(maximum = 10)]
    pub on_board: u8,
    /// Its score if the match ended now.
    #[schema(maximum = 60)]
    pub points: u8,
}

fn hand_by_deck() -> Array {
    let description = "The numbers of its cards from each deck, the first deck first. The sum is the size of the hand.";
    let format = SchemaFormat::KnownFormat(KnownFormat::Int64);
    let count = ObjectBuilder::new().schema_type(Type::Integer).format(Some(format));
    ArrayBuilder::new()
        .items(count.minimum(Some(0)).maximum(Some(15)))
        .min_items(Some(1))
        .max_items(Some(3))
        .description(Some(description))
        .build()
}

/// A match of Sacrifice Roulette as one viewer sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SacrificeRouletteView {
    /// The step that the match is waiting for.
    pub phase: Phase,
    /// The seat that is placing, or whose turn it is; null otherwise.
    #[schema(required)]
    pub seat: Option<Seat>,
    /// The number of turns begun, of all seats and including the current one.
    pub turn: u8,
    /// The number of falls.
    pub falls: u8,
    /// The number where the boulder stands; null until all sacrifices have been placed.
    #[schema(required)]
    pub boulder: Option<Number>,
    /// The direction in which it rolls.
    pub direction: Direction,
    /// The trilithon card beside the discards: it lies there while the boulder rolls counter-clockwise.
    #[schema(required)]
    pub marker: Option<Card>,
    /// During set-up, the number cards, one of which will show where the boulder starts; empty afterwards.
    pub boulder_cards: CardSet,
    /// The occupied pits in board order.
    #[schema(max_items = 50)]
    pub pits: Vec<Pit>,
    /// The number of cards that the deck has.
    #[schema(maximum = 65)]
    pub deck_size: u8,
    /// The deck, the next card first; null until the match is over.
    #[schema(required, max_items = 65)]
    pub deck: Option<Vec<Card>>,
    /// The discards in the order in which they were laid.
    #[schema(max_items = 65)]
    pub discards: Vec<Card>,
    /// The number of times that the deck has been depleted.
    #[schema(maximum = 3)]
    pub depletions: u8,
    /// The depletion that ends the match.
    #[schema(minimum = 2, maximum = 3)]
    pub last_depletion: u8,
    /// The cards of which each reshuffle made the new deck, oldest reshuffle first.
    #[schema(max_items = 2)]
    pub reshuffles: Vec<CardSet>,
    /// One entry a seat, in seat order.
    #[schema(min_items = 2, max_items = 5)]
    pub players: Vec<PlayerView>,
}

impl State {
    /// Returns what `viewer` may know; everything once the match is over.
    pub(crate) fn view(&self, viewer: Viewer) -> SacrificeRouletteView {
        let all = viewer == Viewer::Omniscient || self.stage == Stage::Over;
        let (phase, seat, boulder_cards) = match self.stage {
            Stage::Placing { boulder_cards } => (Phase::Placing, self.actor(), boulder_cards),
            Stage::Dealing => (Phase::Dealing, None, CardSet::EMPTY),
            Stage::Turn(seat) => (Phase::Rolling, Some(seat), CardSet::EMPTY),
            Stage::Falling(seat) => (Phase::Falling, Some(seat), CardSet::EMPTY),
            Stage::Drawing(seat) => (Phase::Drawing, Some(seat), CardSet::EMPTY),
            Stage::Over => (Phase::Over, None, CardSet::EMPTY),
        };
        let pit = |(pit, colour): (Stone, Colour)| Pit { pit, colour, owner: self.owner(colour) };
        SacrificeRouletteView {
            phase,
            seat,
            turn: self.turns,
            falls: self.falls,
            boulder: self.boulder,
            direction: self.direction(),
            marker: self.marker,
            boulder_cards,
            pits: self.pits.occupied().map(pit).collect(),
            deck_size: self.deck.len() as u8,
            deck: all.then(|| self.deck.cards().iter().rev().copied().collect()),
            discards: self.discards.cards().to_vec(),
            depletions: self.depletions,
            last_depletion: self.last_depletion(),
            reshuffles: self.reshuffles.iter().map(|reshuffle| reshuffle.0).collect(),
            players: self.count().seats().map(|seat| self.player_view(seat, all || viewer.may_see(seat))).collect(),
        }
    }

    fn player_view(&self, seat: Seat, shown: bool) -> PlayerView {
        let player = &self.players[seat.index()];
        let mut hand_by_deck = vec![0; self.reshuffles.len() + 1];
        player.hand.iter().for_each(|card| hand_by_deck[self.deck_of(card)] += 1);
        let [white, blue, green, yellow, red] = player.taken;
        PlayerView {
            seat,
            colour: State::colour(seat),
            to_place: player.to_place,
            hand_size: player.hand.len() as u8,
            hand: shown.then_some(player.hand),
            known: player.known,
            hand_by_deck,
            hand_limit: self.hand_limit(seat),
            scoring_pile: ScoringPile { white, blue, green, yellow, red },
            on_board: self.on_board(seat),
            points: self.points(seat),
        }
    }

    fn imagine_cards(&mut self, view: &SacrificeRouletteView, dice: &mut Dice) {
        let mut unknown = CardSet::ALL.minus(self.discards.set()).minus(self.marker.into_iter().collect());
        for player in &self.players {
            unknown = unknown.minus(player.hand);
        }
        if let Some(deck) = &view.deck {
            self.deck = Pile::in_order(deck.iter().rev().copied().collect()).unwrap_or_default();
            unknown = unknown.minus(self.deck.set());
        }
        for deck in 0..=self.reshuffles.len() {
            let mut cards = Pile::shuffled(unknown.iter().filter(|card| self.deck_of(*card) == deck).collect(), dice);
            for (seat, seen) in view.players.iter().enumerate() {
                let hand = self.players[seat].hand;
                let known = hand.iter().filter(|card| self.deck_of(*card) == deck).count();
                let wanted = usize::from(seen.hand_by_deck.get(deck).copied().unwrap_or(0)).saturating_sub(known);
                let drawn = std::iter::from_fn(|| cards.draw()).take(wanted);
                self.players[seat].hand = drawn.fold(hand, CardSet::with);
            }
            if deck == self.reshuffles.len() && view.deck.is_none() {
                self.deck = cards;
            }
        }
    }
}

fn stage(view: &SacrificeRouletteView) -> Stage {
    match (view.phase, view.seat) {
        (Phase::Placing, _) => Stage::Placing { boulder_cards: view.boulder_cards },
        (Phase::Dealing, _) => Stage::Dealing,
        (Phase::Rolling, Some(seat)) => Stage::Turn(seat),
        (Phase::Falling, Some(seat)) => Stage::Falling(seat),
        (Phase::Drawing, Some(seat)) => Stage::Drawing(seat),
        (Phase::Over | Phase::Rolling | Phase::Falling | Phase::Drawing, _) => Stage::Over,
    }
}

/// The hand as far as the viewer knows it.
fn seen_player(seen: &PlayerView) -> Player {
    let ScoringPile { white, blue, green, yellow, red } = seen.scoring_pile;
    Player {
        hand: seen.hand.unwrap_or(seen.known),
        known: seen.known,
        to_place: seen.to_place,
        taken: [white, blue, green, yellow, red],
    }
}

impl Secrets for SacrificeRoulette {
    type View = SacrificeRouletteView;

    fn view(&self, state: &State, viewer: Viewer) -> SacrificeRouletteView {
        state.view(viewer)
    }

    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(event.seen_by(viewer))
    }

    fn is_open(&self, event: &Event) -> bool {
        event.is_open()
    }

    /// Every card is laid openly.
    fn moves_are_open(&self) -> bool {
        true
    }

    fn ended(&self, view: SacrificeRouletteView) -> SacrificeRouletteView {
        SacrificeRouletteView { phase: Phase::Over, seat: None, ..view }
    }

    /// A state that `view` could be of. What the view leaves open is drawn: each deck's unknown cards are dealt to the
    /// hands that drew from it, and the rest is the deck.
    fn imagine(&self, view: &SacrificeRouletteView, _viewer: Viewer, dice: &mut Dice) -> State {
        let mut pits = Pits::EMPTY;
        for seen in &view.pits {
            pits.set(seen.pit, Some(seen.colour));
        }
        let mut state = State {
            stage: stage(view),
            pits,
            boulder: view.boulder,
            marker: view.marker,
            depletions: view.depletions,
            turns: view.turn,
            falls: view.falls,
            deck: Pile::default(),
            discards: Pile::in_order(view.discards.clone()).unwrap_or_default(),
            reshuffles: view.reshuffles.iter().copied().map(Reshuffle).collect(),
            players: view.players.iter().map(seen_player).collect(),
        };
        if state.turns > 0 {
            state.imagine_cards(view, dice);
        }
        state
    }

    /// Returns whether its lists and numbers are those of a game that goes on or is over: for views that a client made
    /// up. The rest is for the state to refuse that is imagined of it.
    fn is_plausible(&self, view: &SacrificeRouletteView) -> bool {
        let over = view.phase == Phase::Over;
        let reshuffled = view.reshuffles.len();
        let depleted = match over {
            true => view.depletions == view.last_depletion && reshuffled < usize::from(view.last_depletion),
            false => view.depletions < view.last_depletion && reshuffled == usize::from(view.depletions),
        };
        let hand_fits = |player: &PlayerView| player.hand_size <= player.hand_limit;
        (2..=5).contains(&view.players.len())
            && depleted
            && reshuffled <= 2
            && view.players.iter().all(hand_fits)
            && view.marker.is_none_or(Card::is_trilithon)
            && !view.boulder_cards.iter().any(Card::is_trilithon)
            && (view.phase != Phase::Rolling || view.deck_size > 0)
    }

    /// Cards out of the hand.
    fn reveals(&self, _state: &State, _seat: Seat, mv: &Move) -> bool {
        match mv {
            Move::Roll(_) | Move::Reverse(_) => true,
            Move::Place(_) => false,
        }
    }
}
