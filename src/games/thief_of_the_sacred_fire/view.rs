//! The view of one viewer: everything but the order of the deck, which is shown at the end.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ThiefOfTheSacredFire;
use super::events::{Event, ThiefCapstone, ThiefDealtCard};
use super::figures::{DRUIDS, Druid};
use super::moves::Move;
use super::options::Options;
use super::space::{Space, TRILITHONS};
use super::state::{DISKS, Dealt, Ending, Fire, Stage, State, Thief};
use crate::stonehenge::{Card, CardSet, Pile};
use sarsen_rules::{Dice, Seat, Secrets, Viewer};

/// The step that the match is waiting for.
///
/// - `choosing_start`: The choice of a start.
/// - `revealing_fire`: The trilithon card. Only ever shown by a dry run.
/// - `dealing`: The next turn's cards. Only ever shown by a dry run.
/// - `moving`: The thief's decision.
/// - `ending`: The sight of the rest of the deck. Only ever shown by a dry run.
/// - `over`: Nothing: the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ThiefPhase)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Phase {
    ChoosingStart,
    RevealingFire,
    Dealing,
    Moving,
    Ending,
    Over,
}

/// A druid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefDruidView {
    /// The druid.
    pub druid: Druid,
    /// Its small stone, or the High Druid's bluestone.
    pub at: Space,
    /// The disks left in its pile; null before the trilithon card.
    #[schema(required, maximum = 10)]
    pub alertness: Option<u8>,
    /// The end for which the High Druid heads, `B1` or `B19`; null for the others.
    #[schema(required)]
    pub heading: Option<Space>,
}

/// The facts that the trilithon card has revealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefFire {
    /// The trilithon where the fire was lit.
    pub trilithon: Space,
    /// The druid that guards it, the High Druid.
    pub high_druid: Druid,
}

/// The thief.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefPawn {
    /// The space chosen as the start, where the fire has to be brought.
    pub start: Space,
    /// The place where the thief is.
    pub at: Space,
    /// Points spent on the capture so far, of 4.
    #[schema(maximum = 3)]
    pub progress: u8,
    /// True if the thief has the fire.
    pub has_fire: bool,
}

/// A match of Thief of the Sacred Fire as anyone sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefView {
    /// The step that the match is waiting for.
    pub phase: Phase,
    /// The ending of the game; null until it has ended.
    #[schema(required)]
    pub ending: Option<Ending>,
    /// The current turn, from 1; 0 before the first.
    #[schema(maximum = 1000)]
    pub turn: u16,
    /// A game that is undecided at the end of this turn is lost.
    #[schema(minimum = 20, maximum = 1000)]
    pub turn_limit: u16,
    /// The capstones of T1 to T5: all with disks before the trilithon card, then only the fire's until it is taken.
    #[schema(min_items = 5, max_items = 5)]
    pub capstones: Vec<ThiefCapstone>,
    /// The place where the fire is; null before the trilithon card.
    #[schema(required)]
    pub fire: Option<ThiefFire>,
    /// The five druids: white, blue, green, yellow, red.
    #[schema(min_items = 5, max_items = 5)]
    pub druids: Vec<ThiefDruidView>,
    /// The thief; null before the start is chosen.
    #[schema(required)]
    pub thief: Option<ThiefPawn>,
    /// The cards of this turn in the order in which they were dealt: the inner druids' in the order of their walks, the
    /// High Druid's, the thief's. Empty before the first turn.
    #[schema(max_items = 6)]
    pub cards: Vec<ThiefDealtCard>,
    /// The thief's movement points in this turn.
    #[schema(maximum = 5)]
    pub points: u8,
    /// The number cards of earlier turns since the deck was last shuffled. What is neither here nor in `cards` is in
    /// the deck.
    pub discarded: CardSet,
    /// The number of cards that the deck has.
    #[schema(maximum = 60)]
    pub deck_size: u8,
    /// The deck, the next card first; null until the match is over.
    #[schema(required, max_items = 60)]
    pub deck: Option<Vec<Card>>,
}

impl State {
    /// Returns what `viewer` sees: only the deck's order depends on it.
    pub(crate) fn view(&self, viewer: Viewer) -> ThiefView {
        let all = viewer == Viewer::Omniscient || matches!(self.stage, Stage::Over(_));
        let druid = |druid: Druid| ThiefDruidView {
            druid,
            at: self.druids[druid.index()],
            alertness: self.fire.map(|_| self.alertness[druid.index()]),
            heading: self.fire.filter(|fire| fire.high_druid == druid).map(|_| self.heading()),
        };
        ThiefView {
            phase: match self.stage {
                Stage::ChoosingStart => Phase::ChoosingStart,
                Stage::RevealingFire => Phase::RevealingFire,
                Stage::Dealing => Phase::Dealing,
                Stage::Moving => Phase::Moving,
                Stage::Ending(_) => Phase::Ending,
                Stage::Over(_) => Phase::Over,
            },
            ending: self.ending(),
            turn: self.turn,
            turn_limit: self.options.turn_limit,
            capstones: self.shown_capstones(),
            fire: self.fire.map(|Fire { trilithon, high_druid }| ThiefFire { trilithon, high_druid }),
            druids: Druid::ALL.map(druid).to_vec(),
            thief: self.thief.map(|Thief { start, at, progress, has_fire }| ThiefPawn {
                start,
                at,
                progress,
                has_fire,
            }),
            cards: self
                .dealt
                .iter()
                .map(|Dealt(card, figure)| ThiefDealtCard { card: *card, figure: *figure })
                .collect(),
            points: self.points(),
            discarded: self.discarded(),
            deck_size: self.pile.len() as u8,
            deck: all.then(|| self.pile.cards().iter().rev().copied().collect()),
        }
    }
}

