//! How this service reads the points that the printed rules leave open, in our own words.

use crate::rules::{Ruling, ruling};

/// All rulings.
pub const RULINGS: &[Ruling] = &[
    ruling(
        "TH-01",
        "Where does the thief set out?",
        "The player chooses 30a or 1a, before the trilithon card is drawn. From 1a it is 9 points to T1, from 30a \
         10.",
    ),
    ruling(
        "TH-02",
        "Which druid begins on which stone?",
        "The five colours are put on N5, N9, N16, N22 and N26 at random.",
    ),
    ruling(
        "TH-03",
        "How many disks lie on the capstones?",
        "One on each, the five colours at random; so five are on the board and nine of each colour beside it.",
    ),
    ruling(
        "TH-04",
        "What does the trilithon card tell?",
        "The fire is on the trilithon whose disk has the card's colour, and the druid of that colour becomes the \
         High Druid on B1. The other four disks go back to their piles: 9 for the High Druid, 10 for the rest.",
    ),
    ruling(
        "TH-05",
        "How do the druids walk before the game?",
        "Five number cards are drawn, one for each druid in the order of TH-24, and the druids walk by the rule of \
         TH-26; then all 60 are shuffled.",
    ),
    ruling(
        "TH-06",
        "Does the later High Druid take part in that walk?",
        "Yes, he is an inner druid still. When he is taken away, his stone is left empty and four inner druids \
         remain.",
    ),
    ruling(
        "TH-07",
        "Is there a detection before the first turn?",
        "No. Druids look only after they have walked and after the thief's move.",
    ),
    ruling(
        "TH-08",
        "How many spaces has Darkness?",
        "Thirty, one for each number, as every ring; from 30a to 1a is one step of 4 points.",
    ),
    ruling(
        "TH-09",
        "What does it cost to change into a darker ring?",
        "1 point, as every change of ring in either direction. Only steps along Shadow (2) and Darkness (4) cost \
         more.",
    ),
    ruling(
        "TH-10",
        "Do the rings close?",
        "Yes: 30 lies next to 1 in every ring, and D30 next to N1. The bluestones are a row with two ends.",
    ),
    ruling("TH-11", "Are there diagonal steps?", "No. From 6c to N7 takes two steps."),
    ruling("TH-12", "Which stones touch a space of Light?", "Both stones of its number: 6c touches N6 and D6."),
    ruling("TH-13", "May a ring be skipped?", "No. The order is Darkness, Shadow, Light, small stones."),
    ruling(
        "TH-14",
        "Which small stones touch a trilithon?",
        "The four on its path, which are the night and day stones of the two numbers in front of it.",
    ),
    ruling(
        "TH-15",
        "Which bluestones touch a trilithon?",
        "All in its view: T1 has B1 to B3, T2 B6 and B7, T3 B9 to B11, T4 B13 and B14, T5 B17 to B19.",
    ),
    ruling("TH-16", "Is there a way from a small stone straight to a bluestone?", "No. Only a trilithon joins them."),
    ruling("TH-17", "Can the altar be entered?", "No. It is no space of this game."),
    ruling(
        "TH-18",
        "Are points kept for later?",
        "No. What is neither walked nor spent on the capture is lost. Nobody has to move.",
    ),
    ruling(
        "TH-19",
        "May a thief without points change rings?",
        "No. The remark about thieves with few points is a reminder of the costs; a black card gives none, and the \
         thief stays.",
    ),
    ruling(
        "TH-20",
        "Which points count for the capture?",
        "Those left on arriving and those of a turn spent there, 4 in all; the step onto the trilithon does not \
         count. Whoever completes the capture at the place where the turn began may walk on with the rest.",
    ),
    ruling(
        "TH-21",
        "When is progress lost?",
        "As soon as the thief leaves the trilithon without the fire. On coming back it needs 4 again.",
    ),
    ruling(
        "TH-22",
        "How many points does a thief spend who remains?",
        "All that the capture can use. To leave instead, one moves; to remain is written stay, not a move to the \
         space where one is.",
    ),
    ruling(
        "TH-23",
        "May the thief enter other trilithons?",
        "Yes, but nothing can be captured there. The detection on trilithons is the same on all.",
    ),
    ruling(
        "TH-24",
        "In which order do the inner druids walk?",
        "By their stones from N1 clockwise to D30, as they stood before any of them moved.",
    ),
    ruling("TH-25", "Which comes first on one number?", "The druid on the night stone, then the one on the day stone."),
    ruling(
        "TH-26",
        "What if a druid would end on another?",
        "It goes one stone further in its direction, again and again, until a stone is free. Those who have yet to \
         walk count where they stand.",
    ),
    ruling("TH-27", "Does a druid with a black card make room?", "No. Without points it does not move at all."),
    ruling(
        "TH-28",
        "What if a druid walks across the thief's stone?",
        "Nothing. Only where druids stand at the two detections matters.",
    ),
    ruling(
        "TH-29",
        "May the thief walk onto or past a druid?",
        "Neither. A space with a druid cannot be entered, and the cheapest way is one around it.",
    ),
    ruling(
        "TH-30",
        "What does the High Druid do at an end with points left?",
        "He turns and spends the rest. At B1 and B19 he always heads for the other end.",
    ),
    ruling("TH-31", "Does day or night matter for the High Druid?", "No, only the colour of his card."),
    ruling(
        "TH-32",
        "How is range counted?",
        "In edges of the board, the fewest there are, whatever they cost and whoever stands on the way.",
    ),
    ruling("TH-33", "Is the space counted on which one stands?", "No. Neighbours are at range 1."),
    ruling(
        "TH-34",
        "Does an inner druid see a thief on a bluestone?",
        "Yes, through a trilithon: from its path to its view is range 2, and so is from one stone of its path to \
         another.",
    ),
    ruling(
        "TH-35",
        "What does a thief on a trilithon risk?",
        "Only two things: an inner druid on its path costs 2 disks, the High Druid in its view 3. All rules of \
         range are set aside there, for the High Druid too.",
    ),
    ruling(
        "TH-36",
        "When does the High Druid see the small stones?",
        "When he stands in the view of a trilithon and the thief on the path of the same one.",
    ),
    ruling("TH-37", "How far is he from them?", "At range 2, through the trilithon; so this always costs 3 disks."),
    ruling(
        "TH-38",
        "How is range counted between bluestones?",
        "Along their row. A way through a trilithon is never shorter.",
    ),
    ruling(
        "TH-39",
        "What if several druids notice the thief?",
        "Each loses disks from its own pile; the order makes no difference.",
    ),
    ruling("TH-40", "What if a pile has fewer disks than it loses?", "It is emptied, and that is the end."),
    ruling(
        "TH-41",
        "When exactly is the thief caught?",
        "When, after all disks of a detection are removed, a pile is empty or a druid stands on the thief's space.",
    ),
    ruling(
        "TH-42",
        "Where must the fire be brought?",
        "To the start that was chosen, 30a or 1a; the other one does not count. Arriving there with the fire wins \
         at once, before the second detection.",
    ),
    ruling("TH-43", "Does reaching the start take further points?", "No. Arriving is enough."),
    ruling(
        "TH-44",
        "When is the deck shuffled?",
        "When the 60 number cards are used up, which is after every ten turns; there are no partial hands. \
         Trilithon cards are not in it.",
    ),
    ruling(
        "TH-45",
        "Which card is whose?",
        "The first four are the inner druids' in their order, the fifth the High Druid's, the sixth the thief's. \
         All lie open before the thief decides.",
    ),
    ruling(
        "TH-46",
        "Are there decisions before the thief's move?",
        "No. The service deals, walks the druids and looks, and stops at the thief's decision or at the end.",
    ),
    ruling("TH-47", "Can the thief be caught before the first decision?", "No. Nobody sees into Darkness."),
    ruling(
        "TH-48",
        "May a game last for ever?",
        "The printed rules would let it, for Darkness is safe. A rule of this service ends it: undecided at the end \
         of turn 200 (option turn_limit, 20 to 1000), it is lost, for dawn has come.",
    ),
    ruling(
        "TH-49",
        "What changes once the fire is taken?",
        "Nothing for the druids and their piles. Its disk leaves the capstone.",
    ),
    ruling(
        "TH-50",
        "Can the fire be put back, or won without leaving?",
        "No. The game goes on until the fire is home or the thief is lost.",
    ),
    ruling(
        "TH-51",
        "Do the bars block ways?",
        "No. They only mark paths and views; D5 to N6 is a step like any other.",
    ),
    ruling(
        "TH-52",
        "What was on the lost picture of the bars?",
        "What the printed list of bars says. Nothing else depends on it.",
    ),
    ruling("TH-53", "Is the game a sport?", "The label of the published text has no effect."),
];
