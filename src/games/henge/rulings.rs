//! How this service reads the points that the printed rules leave open, in our own words.

use crate::rules::{Ruling, ruling};

/// All rulings.
pub const RULINGS: &[Ruling] = &[
    ruling(
        "H-01",
        "How many may play?",
        "One to five people, three to five players with Hengebots counted, at most as many Hengebots as the component \
         set allows (four in the reference set). The title and the set-up text differ; the set-up text is the \
         specific one.",
    ),
    ruling("H-02", "Which board side is used?", "The one for the total of players, Hengebots counted."),
    ruling(
        "H-03",
        "What do the count marks on cards mean?",
        "`*` is every total, `4+` that total or more, `3/4` those totals, `5` exactly that total.",
    ),
    ruling(
        "H-04",
        "Does a Hengebot get a starter stone?",
        "No. Hengebots own no cards; starters not dealt to people are ordinary stones.",
    ),
    ruling(
        "H-05",
        "Who starts, and where do Hengebots sit?",
        "Seat 0, a person, starts, and that person's starter places the pawn. The table is fixed when the match \
         is created, with a person at the first place.",
    ),
    ruling(
        "H-06",
        "On which step does the pawn begin?",
        "On the earliest clockwise step of the starter's area. The first move must leave it.",
    ),
    ruling(
        "H-07",
        "Can coins or travel tokens run out?",
        "Coins never. There are as many tokens as the component set says (ten in the reference set); a spent one goes \
         back to the supply, and from an empty supply none is gained.",
    ),
    ruling(
        "H-08",
        "In what order are Spring cards chosen?",
        "At once and in secret, before the upgrades; all are then laid open together.",
    ),
    ruling(
        "H-09",
        "May Luck cards in hand make a stop legal?",
        "Yes, if they certainly suffice: coins, transport and changes to the action that the cards give by \
         themselves are counted, nothing that needs a draw or a choice.",
    ),
    ruling(
        "H-10",
        "May one then spend that help on something else?",
        "No. Until the first unit of the action is done, an option inside another decision is withheld if the \
         action could then no longer be begun for certain.",
    ),
    ruling(
        "H-11",
        "May two people take the same First Upgrade?",
        "No. There are five cards, and each goes once. Hengebots take none.",
    ),
    ruling(
        "H-12",
        "When are holes in the quarry filled?",
        "At the end of the turn, each position for itself. Once the stone deck is empty they stay.",
    ),
    ruling(
        "H-13",
        "How does one get reward chits?",
        "Only through effects that say so. Pools are refilled at the end of the turn, and used chits come back \
         when a stack is empty.",
    ),
    ruling(
        "H-14",
        "How far may the pawn walk?",
        "From one step to one full lap. Steps beyond the free ones are paid before the action.",
    ),
    ruling(
        "H-15",
        "What does a travel token replace?",
        "Free steps and bribes: the pawn goes any distance up to a full lap, and no stone is transported.",
    ),
    ruling(
        "H-16",
        "Whose stones are transported, and when?",
        "Those of the player who walks, one step for each border that the pawn leaves behind, at once.",
    ),
    ruling("H-17", "What if a step shows two actions?", "One of them is taken, and it is named with the move."),
    ruling(
        "H-18",
        "May one stop on Arrive with nothing in transit?",
        "No. But the action stays possible if a Luck card delivers the last stone after the stop.",
    ),
    ruling(
        "H-19",
        "What does the Luck action do?",
        "Several separate draws, as many as the component set says, each with its own discard.",
    ),
    ruling(
        "H-20",
        "In what order does Income go?",
        "Coins, then the draw with its discard; Luck cards may be played before and after, not in between.",
    ),
    ruling(
        "H-21",
        "What if the Luck deck is too short?",
        "One draws what there is and discards so much less that the gain of the level stays.",
    ),
    ruling(
        "H-22",
        "Are Luck cards of this turn shuffled back during it?",
        "No. They join the discards when the turn ends.",
    ),
    ruling(
        "H-23",
        "Which stones take up storage?",
        "Those in transit, the starter too; delivered ones do not. A component set may choose to count all \
         uninstalled stones.",
    ),
    ruling(
        "H-24",
        "How are stones bought?",
        "At least one, one after the other, each with coins in hand at that moment.",
    ),
    ruling("H-25", "Which stones may be carved?", "Any uninstalled one, wherever it is on its way."),
    ruling(
        "H-26",
        "What does a druid cost, and in what order do things happen?",
        "The price of its path space; one pays, places, takes the benefit, and only then places the next.",
    ),
    ruling(
        "H-27",
        "What do two-number Druid levels mean?",
        "The first is how many druids may be placed, the second how many of these may lie in adjacent areas, in \
         any order.",
    ),
    ruling(
        "H-28",
        "What if a path is full or no druids are left?",
        "Such a path is no target, and without a target the action cannot be chosen.",
    ),
    ruling(
        "H-29",
        "Are several stones installed at once?",
        "No. All that one stone brings about is finished before the next.",
    ),
    ruling(
        "H-30",
        "Which icons count for a border slot?",
        "Those of the area beside the pawn's step, wherever the slot lies.",
    ),
    ruling(
        "H-31",
        "Whose uprights carry a lintel?",
        "Anyone's, also such as have just been built. The lintel's own size counts.",
    ),
    ruling(
        "H-32",
        "When may size be ignored?",
        "On a board side with the exception, when no empty slot anywhere takes the stone's size, slots that \
         cannot be used yet included. Carving and uprights are still needed.",
    ),
    ruling("H-33", "What does a carved stone score on a plain upright?", "The points of its card only."),
    ruling(
        "H-34",
        "When may Luck cards be played?",
        "In one's own main action any number of cards for it; before the pawn moves only cards for that; in a \
         sub-action only cards that say so; during other decisions none.",
    ),
    ruling(
        "H-35",
        "In what order does a turn end?",
        "The last Luck cards, one card for the Luck track, the Spring goal, the refills.",
    ),
    ruling(
        "H-36",
        "What if the Luck track is full, and what of its sub-actions?",
        "No more cards can be given up. Sub-actions it grants come after the main action, so no Luck card may be \
         played in them.",
    ),
    ruling("H-37", "What if a privilege at the top is raised again?", "Its end benefit is gained, every time."),
    ruling(
        "H-38",
        "How many Bonus cards are dropped?",
        "After a full draw, as many of all Bonus cards held as the component set says (two after drawing three in the \
         reference set); with fewer drawn, so many less that the gain stays.",
    ),
    ruling(
        "H-39",
        "Where do dropped Bonus cards go?",
        "A Spring card leaves the game and is shown; an end-of-game card goes face down to the discards.",
    ),
    ruling(
        "H-40",
        "When are Spring cards marked?",
        "Tallies when it happens, goals at the end of one's own turn, by themselves. Druids of a sub-action make \
         one Druid action too.",
    ),
    ruling(
        "H-41",
        "When are points scored, and what of leftovers?",
        "Stone and slot at once. Coins, Luck cards and uninstalled stones score nothing by themselves in the end.",
    ),
    ruling(
        "H-42",
        "What if a level changes during an action?",
        "Number and reach of the units are fixed when the action begins; storage, coins and Luck draws go by the \
         level when they are used.",
    ),
    ruling(
        "H-43",
        "Do Hengebots count in majorities, and can they win?",
        "They take ranks in the areas, score nothing for them, and are not ranked in the end.",
    ),
    ruling("H-44", "What triggers the end?", "The refill that takes the last card of the stone deck."),
    ruling(
        "H-45",
        "Are stones delivered again later?",
        "No. It happens once; stones bought in the last round must travel.",
    ),
    ruling(
        "H-46",
        "How are majorities scored?",
        "Each rank gets the value divided by its number in the component set, rounded down: in the reference set the \
         first the whole value, the second half, the third a third. Ties go to the druid farthest along; without \
         a druid there is no rank.",
    ),
    ruling(
        "H-47",
        "How are ties at the end broken?",
        "By stones installed, druids placed, coins, and then the later seat.",
    ),
    ruling(
        "H-48",
        "How does a Hengebot move?",
        "At least one step, to the next step with one of the card's icons, without cost or transport.",
    ),
    ruling("H-49", "What if card and step share two icons?", "The first printed one that has an effect is done."),
    ruling(
        "H-50",
        "When is a Carve token flipped?",
        "Up when its Hengebot stops on a step that shows Carve, before anything else and whatever the card; down \
         with every stone the Hengebot installs.",
    ),
    ruling("H-51", "What does a Hengebot's druid cost?", "Nothing. It goes on the local path and gives no benefit."),
    ruling(
        "H-52",
        "Which slot and stone does a Hengebot take?",
        "With the token up the most valuable slot needing carving that can be filled, lintels first; otherwise \
         the lowest quarry position that fits a plain slot.",
    ),
    ruling("H-53", "May Hengebots use border slots and the size exception?", "Border slots yes, the exception no."),
    ruling(
        "H-54",
        "Where does a Hengebot's Stone card go?",
        "Out of the game; only the stone on the board is the Hengebot's.",
    ),
    ruling(
        "H-55",
        "What do a Hengebot's other icons do, and what if its deck is empty?",
        "Nothing; and the discards are shuffled when a card is to be drawn.",
    ),
    ruling(
        "H-56",
        "Which areas are adjacent, which remote?",
        "Each area has two neighbours, which are adjacent; the other two are remote.",
    ),
    ruling(
        "H-57",
        "How do sub-actions work?",
        "As the action, with limits of their own; nothing need be done, and each is finished before what asked \
         for it goes on.",
    ),
    ruling(
        "H-58",
        "What if nobody buys stones?",
        "After the last round that the component set allows the end is triggered as well: delivery, and one more \
         round.",
    ),
    ruling("H-59", "What is a round?", "One turn of every place, Hengebots included, always from the first place."),
    ruling(
        "H-60",
        "What is the result of a single person?",
        "A title by the total. There is nobody to beat, so the match counts as won whatever the title.",
    ),
    ruling("H-61", "May a gain be refused?", "No, but for the units of sub-actions and the card for the Luck track."),
    ruling("H-62", "May a card for walking be played before a travel token is spent?", "Yes. It is wasted."),
    ruling("H-63", "Does a card act backwards?", "No, only on what comes after it."),
    ruling(
        "H-64",
        "Can stone figures run out?",
        "No. The counts that a component set must keep are enough for every slot.",
    ),
    ruling("H-65", "Are discarded Luck cards shown?", "Yes, all of them, played or not."),
    ruling("H-66", "Do two cards that double transport add up?", "No. Each border gives two steps at most."),
    ruling(
        "H-67",
        "Which allowance does a border slot use?",
        "None if it touches the local area; otherwise one for adjacent areas before one for remote ones.",
    ),
];
