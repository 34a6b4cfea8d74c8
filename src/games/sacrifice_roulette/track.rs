//! The track, and which cards can be laid on the way without bringing about a fall.
//!
//! Every colour has five numbers, so for any colour the boulder meets them in one cycle. A card brings about a
//! fall (a match) where its own number is reached; so cards can be laid without a match exactly if none has to lie on
//! its own number. By Hall's theorem that is a matter of counting, and no order needs to be tried.
//!
//! Invariant: everything here follows from the boulder's number, the direction and the cards laid, which are public.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::Ending;
use crate::stonehenge::{Card, CardSet, Colour, Number};

/// The direction in which the boulder rolls.
///
/// - `clockwise`: With increasing numbers, from 30 on to 1 (SR-39).
/// - `counter_clockwise`: With decreasing numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "kebab-case")]
#[schema(as = RouletteDirection)]
pub enum Direction {
    /// With increasing numbers, from 30 on to 1 (SR-39).
    Clockwise,
    /// With decreasing numbers.
    CounterClockwise,
}

impl Direction {
    /// The other way round.
    #[must_use]
    pub(crate) const fn turned(self) -> Direction {
        match self {
            Direction::Clockwise => Direction::CounterClockwise,
            Direction::CounterClockwise => Direction::Clockwise,
        }
    }
}

/// The count of numbers of one colour.
const SAME: u8 = 5;
/// The number of colours, and so the distance between the numbers of one colour.
const COLOURS: u8 = 6;

/// Sets of so few cards need no room of their own.
const FEW: usize = 3;

/// The number of cards of each of a colour's numbers, in ascending order of the numbers.
type Counts = [u8; SAME as usize];

/// The numbers of one colour in the order in which the boulder reaches them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    /// Of the colour's first number.
    column: u8,
    /// The index of the colour's number that comes first, from 0.
    first: u8,
    direction: Direction,
}

impl Way {
    /// From `boulder` over the numbers of `colour`; never the one it stands on (SR-12).
    pub(crate) fn new(boulder: Number, colour: Colour, direction: Direction) -> Way {
        let column = colour as u8;
        let (here, round) = (boulder.column() % COLOURS, boulder.column() / COLOURS);
        let first = match direction {
            Direction::Clockwise => round + u8::from(here >= column),
            Direction::CounterClockwise => round + SAME - u8::from(here <= column),
        };
        Way { column, first: first % SAME, direction }
    }

    /// Returns which of the colour's numbers is reached after `rolls` more rolls.
    fn place(self, rolls: u8) -> u8 {
        let ahead = rolls % SAME;
        match self.direction {
            Direction::Clockwise => (self.first + ahead) % SAME,
            Direction::CounterClockwise => (self.first + SAME - ahead) % SAME,
        }
    }

    /// The number that roll `index`, counted from 0, reaches.
    pub(crate) fn number(self, index: u8) -> Number {
        Number::in_column(self.column + COLOURS * self.place(index))
    }

    /// The way that is left after one roll.
    fn rest(self) -> Way {
        Way { first: self.place(1), ..self }
    }

    /// Returns how many of the first `rolls` rolls reach number `place`.
    fn visits(self, place: u8, rolls: u8) -> u8 {
        let ahead = match self.direction {
            Direction::Clockwise => place + SAME - self.first,
            Direction::CounterClockwise => self.first + SAME - place,
        };
        rolls / SAME + u8::from(ahead % SAME < rolls % SAME)
    }

    /// Returns whether these cards can all roll in some order without a match.
    fn passes(self, counts: &Counts) -> bool {
        let rolls = counts.iter().sum();
        (0..SAME).zip(counts).all(|(place, count)| count + self.visits(place, rolls) <= rolls)
    }

    /// Returns whether `cards`, all of the way's colour, can be laid in some order with this ending.
    pub(crate) fn allows(self, cards: CardSet, ending: Ending) -> bool {
        let counts = counted(cards);
        match ending {
            Ending::Stop => self.passes(&counts),
            Ending::Match => {
                self.last_place(cards).and_then(|last| less(counts, last)).is_some_and(|c| self.passes(&c))
            }
            Ending::Fall => {
                cards.len() > 1 && (0..SAME).filter_map(|place| less(counts, place)).any(|rest| self.passes(&rest))
            }
        }
    }

