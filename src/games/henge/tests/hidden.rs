//! Secrets of an owner: Luck cards in hand, Spring cards offered, chosen (until all have chosen) and
//! refused, end-of-game cards held and dropped. From everyone: what is left in a pile; piles have no order.
//!
//! Everyone knows which Luck cards were in hands at the last reshuffle, and how many of them each still has; and how many
//! end-of-game cards each has drawn since the last reshuffle of those.

use super::super::components::{BonusCard, BonusDeck};
use super::super::events::{BonusCardDropped, EndOfGameCardsDrawn, Event, LuckCardsDrawn, SpringOffered};
use super::super::state::CardSet;
use super::super::state::{Person, Stage};
use super::*;

/// Deals the cards of these sets that are in `among` again: each keeps its number of them.
fn exchange(sets: &mut [&mut CardSet], among: CardSet, dice: &mut Dice) {
    let mut cards = sets.iter().fold(CardSet::default(), |all, set| all.union(**set)).common(among);
    for set in sets {
        let old = set.common(among);
        let new: CardSet = (0..old.len()).filter_map(|_| cards.draw(dice)).collect();
        **set = set.minus(old).union(new);
    }
}

/// Each kind of card is dealt again half of the time.
pub(crate) fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
    let mut twin = state.clone();
    let State { people, luck, end_of_game_deck, .. } = &mut twin;
    let mut others: Vec<&mut Person> = state
        .count()
        .seats()
        .zip(people)
        .filter(|(seat, _)| !viewer.may_see(*seat))
        .map(|(_, person)| person)
        .collect();
    let every: CardSet = (0..super::super::state::MOST_CARDS).collect();
    if dice.below(2) == 0 {
        let mut hands: Vec<&mut CardSet> = others.iter_mut().map(|person| &mut person.hand).collect();
        exchange(&mut hands, luck.held, dice);
        hands.push(&mut luck.deck);
        exchange(&mut hands, every.minus(luck.held), dice);
    }
    if dice.below(2) == 0 {
        redeal_eog(state, viewer, &mut others, end_of_game_deck, dice);
    }
    if dice.below(2) == 0 {
        redeal_spring(state, &mut others, dice);
    }
    twin
}

/// Every card drawn since the last reshuffle comes from the cards dropped before it.
fn redeal_eog(state: &State, viewer: Viewer, others: &mut [&mut Person], deck: &mut CardSet, dice: &mut Dice) {
    let every: CardSet = (0..super::super::state::MOST_CARDS).collect();
    let reshuffled = state.people.iter().fold(CardSet::default(), |all, person| all.union(person.returned));
    let (new, old) =
        if reshuffled.is_empty() { (every, CardSet::default()) } else { (reshuffled, every.minus(reshuffled)) };
    let mut places: Vec<&mut CardSet> = Vec::new();
    let mut returned: Vec<&mut CardSet> = Vec::new();
    for Person { end_of_game_cards, dropped, returned: own, .. } in others.iter_mut().map(|person| &mut **person) {
        places.extend([end_of_game_cards, dropped]);
        returned.push(own);
    }
    exchange(&mut places, old, dice);
    places.push(deck);
    exchange(&mut places, new, dice);
    exchange(&mut returned, every, dice);

    // Which cards the others reshuffled is hidden too: any two cards that the viewer has not seen may be the other.
    let own = |(seat, person): (Seat, &Person)| {
        viewer.may_see(seat).then(|| person.end_of_game_cards.union(person.dropped).union(person.returned))
    };
    let seen = state.count().seats().zip(&state.people).filter_map(own).fold(CardSet::default(), CardSet::union);
    let mut unseen = places.iter().fold(CardSet::default(), |all, set| all.union(**set)).minus(seen);
    while let (Some(a), Some(b)) = (unseen.draw(dice), unseen.draw(dice)) {
        for set in places.iter_mut().chain(&mut returned) {
            let (has_a, has_b) = (set.remove(a), set.remove(b));
            if has_a {
                set.insert(b);
            }
            if has_b {
                set.insert(a);
            }
        }
    }
}

/// The others' cards and those that were dealt to nobody.
fn redeal_spring(state: &State, others: &mut [&mut Person], dice: &mut Dice) {
    let chosen = state.people.iter().filter_map(|person| person.spring).chain(state.spring_dropped.iter().copied());
    let dealt = state.people.iter().fold(chosen.map(BonusCard::index).collect::<CardSet>(), |all, person| {
        all.union(person.offer).union(person.refused)
    });
    let mut rest = state.equipment.bonus_in_use(BonusDeck::Spring).minus(dealt);
    let every = rest.union(dealt);
    let mut places = vec![&mut rest];
    for Person { offer, refused, .. } in others.iter_mut().map(|person| &mut **person) {
        places.extend([offer, refused]);
    }
    exchange(&mut places, every, dice);
    for person in others {
        if state.stage == Stage::Spring && person.spring.is_some() {
            let mut offer = person.offer;
            person.spring = offer.draw(dice).map(|index| BonusCard(index as u8));
        }
    }
}

/// Cards and chits turned up; own draws; a Spring card shown to all or dropped before all; the end.
pub(crate) fn lays_open(event: &Event, viewer: Viewer) -> bool {
    match event {
        Event::SpringOffered(SpringOffered { who, .. })
        | Event::LuckCardsDrawn(LuckCardsDrawn { who, .. })
        | Event::EndOfGameCardsDrawn(EndOfGameCardsDrawn { who, .. }) => viewer.may_see(who.seat),
        Event::BonusCardDropped(BonusCardDropped { deck, .. }) => *deck == HengeBonusDeck::Spring,
        event => matches!(
            event,
            Event::SpringRevealed(_)
                | Event::QuarryRefilled(_)
                | Event::RewardsRefilled(_)
                | Event::HengebotMoved(_)
                | Event::Scored(_)
        ),
    }
}
