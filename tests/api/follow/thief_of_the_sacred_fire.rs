//! A client of Thief of the Sacred Fire that puts its view together from the events it is told.

use sarsen::games::stonehenge::CardSet;
use sarsen::games::thief_of_the_sacred_fire::*;
use sarsen::rules::{SeatCount, Viewer};

/// The view of a front end before the first event.
pub fn nothing(options: &Options, _seats: SeatCount, _viewer: Viewer) -> ThiefView {
    ThiefView {
        phase: Phase::ChoosingStart,
        ending: None,
        turn: 0,
        turn_limit: options.turn_limit,
        capstones: Vec::new(),
        fire: None,
        druids: Vec::new(),
        thief: None,
        cards: Vec::new(),
        points: 0,
        discarded: CardSet::EMPTY,
        deck_size: 0,
        deck: None,
    }
}

/// Follows an event as a front end does that has read the options and the events, and no rules.
pub fn follow(view: &mut ThiefView, event: &Event) {
    match event.clone() {
        Event::DruidsSetUp(set_up) => {
            view.capstones = set_up.capstones;
            let druid = |place: ThiefDruidPlace| ThiefDruidView {
                druid: place.druid,
                at: place.at,
                alertness: None,
                heading: None,
            };
            view.druids = set_up.druids.into_iter().map(druid).collect();
        }
        Event::DruidCardsDrawn(_) | Event::Stayed(_) => {}
        Event::InnerDruidMoved(moved) => view.druids[moved.druid.index()].at = moved.to,
        Event::HighDruidMoved(moved) => {
            let druid = &mut view.druids[moved.druid.index()];
            (druid.at, druid.heading) = (moved.to, Some(moved.heading));
        }
        Event::DeckShuffled(shuffled) => {
            (view.discarded, view.deck_size) = (CardSet::EMPTY, shuffled.deck_size);
        }
        Event::StartChosen(ThiefStartChosen { space }) => {
            view.thief = Some(ThiefPawn { start: space, at: space, progress: 0, has_fire: false });
        }
        Event::FireRevealed(told) => {
            view.fire = Some(ThiefFire { trilithon: told.trilithon, high_druid: told.high_druid });
            view.capstones.iter_mut().filter(|c| c.trilithon != told.trilithon).for_each(|c| c.disk = None);
            told.alertness.iter().for_each(|pile| view.druids[pile.druid.index()].alertness = Some(pile.disks));
            let high = &mut view.druids[told.high_druid.index()];
            (high.at, high.heading) = (told.to, Some(told.heading));
        }
        Event::TurnDealt(dealt) => {
            view.phase = Phase::Moving;
            view.deck_size -= dealt.cards.len() as u8;
            (view.turn, view.cards, view.points) = (dealt.turn, dealt.cards, dealt.points);
        }
        Event::AlertnessLost(lost) => view.druids[lost.druid.index()].alertness = Some(lost.left),
        Event::Moved(moved) => {
            let thief = view.thief.as_mut().unwrap();
            (thief.at, thief.progress) = (moved.to, 0);
        }
        Event::CaptureAdvanced(advanced) => view.thief.as_mut().unwrap().progress = advanced.progress,
        Event::FireTaken(taken) => {
            let thief = view.thief.as_mut().unwrap();
            (thief.has_fire, thief.progress) = (true, 0);
            view.capstones.iter_mut().filter(|c| c.trilithon == taken.trilithon).for_each(|c| c.disk = None);
        }
        Event::FireBroughtHome(_) => view.ending = Some(Ending::FireHome),
        Event::Caught(_) => view.ending = Some(Ending::Caught),
        Event::DawnCame(_) => view.ending = Some(Ending::Dawn),
        Event::CardsDiscarded(ThiefCardsDiscarded { cards }) => {
            cards.iter().for_each(|card| assert!(view.discarded.insert(*card)));
            (view.cards, view.points) = (Vec::new(), 0);
        }
        Event::DeckRevealed(ThiefDeckRevealed { cards }) => {
            (view.phase, view.deck) = (Phase::Over, Some(cards));
        }
    }
}