impl ThiefView {
    /// Returns whether no druid has more disks than there are: one of each lies on a capstone until the fire is revealed.
    fn disks_fit(&self) -> bool {
        let on_capstones = |druid| self.capstones.iter().filter(|capstone| capstone.disk == Some(druid)).count();
        Druid::ALL.iter().all(|druid| self.fire.is_some() || on_capstones(*druid) == 1)
            && self.druids.iter().all(|seen| {
                let pile = seen.alertness.unwrap_or(DISKS - 1);
                usize::from(pile) + on_capstones(seen.druid) <= usize::from(DISKS)
            })
    }
}

impl Secrets for ThiefOfTheSacredFire {
    type View = ThiefView;

    fn view(&self, state: &State, viewer: Viewer) -> ThiefView {
        state.view(viewer)
    }

    /// Hides no event: none before the last one shows the deck's order.
    fn redact(&self, event: &Event, _viewer: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn is_open(&self, _event: &Event) -> bool {
        true
    }

    fn moves_are_open(&self) -> bool {
        true
    }

    fn ended(&self, view: ThiefView) -> ThiefView {
        ThiefView { phase: Phase::Over, ..view }
    }

    /// A state of which `view` could have been taken: an unknown deck is put into some order.
    fn imagine(&self, view: &ThiefView, _viewer: Viewer, dice: &mut Dice) -> State {
        let dealt: Vec<Dealt> = view.cards.iter().map(|dealt| Dealt(dealt.card, dealt.figure)).collect();
        let open: CardSet = dealt.iter().map(|dealt| dealt.0).collect();
        let unseen = Card::numbers().collect::<CardSet>().minus(open).minus(view.discarded);
        let pile = match &view.deck {
            Some(deck) => Pile::in_order(deck.iter().rev().copied().collect()).unwrap_or_default(),
            None => Pile::shuffled(unseen, dice),
        };
        let stage = match (view.phase, view.ending) {
            (Phase::Over, Some(ending)) => Stage::Over(ending),
            (Phase::Ending, Some(ending)) => Stage::Ending(ending),
            (Phase::ChoosingStart, _) => Stage::ChoosingStart,
            (Phase::RevealingFire, _) => Stage::RevealingFire,
            (Phase::Dealing, _) => Stage::Dealing,
            (Phase::Moving | Phase::Over | Phase::Ending, _) => Stage::Moving,
        };
        let mut state = State {
            options: Options { turn_limit: view.turn_limit },
            stage,
            turn: view.turn,
            druids: [Space::FIRST_BLUESTONE; DRUIDS],
            alertness: [DISKS - 1; DRUIDS],
            outbound: true,
            capstones: [None; TRILITHONS as usize],
            fire: view.fire.map(|ThiefFire { trilithon, high_druid }| Fire { trilithon, high_druid }),
            thief: view.thief.map(|ThiefPawn { start, at, progress, has_fire }| Thief {
                start,
                at,
                progress,
                has_fire,
            }),
            dealt,
            pile,
        };
        for (disk, capstone) in state.capstones.iter_mut().zip(&view.capstones) {
            *disk = capstone.disk;
        }
        for seen in &view.druids {
            let index = seen.druid.index();
            state.druids[index] = seen.at;
            state.alertness[index] = seen.alertness.unwrap_or(DISKS - 1);
            if let Some(heading) = seen.heading {
                state.outbound = heading == Space::LAST_BLUESTONE;
            }
        }
        state
    }

    /// Returns whether its lists and its limit are those of a real one: for views that a client made up. The rest is for
    /// the state to refuse that is imagined of it.
    fn is_plausible(&self, view: &ThiefView) -> bool {
        let different: CardSet = view.cards.iter().map(|dealt| dealt.card).collect();
        Options { turn_limit: view.turn_limit }.check().is_ok()
            && view.druids.len() == DRUIDS
            && view.capstones.len() == usize::from(TRILITHONS)
            && different.len() == view.cards.len()
            && view.disks_fit()
    }

    /// Nothing but the deck is hidden, and only chance steps draw from it.
    fn reveals(&self, _state: &State, _seat: Seat, mv: &Move) -> bool {
        match mv {
            Move::Start(_) | Move::Go(_) | Move::Stay(_) | Move::Take(_) => false,
        }
    }
}
