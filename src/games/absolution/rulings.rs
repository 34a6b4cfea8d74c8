//! How this service reads the points that the printed rules leave open, in our own words.

use crate::rules::{Ruling, ruling};

/// All rulings.
pub const RULINGS: &[Ruling] = &[
    ruling(
        "AB-01",
        "How do the players agree on who begins?",
        "By the option `first_player`. With `vote` each seat openly nominates a seat, once and for good in a round. If \
         all name the same, it begins. If not, there is one more round, and the seat with the most nominations in it \
         begins, the lowest among equals. `random` draws the seat, `seat` takes `first_seat`.",
    ),
    ruling("AB-02", "Is the Field seen before the vote?", "Yes, it is laid out first, and the hands are dealt."),
    ruling(
        "AB-03",
        "Who plays Night 1?",
        "The seat after the one that played Day 30. The turn goes round clockwise without a break.",
    ),
    ruling(
        "AB-04",
        "Do the symbols on the cards matter?",
        "No. A day card matches by night and a night card by day; only numbers count.",
    ),
    ruling("AB-05", "Must a number be matched if it can be?", "No. Passing is always allowed."),
    ruling(
        "AB-06",
        "What does passing cost on a black number?",
        "Nothing, and it gives nothing: no draw, no step of the Druid, no disk.",
    ),
    ruling("AB-07", "How often may the Field be used?", "At most once in a turn, one card for one."),
    ruling(
        "AB-08",
        "What can be exchanged?",
        "One card of one's own hand for one that lies in the Field. With an empty hand there is no exchange.",
    ),
    ruling(
        "AB-09",
        "When may the Field be used?",
        "Only before anything is played. A card drawn in a turn can be exchanged in that seat's next turn at the \
         earliest.",
    ),
    ruling(
        "AB-10",
        "Must the card taken be played?",
        "No. After an exchange a match draws one card whichever cards it was made with, and without a match nothing is \
         drawn.",
    ),
    ruling(
        "AB-11",
        "Is an exchange allowed when no match follows?",
        "Yes, on every number, if only to lay a card out for the next seats.",
    ),
    ruling(
        "AB-12",
        "What makes a match of two cards?",
        "Exactly two cards whose values add up to the number or differ by it. They may have the same number: 15 and 15 \
         match 30.",
    ),
    ruling(
        "AB-13",
        "Is a trilithon card usable in a pair?",
        "Yes, on a number of its colour, alone or with one other card, as any of that colour's five numbers. On other \
         colours it is not usable at all, so two trilithon cards never go together.",
    ),
    ruling("AB-14", "Is a trilithon card usable on black?", "Never. There is no black one."),
    ruling(
        "AB-15",
        "How many cards are drawn after a match, and what if the pile is short?",
        "Two, or one where the Field was used, whether one card was played or two; what there is if the pile has fewer. \
         With an empty pile the game goes on, exchanges included.",
    ),
    ruling("AB-16", "May a draw be declined?", "No. It happens by itself."),
    ruling(
        "AB-17",
        "Does the day disk move only after a match?",
        "No. On every coloured number of the Day it goes to the outer ring, matched or not. Only a match by Night brings \
         it back.",
    ),
    ruling(
        "AB-18",
        "What counts as a pair?",
        "Both disks of one number on the same ring. Black numbers have none. At the end the inner pairs are the coloured \
         numbers matched by Night.",
    ),
    ruling("AB-19", "How many pairs are enough?", "13 of the 25 on the inner ring."),
    ruling(
        "AB-20",
        "How far is it to the altar?",
        "There are 19 bluestones. From B1 the Druid takes 18 steps in safety; the next leads to the altar.",
    ),
    ruling("AB-21", "Is the last bluestone safe?", "Yes, at the end of the game too."),
    ruling(
        "AB-22",
        "Who may bring the Druid back from the altar?",
        "Only the very next seat, and only if it is Night and its number is black and bears a trilithon. So it can only \
         happen after Night 5, 11, 17, 23 and 29. Otherwise the game is lost at once.",
    ),
    ruling("AB-23", "Is there a rescue by Day?", "No."),
    ruling(
        "AB-24",
        "Is the turn of the rescue a full one?",
        "Yes: exchange, single card or pair, and the draw that follows.",
    ),
    ruling(
        "AB-25",
        "Where does the rescue put the Druid?",
        "On B19. That is all that removing the trilithon does in this turn.",
    ),
    ruling(
        "AB-26",
        "What if the rescue is declined or impossible?",
        "The game is lost when that turn ends. Nobody is told beforehand whether the hand would do.",
    ),
    ruling(
        "AB-27",
        "Does the turn that sends the Druid to the altar still move its disk?",
        "Yes. A turn is always completed before a loss is declared.",
    ),
    ruling("AB-28", "Is a rescue possible on Night 30?", "Yes. The Druid is then on B19, and the pairs decide."),
    ruling(
        "AB-29",
        "What if the trilithon is removed while the Druid stands on B1?",
        "The trilithon goes, and he stays.",
    ),
    ruling("AB-30", "May the trilithon be left standing?", "No. A match by Night removes it."),
    ruling(
        "AB-31",
        "What does a match on black by Night do where no trilithon stands?",
        "Cards are drawn, and nothing else happens.",
    ),
    ruling("AB-32", "What happens to a trilithon by Night without a match?", "It stays, and so does the Druid."),
    ruling(
        "AB-33",
        "What if a hand is empty?",
        "Then the seat can only pass, at the usual price: a step of the Druid, except on black.",
    ),
    ruling("AB-34", "What may be played?", "Only cards of one's own hand that match. Nothing can be thrown away."),
    ruling(
        "AB-35",
        "Does the game end early once it is decided?",
        "No. All 60 turns are played unless the Druid is left on the altar.",
    ),
    ruling(
        "AB-36",
        "What may the players tell each other?",
        "Two signals, at any time: numbers and colours that one would like to see in the Field, and how one stands for a \
         number whose turn is not over. Cards cannot be named. At most ten signals a seat in each turn of the track, and \
         ten in the vote.",
    ),
    ruling("AB-37", "May the discards be looked through?", "Yes, by all, at any time."),
    ruling("AB-38", "What do the High Priests do?", "Nothing. They only decorate the board."),
    ruling("AB-39", "Who wins?", "All seats together, or none."),
    ruling(
        "AB-40",
        "Which version of the rules is this?",
        "The newer one, in which 13 pairs on the inner ring win. In an older one they had to be on the outer ring.",
    ),
];
