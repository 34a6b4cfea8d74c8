//! Moves that block an undo, game by game: those that show anybody what was hidden from them. With most of Henge's, that is
//! a hand that makes them legal.

use super::{GameSettings, Games};

/// Every kind of move of every game, and whether it may reveal something by itself.
const TABLE: [(&str, &[(&str, bool)]); 5] = [
    ("contiguity", &[("move", false), ("bid", false), ("pass", false), ("choose", false)]),
    (
        "absolution",
        &[
            // Final in its round.
            ("nominate", true),
            ("exchange", true),
            ("play", true),
            ("pass", false),
            // A word about one's hand cannot be unsaid, nor be said once more than the rules allow.
            ("wish", true),
            ("ready", true),
        ],
    ),
    ("sacrifice_roulette", &[("place", false), ("roll", true), ("reverse", true)]),
    ("thief_of_the_sacred_fire", &[("start", false), ("go", false), ("stay", false), ("take", false)]),
    (
        "henge",
        &[
            ("spring", false),
            ("upgrade", false),
            ("rondel", true),
            ("travel", true),
            ("luck", true),
            ("income", true),
            ("draw", true),
            ("arrive", true),
            ("quarry", true),
            ("carve", true),
            ("druid", true),
            ("install", true),
            ("done", true),
            ("discard", true),
            ("drop", false),
            ("reward", false),
            ("level", false),
            ("choose", false),
            ("track", true),
        ],
    ),
];

#[test]
fn every_kind_of_move_is_a_barrier_or_is_not() {
    let games = Games::standard(GameSettings::default());
    let found: Vec<_> = games.iter().map(|game| game.info().id).collect();
    assert_eq!(found, TABLE.map(|(game, _)| game));
    for (game, (id, kinds)) in games.iter().zip(TABLE) {
        let tags: Vec<_> = game.move_parts().into_iter().map(|part| part.tag).collect();
        assert_eq!(tags, kinds.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), "{id}");
        let barriers: Vec<_> = kinds.iter().filter(|(_, reveals)| *reveals).map(|(kind, _)| *kind).collect();
        assert_eq!(game.info().undo_barriers, barriers, "{id}");
    }
}
