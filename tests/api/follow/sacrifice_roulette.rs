//! A client of Sacrifice Roulette that puts its view together from the events it is told.

use sarsen::games::sacrifice_roulette::*;
use sarsen::games::stonehenge::{Card, CardSet, Colour, Stone};
use sarsen::rules::{Seat, SeatCount, Viewer};

/// The view of a front end before the first event.
fn before(seats: SeatCount) -> SacrificeRouletteView {
    let player = |seat: Seat| PlayerView {
        seat,
        colour: Colour::PIECES[seat.index()],
        to_place: 0,
        hand_size: 0,
        hand: None,
        known: CardSet::EMPTY,
        hand_by_deck: vec![0],
        hand_limit: 5,
        scoring_pile: ScoringPile::default(),
        on_board: 0,
        points: 0,
    };
    SacrificeRouletteView {
        phase: Phase::Placing,
        seat: None,
        turn: 0,
        falls: 0,
        boulder: None,
        direction: Direction::Clockwise,
        marker: None,
        boulder_cards: CardSet::EMPTY,
        pits: Vec::new(),
        deck_size: 0,
        deck: None,
        discards: Vec::new(),
        depletions: 0,
        last_depletion: if seats.get() == 5 { 3 } else { 2 },
        reshuffles: Vec::new(),
        players: seats.seats().map(player).collect(),
    }
}

/// The same for this viewer: own cards are an empty list at first, those of others unknown.
pub fn nothing(_options: &Options, seats: SeatCount, viewer: Viewer) -> SacrificeRouletteView {
    let mut view = before(seats);
    for player in &mut view.players {
        player.hand = viewer.may_see(player.seat).then_some(CardSet::EMPTY);
    }
    view
}

fn lay_disks(view: &mut SacrificeRouletteView, pits: &[Stone], colour: Colour, owner: Option<Seat>) {
    view.pits.extend(pits.iter().map(|pit| Pit { pit: *pit, colour, owner }));
    view.pits.sort_by_key(|pit| pit.pit.index());
}

fn play_card(view: &mut SacrificeRouletteView, seat: Seat, card: Card) {
    let deck = view.reshuffles.iter().rposition(|cards| cards.contains(card)).map_or(0, |index| index + 1);
    let player = &mut view.players[seat.index()];
    player.hand_size -= 1;
    player.hand_by_deck[deck] -= 1;
    player.known.remove(card);
    if let Some(hand) = &mut player.hand {
        hand.remove(card);
    }
}

pub fn follow(view: &mut SacrificeRouletteView, event: &Event) {
    match event {
        Event::SacrificesSetUp(set_up) => {
            for share in &set_up.seats {
                lay_disks(view, &share.pits, share.colour, Some(share.seat));
                view.players[share.seat.index()].to_place = share.to_place;
            }
            lay_disks(view, &set_up.neutral, Colour::Green, None);
            view.boulder_cards = set_up.boulder_cards;
        }
        Event::SacrificePlaced(placed) => {
            lay_disks(view, &[placed.pit], Colour::PIECES[placed.seat.index()], Some(placed.seat));
            view.players[placed.seat.index()].to_place = placed.to_place;
        }
        Event::BoulderSetUp(set_up) => (view.boulder, view.boulder_cards) = (Some(set_up.boulder), CardSet::EMPTY),
        Event::HandsDealt(dealt) => {
            view.deck_size = dealt.deck_size;
            for hand in &dealt.hands {
                let player = &mut view.players[hand.seat.index()];
                (player.hand_size, player.hand, player.hand_by_deck) = (hand.count, hand.cards, vec![hand.count]);
            }
        }
        Event::TurnBegun(begun) => (view.seat, view.turn, view.phase) = (Some(begun.seat), begun.turn, Phase::Rolling),
        Event::TrilithonsPlayed(played) => {
            played.cards.iter().for_each(|card| play_card(view, played.seat, card));
            view.players[played.seat.index()].known = view.players[played.seat.index()].known.union(played.known);
            (view.direction, view.marker) = (played.direction, played.marker);
            view.discards.extend(&played.discarded);
        }
        Event::BoulderRolled(rolled) => {
            play_card(view, rolled.seat, rolled.card);
            view.discards.push(rolled.card);
            view.boulder = Some(rolled.to);
        }
        Event::BoulderFell(fell) => {
            if let Some(card) = fell.card {
                play_card(view, fell.seat, card);
                view.discards.push(card);
            }
            view.falls = fell.falls;
        }
        Event::FallCardDrawn(drawn) => {
            view.deck_size = drawn.deck_size;
            view.discards.push(drawn.card);
        }
        Event::PitEmptied(emptied) => {
            view.pits.retain(|pit| pit.pit != emptied.pit);
            let taker = &mut view.players[emptied.taken_by.index()];
            taker.hand_limit = emptied.hand_limit;
            let pile = &mut taker.scoring_pile;
            let piles = [&mut pile.white, &mut pile.blue, &mut pile.green, &mut pile.yellow, &mut pile.red];
            *piles.into_iter().nth(emptied.colour as usize).unwrap() += 1;
        }
        Event::CardsDrawn(drawn) => {
            view.deck_size = drawn.deck_size;
            let player = &mut view.players[drawn.seat.index()];
            player.hand_size += drawn.count;
            *player.hand_by_deck.last_mut().unwrap() += drawn.count;
            if let (Some(hand), Some(cards)) = (&mut player.hand, &drawn.cards) {
                cards.iter().for_each(|card| assert!(hand.insert(*card)));
            }
        }
        Event::DeckDepleted(depleted) => {
            view.depletions = depleted.depletions;
            if depleted.last {
                (view.phase, view.seat) = (Phase::Over, None);
            }
        }
        Event::DeckReshuffled(reshuffled) => {
            view.discards.clear();
            view.deck_size = reshuffled.cards.len() as u8;
            view.reshuffles.push(reshuffled.cards);
            view.players.iter_mut().for_each(|player| player.hand_by_deck.push(0));
        }
        Event::CardsRevealed(revealed) => {
            view.deck = Some(revealed.deck.clone());
            for hand in &revealed.hands {
                view.players[hand.seat.index()].hand = hand.cards;
            }
        }
    }
    if view.phase == Phase::Placing {
        view.seat = view.players.iter().find(|player| player.to_place > 0).map(|player| player.seat);
    }
    for player in &mut view.players {
        player.on_board = view.pits.iter().filter(|pit| pit.owner == Some(player.seat)).count() as u8;
        let pile = player.scoring_pile;
        player.points = 2 * player.on_board + pile.white + pile.blue + pile.green + pile.yellow + pile.red;
    }
}
