//! How this service reads the points that the printed rules leave open, in our own words.

use crate::rules::{Ruling, ruling};

/// All rulings.
pub const RULINGS: &[Ruling] = &[
    ruling(
        "SR-01",
        "Which colour does a seat play?",
        "The colours go with the seats: 0 white, 1 blue, 2 green, 3 yellow, 4 red. It matters for the order in \
         which sacrifices are placed.",
    ),
    ruling(
        "SR-02",
        "Which pit belongs to a card dealt in the set-up?",
        "The one of the same number and symbol: D4 sends a sacrifice into the day pit of 4. No two cards share \
         a pit.",
    ),
    ruling(
        "SR-03",
        "In which order are the sacrifices for trilithon cards placed?",
        "In the order of the players' own colours, white, blue, green, yellow, red, which is the order of the \
         seats; the colour on the trilithon card is ignored. A player with several places them one after \
         another.",
    ),
    ruling(
        "SR-04",
        "Must a sacrifice for a trilithon card be placed?",
        "Yes, but the player is free to choose any unoccupied pit. Everyone starts with ten on the board.",
    ),
    ruling("SR-05", "May it go into a pit of a black number?", "Yes, into any unoccupied pit."),
    ruling(
        "SR-06",
        "With two players, which come first: neutral sacrifices or those for trilithon cards?",
        "The neutral ones. Their pits are occupied when the players place.",
    ),
    ruling(
        "SR-07",
        "Which colour do the neutral sacrifices have?",
        "The first that nobody plays: green, for two players.",
    ),
    ruling(
        "SR-08",
        "What if a trilithon card is drawn for a neutral sacrifice?",
        "It is set aside and another card drawn from what is left of the deck, until ten number cards have been \
         drawn.",
    ),
    ruling(
        "SR-09",
        "What if a trilithon card is drawn for the boulder?",
        "The same: it is set aside, and the next number card counts.",
    ),
    ruling(
        "SR-10",
        "Which cards are shuffled before the hands are dealt?",
        "All 65, whatever they were used for in the set-up.",
    ),
    ruling(
        "SR-11",
        "May a turn be passed, and what does it play?",
        "No. Whoever holds a number card plays at least one. All cards of a turn come from the hand, and its number \
         cards have one colour.",
    ),
    ruling(
        "SR-12",
        "May the boulder stay where it stands if its number has the colour played?",
        "No. Every roll takes it to another number: the next one of that colour in the direction.",
    ),
    ruling(
        "SR-13",
        "Must every card roll the boulder?",
        "Yes, each by exactly one number of its colour, but for one card that makes it fall instead.",
    ),
    ruling(
        "SR-14",
        "May a lone card make the boulder fall where it stands?",
        "No. At least one card must have rolled the boulder in this turn before another makes it fall.",
    ),
    ruling(
        "SR-15",
        "Which card is compared with which number?",
        "Each card only with the number that it rolls the boulder to itself, and the player is free in the \
         order of the cards. So a move names the set of cards and how the roll ends.",
    ),
    ruling(
        "SR-16",
        "May a match be declined?",
        "No. A card that reaches its own number makes the boulder fall. Only another order of the cards can \
         avoid it.",
    ),
    ruling(
        "SR-17",
        "What becomes of cards laid after a match?",
        "There are none: the fall ends the play of cards. A set of which some card must match too early, in \
         whatever order, cannot be played.",
    ),
    ruling(
        "SR-18",
        "Does the number of the card matter that makes the boulder fall without rolling?",
        "No. The boulder falls where it stands.",
    ),
    ruling(
        "SR-19",
        "May a card that makes the boulder fall follow on a match?",
        "No. The match has already ended the play of cards.",
    ),
    ruling(
        "SR-20",
        "From when on does a trilithon card turn the direction?",
        "For the whole turn: before the boulder rolls, wherever the card was laid. Two in one turn cancel each \
         other.",
    ),
    ruling(
        "SR-21",
        "Is a trilithon card alone a turn?",
        "No, it accompanies number cards. The one exception is SR-32.",
    ),
    ruling("SR-22", "May three trilithon cards be played in one turn?", "No, at most two from the hand."),
    ruling(
        "SR-23",
        "Where do trilithon cards go that were played?",
        "One that turns the direction to counter-clockwise stays beside the discards as the marker and is not \
         reshuffled. One that turns it back is discarded together with the marker. Two played at once are both \
         discarded, and a marker stays.",
    ),
    ruling(
        "SR-24",
        "Does a trilithon card drawn for a fall turn the direction?",
        "No, it was not played. It empties both pits and is discarded.",
    ),
    ruling("SR-25", "What if the pit is empty?", "Nothing is taken, and the turn goes on to the drawing of cards."),
    ruling(
        "SR-26",
        "Does a seat score for crushed sacrifices of its own?",
        "Yes, one point each like any other in the scoring pile. They also raise the hand limit.",
    ),
    ruling(
        "SR-27",
        "When does crushing a sacrifice of one's own raise the hand limit?",
        "At once, so for the drawing at the end of the same turn, and for good.",
    ),
    ruling(
        "SR-28",
        "When is the deck depleted?",
        "The moment its last card has left it, even if no further card is wanted.",
    ),
    ruling(
        "SR-29",
        "What if the card for a fall was the last of the deck?",
        "The fall is completed first: pits, scoring pile, hand limit, and the card is discarded. Then the \
         depletion counts: it ends the match, or the discards, with this card and all others of the turn, are \
         the new deck from which the player draws up.",
    ),
    ruling(
        "SR-30",
        "What if the deck runs out while a player draws up?",
        "The depletion counts at once: it ends the match, and the player goes without the rest; or the discards \
         are shuffled and the drawing goes on.",
    ),
    ruling(
        "SR-31",
        "Is the round completed once the deck is depleted for the last time?",
        "No. The match ends at once, at the second depletion, with five players at the third. The shuffle of \
         the set-up counts for nothing.",
    ),
    ruling(
        "SR-32",
        "What if a hand has no number card?",
        "Then one trilithon card is played alone: it turns the direction, and the player draws up. Only a hand \
         of all five trilithon cards can be in this case, so everyone knows the other four from then on.",
    ),
    ruling(
        "SR-33",
        "What if the deck is depleted and there is nothing to shuffle?",
        "The match ends as at its last depletion.",
    ),
    ruling(
        "SR-34",
        "When are the cards of a turn discarded?",
        "When they are laid, so they belong to a reshuffle in the same turn.",
    ),
    ruling(
        "SR-35",
        "Who wins a tie?",
        "Whoever has more of their own sacrifices on the board. If that is equal too, the place is shared.",
    ),
    ruling(
        "SR-36",
        "What are neutral sacrifices worth?",
        "One point to whoever crushes them, nothing to anyone while they lie in their pits.",
    ),
    ruling("SR-37", "Does a boulder that rolls over a number or stops there crush anything?", "No, only a fall does."),
    ruling(
        "SR-38",
        "Does the match end when no sacrifice is left on the board?",
        "No, it goes on to the last depletion.",
    ),
    ruling("SR-39", "Which way is clockwise?", "With increasing numbers; 1 follows on 30."),
    ruling(
        "SR-40",
        "Who begins?",
        "A seat drawn at random once all sacrifices lie and the hands have been dealt; each is equally likely.",
    ),
];
