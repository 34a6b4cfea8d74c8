//! The view of one viewer: all but the other hands and the order of the pile, and for perfect recall: the discards, the
//! votes, what is known to be in a hand. Once the match is over, everything.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Absolution;
use super::events::Event;
use super::moves::Move;
use super::numbers::NumberSet;
use super::options::{FirstPlayer, Options};
use super::state::{Ending, Player, State, Step};
use super::talk::{MOST_WISHES, Ready, Talk, Wish};
use super::track::{Druid, Phase, Turn};
use crate::stonehenge::{Card, CardSet, Number, Pile};
use sarsen_rules::{Dice, Seat, Secrets, Viewer};

/// One round of the vote.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AbsolutionRound)]
pub struct Round {
    /// The nominations made so far, by seat.
    #[schema(max_items = 5)]
    pub nominations: Vec<Nomination>,
}

/// One nomination in the vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AbsolutionNomination)]
pub struct Nomination {
    /// The seat that nominates.
    pub seat: Seat,
    /// The seat that it wants to play Day 1; its own is allowed.
    pub nominee: Seat,
}

impl Round {
    /// From the nominees in seat order.
    fn of(nominees: &[Option<Seat>]) -> Round {
        let nomination = |(index, nominee): (usize, &Option<Seat>)| {
            Some(Nomination { seat: u8::try_from(index).ok().and_then(Seat::new)?, nominee: (*nominee)? })
        };
        Round { nominations: nominees.iter().enumerate().filter_map(nomination).collect() }
    }

    /// The nominees in seat order, with `seats` seats.
    fn nominees(&self, seats: usize) -> Vec<Option<Seat>> {
        let mut nominees = vec![None; seats];
        for Nomination { seat, nominee } in &self.nominations {
            if let Some(entry) = nominees.get_mut(seat.index()) {
                *entry = Some(*nominee);
            }
        }
        nominees
    }
}

/// A turn of the track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AbsolutionTurn)]
pub struct TurnView {
    /// The seat whose turn it is.
    pub seat: Seat,
    /// The phase of the turn: Day or Night.
    pub phase: Phase,
    /// The number to match.
    pub number: Number,
    /// True if the seat has already used the Field this turn.
    pub exchanged: bool,
}

/// A seat as a viewer sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AbsolutionSeat)]
pub struct SeatView {
    /// The number of cards that it holds.
    #[schema(maximum = 65)]
    pub hand_size: u8,
    /// Its hand; null where the viewer may not know it.
    #[schema(required)]
    pub hand: Option<CardSet>,
    /// Cards that it took from the Field and still holds; everyone saw it take them.
    pub taken: CardSet,
    /// The number of signals that it may still send in this turn, or in the vote.
    #[schema(maximum = 10)]
    pub signals_left: u8,
    /// Its latest wish, kept until its own next turn is over, or the present one where it was sent in that.
    #[schema(required)]
    pub wish: Option<Wish>,
    /// Its last word on each number whose turn is not over, in turn order.
    #[schema(max_items = 60)]
    pub ready: Vec<Ready>,
}

/// A match of Absolution as one viewer sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbsolutionView {
    /// The step that the match is waiting for.
    pub step: Step,
    /// The ending of the match; null until it has ended.
    #[schema(required)]
    pub ending: Option<Ending>,
    /// The way in which the seat that plays Day 1 is found.
    pub first_player: FirstPlayer,
    /// The rounds of the vote; the latest stays open until every seat has nominated. Empty where there is no vote.
    #[schema(max_items = 2)]
    pub votes: Vec<Round>,
    /// The seat that plays Day 1; null until it is known.
    #[schema(required)]
    pub first_seat: Option<Seat>,
    /// The turn being played, or the last one once the match is over; null during the vote.
    #[schema(required)]
    pub turn: Option<TurnView>,
    /// The place where the Druid stands.
    pub druid: Druid,
    /// True if the Druid lies on the altar, where only a match made this turn brings him back to B19.
    pub rescue_pending: bool,
    /// Coloured numbers whose day disk is on the outer ring; all others have it on the inner ring.
    pub outer_day_disks: NumberSet,
    /// Coloured numbers whose night disk is on the outer ring; all others have it on the inner ring.
    pub outer_night_disks: NumberSet,
    /// The number of pairs on the inner ring; 13 at the end save the Druid.
    #[schema(maximum = 25)]
    pub inner_pairs: u8,
    /// The number of pairs on the outer ring.
    #[schema(maximum = 25)]
    pub outer_pairs: u8,
    /// Black numbers with a trilithon.
    pub trilithons: NumberSet,
    /// The cards of the Exchange Field, face up.
    pub field: CardSet,
    /// The cards played so far, oldest first.
    #[schema(max_items = 65)]
    pub discards: Vec<Card>,
    /// The number of cards that the draw pile has.
    #[schema(maximum = 65)]
    pub pile_size: u8,
    /// The draw pile, the next card first; null until the match is over.
    #[schema(required, max_items = 65)]
    pub pile: Option<Vec<Card>>,
    /// The seats, in order.
    #[schema(min_items = 2, max_items = 5)]
    pub seats: Vec<SeatView>,
}

