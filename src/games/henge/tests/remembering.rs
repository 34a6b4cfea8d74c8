//! What a player with perfect recall still knows is in the view.

use super::super::components::Id;
use super::super::observation::HengeView;
use super::desk::Desk;
use super::*;
use sarsen_rules::Viewer;

/// With two people the other hand is known when the Luck discards are shuffled, and so is it in what is imagined.
#[test]
fn a_reshuffle_is_remembered() {
    let mut desk = Desk::new("hhb").pawn(4).hand(0, "L01 L07").hand(1, "L02 L08").luck_deck("");
    let seen = ["L01", "L07", "L02", "L08"].map(|card| desk.luck(card));
    let all = (0..51).map(super::super::components::LuckCard);
    desk.state.luck.discards = all.filter(|card| !seen.contains(card)).collect();
    desk.play("rondel 1 income; income");
    let view = desk.state.view(Viewer::Seat(seat(0)));
    assert_eq!(view.luck_held.iter().map(Id::as_str).collect::<Vec<_>>(), ["L01", "L02", "L07", "L08"]);
    let mat = view.players[1].mat.as_ref().unwrap();
    assert_eq!((mat.hand_count, mat.held_count, &mat.hand), (2, 2, &None));
    for number in 0..8 {
        let imagined = Henge::default().imagine(&view, Viewer::Seat(seat(0)), &mut dice(number));
        assert_eq!(imagined.person(seat(1)).hand, desk.state.person(seat(1)).hand);
    }
    // A card that is played is no longer held.
    desk.play("luck L07");
    assert_eq!(desk.state.view(Viewer::Spectator).luck_held.len(), 3);
}

/// Own drops that came back into the deck are not among what others have held ever since.
#[test]
fn own_drops_are_remembered_when_they_return_to_the_deck() {
    let mut desk = Desk::new("hhb").end_of_game_cards(1, "E05");
    let returned = ["E01", "E02"].map(|card| desk.bonus(card).index());
    desk.person(0).returned = returned.into_iter().collect();
    let view = desk.state.view(Viewer::Seat(seat(0)));
    let others_view = desk.state.view(Viewer::Seat(seat(1)));
    assert_eq!(others_view.players[0].mat.as_ref().unwrap().returned, None);
    let dealt = |view: &HengeView| {
        let mut dice = dice(5);
        let mut dealt =
            || Henge::default().imagine(view, Viewer::Seat(seat(0)), &mut dice).person(seat(1)).end_of_game_cards;
        (0..200).flat_map(|_| dealt().iter().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert!(dealt(&view).iter().all(|card| !returned.contains(card)));
    // A card drawn since may be one of them.
    desk.person(1).end_of_game_drawn = 1;
    assert!(dealt(&desk.state.view(Viewer::Seat(seat(0)))).iter().any(|card| returned.contains(card)));
}
