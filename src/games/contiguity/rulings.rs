//! How this service reads the points that the printed rules leave open, in our own words.

use crate::rules::{Ruling, ruling};

/// All rulings.
pub const RULINGS: &[Ruling] = &[
    ruling(
        "CO-01",
        "Which four spaces does each number have?",
        "The outermost box, the colour strip, the number and the day-and-night pair, which counts as one space: 4 rows \
         of 30, 120 spaces.",
    ),
    ruling(
        "CO-02",
        "Is row a outside or inside?",
        "Outside. It makes no difference to play: turned inside out and mirrored, the set-up is the same.",
    ),
    ruling(
        "CO-03",
        "Are 30 and 1 neighbours?",
        "Yes. Every row is a closed ring; the set-up itself lies across the seam.",
    ),
    ruling("CO-04", "Are rows a and d neighbours?", "No. They are the edges of the board."),
    ruling(
        "CO-05",
        "How does a piece slide?",
        "A turn moves one of the player's own pieces. A slide is any distance along one straight line of empty \
         spaces, without turning, and ends on an empty space.",
    ),
    ruling(
        "CO-06",
        "May a piece go all the way round and end where it started?",
        "No. A move ends at another space; going round stops before the starting space.",
    ),
    ruling(
        "CO-07",
        "How far does a jump carry?",
        "A jump is a slide with exactly one occupied space on the way, with any number of empty spaces before and behind \
         it. With the option `jump: short` the piece jumped over must be next to the mover, which lands right behind it.",
    ),
    ruling(
        "CO-08",
        "May one move pass over two pieces?",
        "No, whether they stand together or apart. There are no chains of jumps either.",
    ),
    ruling("CO-09", "May one's own pieces be jumped over?", "Yes, pieces of either colour. Nothing is ever captured."),
    ruling(
        "CO-10",
        "How long can a move round the ring be?",
        "At most 29 steps: meeting the starting space ends the way.",
    ),
    ruling("CO-11", "Can a piece jump off the edge?", "No. There must be an empty space to land on."),
    ruling(
        "CO-12",
        "May a turn be passed?",
        "No, and it never needs to be: with twelve pieces on the board each side always has a move. (`pass` belongs to \
         the bidding only.)",
    ),
    ruling(
        "CO-13",
        "What is one connected group?",
        "All six pieces, each reachable from each by steps along a row (over the seam too) or across the rows. Touching \
         at a corner does not count.",
    ),
    ruling(
        "CO-14",
        "When is the win checked, and for whom?",
        "After each move, for the player who moved. A move cannot change how the other side hangs together.",
    ),
    ruling(
        "CO-15",
        "What if nobody ever connects?",
        "The printed rules are silent, so these are rules of this service: the third occurrence of a position with the \
         same side to move is a draw (the set-up is a first occurrence; pieces of one colour are alike; not under \
         bidding), an undecided game is a draw at the turn limit (20 to 2000 turns of both players together, 300 unless \
         chosen), and the players may agree on a draw.",
    ),
    ruling(
        "CO-16",
        "Who is white?",
        "A seat drawn at random; both are equally likely. Under bidding the lowest bidder decides.",
    ),
    ruling("CO-17", "Who wins if a player resigns or stays away?", "The opponent. This is a rule of this service."),
    ruling(
        "CO-18",
        "Is the bidding played, and how?",
        "It is the option `bidding`, off unless chosen. A seat drawn at random opens with a bid of 1 to 99 of its own \
         turns, at most half the turn limit; it cannot pass. Then each in turn bids lower or passes. A pass or a bid \
         of 1 ends the bidding, and the lowest bidder chooses to move first (white) or second (red).",
    ),
    ruling(
        "CO-19",
        "Whose turns does a bid count?",
        "The bidder's own. Whoever has not connected when the last of them is complete loses at once.",
    ),
    ruling("CO-20", "Can the opponent of the lowest bidder win by connecting?", "Yes, as in any game."),
    ruling("CO-21", "May a bid equal the last one?", "No, it must be lower."),
    ruling("CO-22", "Which shapes win?", "Any shape of six connected pieces, also across the seam."),
    ruling(
        "CO-23",
        "Do pieces that touch only diagonally count as connected?",
        "No. A group that meets the others only at a corner is a group of its own.",
    ),
];