impl State {
    /// Returns what `viewer` may know.
    pub(crate) fn view(&self, viewer: Viewer) -> AbsolutionView {
        let all = self.step == Step::Over || viewer == Viewer::Omniscient;
        let seat_view = |(seat, player): (Seat, &Player)| SeatView {
            hand_size: player.hand.len() as u8,
            hand: (all || viewer.may_see(seat)).then_some(player.hand),
            taken: player.taken,
            signals_left: player.talk.left(),
            wish: player.talk.wish.clone(),
            ready: player.talk.ready.clone(),
        };
        AbsolutionView {
            step: self.step,
            ending: self.ending(),
            first_player: self.options.first_player,
            votes: self.votes.iter().map(|nominees| Round::of(nominees)).collect(),
            first_seat: self.first,
            turn: self.on_turn().map(|seat| TurnView {
                seat,
                phase: self.turn.phase(),
                number: self.number(),
                exchanged: self.exchanged,
            }),
            druid: self.druid,
            rescue_pending: self.rescue_pending(),
            outer_day_disks: self.days_out,
            outer_night_disks: self.nights_out,
            inner_pairs: self.inner_pairs() as u8,
            outer_pairs: self.outer_pairs() as u8,
            trilithons: self.trilithons,
            field: self.field,
            discards: self.discards.cards().to_vec(),
            pile_size: self.pile.len() as u8,
            pile: all.then(|| self.pile.cards().iter().rev().copied().collect()),
            seats: self.seats().seats().zip(&self.players).map(seat_view).collect(),
        }
    }
}

impl AbsolutionView {
    /// The cards of which the view does not tell where they are, shuffled.
    fn unseen(&self, dice: &mut Dice) -> Pile {
        let hands = self.seats.iter().map(|seat| seat.hand.unwrap_or(seat.taken));
        let pile = self.pile.iter().flatten().copied().collect();
        let discards = self.discards.iter().copied().collect();
        let seen = hands.chain([self.field, pile, discards]).fold(CardSet::EMPTY, CardSet::union);
        Pile::shuffled(CardSet::ALL.minus(seen), dice)
    }
}

impl Secrets for Absolution {
    type View = AbsolutionView;

    fn view(&self, state: &State, viewer: Viewer) -> AbsolutionView {
        state.view(viewer)
    }

    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(event.seen_by(viewer))
    }

    fn is_open(&self, event: &Event) -> bool {
        event.is_open()
    }

    /// Every move is made openly.
    fn moves_are_open(&self) -> bool {
        true
    }

    fn ended(&self, view: AbsolutionView) -> AbsolutionView {
        AbsolutionView { step: Step::Over, rescue_pending: false, ..view }
    }

    /// A state that could be seen as `view`: the cards that it does not show are dealt at random, each deal that fits
    /// equally likely.
    fn imagine(&self, view: &AbsolutionView, _viewer: Viewer, dice: &mut Dice) -> State {
        let mut unseen = view.unseen(dice);
        let mut hand = |seat: &SeatView| {
            let hidden = usize::from(seat.hand_size).saturating_sub(seat.taken.len());
            seat.hand.unwrap_or_else(|| (0..hidden).filter_map(|_| unseen.draw()).fold(seat.taken, CardSet::with))
        };
        let player = |seat: &SeatView| Player {
            hand: hand(seat),
            taken: seat.taken,
            talk: Talk {
                sent: super::talk::LIMIT.saturating_sub(seat.signals_left),
                wish: seat.wish.clone(),
                ready: seat.ready.clone(),
            },
        };
        let players = view.seats.iter().map(player).collect();
        let known_pile = view.pile.as_ref().and_then(|pile| Pile::in_order(pile.iter().rev().copied().collect()));
        let first_seat = view.first_seat.filter(|_| view.first_player == FirstPlayer::Seat);
        State {
            options: Options { first_player: view.first_player, first_seat },
            step: view.step,
            votes: view.votes.iter().map(|round| round.nominees(view.seats.len())).collect(),
            first: view.first_seat,
            turn: view.turn.map_or(Turn::FIRST, |turn| Turn::of(turn.phase, turn.number)),
            exchanged: view.turn.is_some_and(|turn| turn.exchanged),
            druid: view.druid,
            days_out: view.outer_day_disks,
            nights_out: view.outer_night_disks,
            trilithons: view.trilithons,
            players,
            field: view.field,
            discards: Pile::in_order(view.discards.clone()).unwrap_or_default(),
            pile: known_pile.unwrap_or(unseen),
        }
    }

    /// Returns whether its lists are no longer than those of a real one: for views that a client made up. The rest is for
    /// the state to refuse that is imagined of it.
    fn is_plausible(&self, view: &AbsolutionView) -> bool {
        let talk = |seat: &SeatView| {
            let wishes = seat.wish.as_ref().map_or(0, |wish| wish.numbers.len() + wish.colours.len());
            wishes <= MOST_WISHES && seat.ready.windows(2).all(|two| two[0].turn() < two[1].turn())
        };
        (2..=5).contains(&view.seats.len()) && view.votes.len() <= 2 && view.seats.iter().all(talk)
    }

    /// Cards out of the hand, words about it, and nominations, which are final (AB-01): the seat that closes a round would take
    /// back its own alone, and know the others'.
    fn reveals(&self, _state: &State, _seat: Seat, mv: &Move) -> bool {
        match mv {
            Move::Nominate(_) | Move::Exchange(_) | Move::Play(_) | Move::Wish(_) | Move::Ready(_) => true,
            Move::Pass(_) => false,
        }
    }
}