    /// Every set of `held`, cards of the way's colour, with the endings that some order of it brings about, in the order of
    /// [`Ending::ALL`]; sets in the order in which their masks count up. What [`Way::allows`] says one by one.
    pub(crate) fn plays(self, held: CardSet, mut each: impl FnMut(CardSet, Ending)) {
        let nothing = (CardSet::EMPTY, Counts::default());
        let (mut few, mut many) = ([nothing; 1 << FEW], Vec::new());
        let sets = if held.len() <= FEW {
            &mut few[..]
        } else {
            many.resize(1 << held.len(), nothing);
            &mut many[..]
        };
        for (last, card) in held.iter().enumerate() {
            let place = usize::from(place(card));
            for chosen in 1 << last..2 << last {
                // The same without its last card came before.
                let (cards, mut counts) = sets[chosen ^ 1 << last];
                let cards = cards.with(card);
                counts[place] += 1;
                sets[chosen] = (cards, counts);
                let [stop, matched, fall] = self.endings(&counts, chosen.count_ones() as u8);
                let endings = Ending::ALL.into_iter().zip([stop, matched, fall]);
                endings.filter(|(_, possible)| *possible).for_each(|(ending, _)| each(cards, ending));
            }
        }
    }

    /// Returns whether this number of cards can stop, match and fall.
    fn endings(self, counts: &Counts, cards: u8) -> [bool; 3] {
        let before = cards - 1;
        let last = self.place(before);
        let (mut stop, mut over, mut excess, mut most) = (true, 0, 0, 0);
        for (place, count) in (0..SAME).zip(*counts) {
            stop &= count + self.visits(place, cards) <= cards;
            // With one card fewer: where there would be too many for it to be any but one of these.
            let sum = count + self.visits(place, before);
            if sum > before {
                (over, excess, most) = (over + 1, sum - before, place);
            }
        }
        let relieved = over == 0 || over == 1 && excess == 1;
        let matched = counts[usize::from(last)] > 0 && relieved && (over == 0 || most == last);
        [stop, matched, cards > 1 && relieved]
    }

    /// The number that the last of these cards reaches if all roll.
    fn last_place(self, cards: CardSet) -> Option<u8> {
        Some(self.place(u8::try_from(cards.len()).ok()?.checked_sub(1)?))
    }

    /// An order in which `cards` bring about `ending`: of all such orders the one whose last card, if it has a part
    /// of its own, and then first, second … card comes first in board order. `None` if there is none.
    pub(crate) fn order(self, cards: CardSet, ending: Ending) -> Option<Vec<Card>> {
        if !self.allows(cards, ending) {
            return None;
        }
        let mut left = cards;
        let last = match ending {
            Ending::Stop => None,
            Ending::Match => Some(cards.iter().find(|card| Some(place(*card)) == self.last_place(cards))?),
            Ending::Fall => Some(cards.iter().find(|card| self.passes(&counted(without(cards, *card))))?),
        };
        left = last.map_or(left, |last| without(left, last));
        let (mut order, mut way) = (Vec::with_capacity(cards.len()), self);
        while !left.is_empty() {
            let fits = |card: &Card| place(*card) != way.first && way.rest().passes(&counted(without(left, *card)));
            let next = left.iter().find(fits)?;
            left.remove(next);
            order.push(next);
            way = way.rest();
        }
        order.extend(last);
        Some(order)
    }
}

/// The numbers between `from` and `to` in this direction.
pub(crate) fn between(from: Number, to: Number, direction: Direction) -> Vec<Number> {
    let step = |number: Number| match direction {
        Direction::Clockwise => number.next(),
        Direction::CounterClockwise => number.previous(),
    };
    std::iter::successors(Some(step(from)), |number| Some(step(*number))).take_while(|number| *number != to).collect()
}

/// Returns which of its colour's numbers a number card has.
fn place(card: Card) -> u8 {
    card.number().map_or(0, |number| number.column() / COLOURS)
}

fn counted(cards: CardSet) -> Counts {
    let mut counts = Counts::default();
    for card in cards.iter() {
        counts[usize::from(place(card))] += 1;
    }
    counts
}

/// One card fewer of number `place`; `None` if there is none.
fn less(mut counts: Counts, place: u8) -> Option<Counts> {
    let count = &mut counts[usize::from(place)];
    *count = count.checked_sub(1)?;
    Some(counts)
}

fn without(mut cards: CardSet, card: Card) -> CardSet {
    cards.remove(card);
    cards
}
