//! A client that sees only the first view and the events can rebuild every later view.

use super::super::events::Event;
use super::super::set::{BonusDeck, Id, Pool, Privilege};
use super::super::view::{HengeBuilt, HengeEnd, HengeHeld, HengeMat, HengeStage, HengeView};
use super::super::wire::{HengeDeck, SourceKind};
use super::*;
use crate::rules::{Status, Viewer, play, settle};

fn remove(cards: &mut Option<Vec<Id>>, card: &Id) {
    if let Some(cards) = cards {
        cards.retain(|other| other != card);
    }
}

/// Adds cards; lists in views are in the order of the set.
fn add(view: &HengeView, cards: &mut Option<Vec<Id>>, new: &[Id]) {
    if let Some(cards) = cards {
        cards.extend(new);
        let set = view.set;
        let order = |id: &Id| (set.find_luck(id), set.find_bonus(id));
        cards.sort_by_key(order);
    }
}

/// Takes an event into a view, as a client would. `own` is the client's seat.
fn fold(view: &mut HengeView, event: &Event, own: Option<Seat>) {
    let before = view.clone();
    let set = view.set;
    let track = |stone: &Id| set[set.find_stone(stone).unwrap()].transport;
    macro_rules! mat {
        ($event:expr) => {
            view.places[usize::from($event.place)].mat.as_mut().unwrap()
        };
    }
    match event {
        Event::SetUp(_) | Event::SpringOffered(_) | Event::OptionChosen(_) | Event::LevelEnded(_) => {}
        Event::SpringChosen(chosen) => {
            let mat = mat!(chosen);
            mat.has_spring = true;
            mat.spring = chosen.card;
        }
        Event::SpringRevealed(revealed) => {
            let mat = mat!(revealed);
            mat.spring = Some(revealed.card);
            mat.refused_count = mat.offer_count - 1;
            mat.refused = mat.offer.take();
            remove(&mut mat.refused, &revealed.card);
            mat.offer_count = 0;
            mat.offer = (own == Some(revealed.seat)).then(Vec::new);
            view.stage = HengeStage::Upgrade;
            view.upgrading = view.places.iter().filter_map(|place| place.seat).max();
        }
        Event::UpgradeTaken(taken) => {
            view.upgrades.retain(|left| *left != taken.privilege);
            view.upgrading = taken.seat.number().checked_sub(1).and_then(Seat::new);
        }
        Event::RoundBegun(round) => {
            view.round = round.number;
            view.stage = HengeStage::Play;
            view.upgrades.clear();
        }
        Event::TurnBegun(turn) => view.turn = turn.place,
        Event::PawnMoved(moved) => {
            view.pawn = moved.to;
            view.travel_supply += u8::from(moved.token);
            let mat = mat!(moved);
            mat.coins -= moved.paid;
            mat.tokens -= u8::from(moved.token);
        }
        Event::StonesTransported(moved) => {
            for stone in &moved.stones {
                let held = mat!(moved).stones.iter_mut().find(|held| held.stone == stone.stone).unwrap();
                held.at = stone.at;
                held.delivered = stone.at >= track(&stone.stone);
            }
        }
        Event::CoinsGained(gained) => mat!(gained).coins = gained.total,
        Event::PointsScored(scored) => {
            assert!(scored.source.kind != SourceKind::Rondel);
            mat!(scored).vp = scored.total;
        }
        Event::LuckPlayed(played) => spend(view, played.place, played.card),
        Event::LuckDiscarded(discarded) => spend(view, discarded.place, discarded.card),
        Event::LuckTracked(tracked) => {
            spend(view, tracked.place, tracked.card);
            mat!(tracked).luck_steps = tracked.step;
        }
        Event::LuckDrawn(drawn) => {
            let mat = mat!(drawn);
            mat.hand_count += drawn.count;
            add(&before, &mut mat.hand, drawn.cards.as_deref().unwrap_or_default());
            view.luck_left = drawn.left;
        }
        Event::BonusDrawn(drawn) => {
            let mat = mat!(drawn);
            mat.eog_count += drawn.count;
            mat.eog_drawn += drawn.count;
            add(&before, &mut mat.eog, drawn.cards.as_deref().unwrap_or_default());
            view.eog_left = drawn.left;
        }
        Event::BonusDropped(dropped) => {
            let mat = mat!(dropped);
            if dropped.deck == BonusDeck::Spring {
                (mat.has_spring, mat.spring, mat.marks) = (false, None, 0);
                view.spring_dropped.extend(dropped.card);
            } else {
                mat.eog_count -= 1;
                mat.drops_count += 1;
                if let Some(card) = &dropped.card {
                    remove(&mut mat.eog, card);
                    add(&before, &mut mat.drops, &[*card]);
                }
            }
        }
        Event::StoneQuarried(bought) => {
            view.quarry[usize::from(bought.position) - 1] = None;
            let delivered = bought.at >= track(&bought.stone);
            let mat = mat!(bought);
            mat.coins -= bought.price;
            mat.stones.push(HengeHeld { stone: bought.stone, at: bought.at, delivered, carved: false });
        }
        Event::StoneCarved(carved) => {
            let mat = mat!(carved);
            mat.coins -= carved.price;
            mat.stones.iter_mut().find(|held| held.stone == carved.stone).unwrap().carved = true;
        }
        Event::DruidPlaced(druid) => {
            mat!(druid).coins -= druid.price;
            place_druid(view, druid.place, druid.area);
        }
        Event::StoneInstalled(built) => {
            let mat = mat!(built);
            mat.stones.retain(|held| held.stone != built.stone);
            mat.installed.push(built.stone);
            assert_eq!(mat.vp + built.stone_vp + built.slot_vp + built.card_vp, built.total);
            mat.vp = built.total;
            build(view, built.place, built.slot, built.stone);
        }
        Event::LevelRaised(raised) => {
            let levels = &mut mat!(raised).levels;
            *match raised.privilege {
                Privilege::Rondel => &mut levels.rondel,
                Privilege::Coin => &mut levels.coin,
                Privilege::Luck => &mut levels.luck,
                Privilege::Stone => &mut levels.stone,
                Privilege::Druid => &mut levels.druid,
            } = raised.level;
        }
        Event::RewardTaken(taken) => {
            for pool in &mut view.rewards {
                if pool.face_up.contains(&taken.tile) {
                    pool.face_up.retain(|tile| *tile != taken.tile);
                    pool.used.push(taken.tile);
                }
            }
        }
        Event::TokensTaken(taken) => {
            mat!(taken).tokens = taken.total;
            view.travel_supply = taken.supply;
        }
        Event::SpringMarked(marked) => mat!(marked).marks = marked.marks,
        Event::QuarryRefilled(refill) => {
            for laid in &refill.stones {
                view.quarry[usize::from(laid.position) - 1] = Some(laid.stone);
            }
            view.stones_left = refill.left;
        }
        Event::RewardsRefilled(refill) => {
            let pool = view.rewards.iter_mut().find(|pool| pool.pool == refill.pool).unwrap();
            pool.face_up.extend(&refill.tiles);
            pool.left = refill.left;
        }
        Event::DeckReshuffled(reshuffle) => reshuffled(view, reshuffle.deck, reshuffle.left),
        Event::LuckSettled(settled) => {
            assert_eq!(usize::from(settled.count), view.luck_spent.len());
            let spent = std::mem::take(&mut view.luck_spent);
            view.luck_discards.extend(spent);
        }
        Event::BotMoved(moved) => {
            view.pawn = moved.to;
            view.places[usize::from(moved.place)].carve_up = Some(moved.carve_up);
            view.bot_discards.push(moved.card);
            view.bots_left = moved.left;
        }
        Event::BotPlacedDruid(druid) => place_druid(view, druid.place, druid.area),
        Event::BotInstalled(built) => {
            view.quarry[usize::from(built.position) - 1] = None;
            view.places[usize::from(built.place)].carve_up = Some(false);
            build(view, built.place, built.slot, built.stone);
        }
        Event::BotIdle(_) => {}
        Event::EndTriggered(end) => view.end = Some(HengeEnd { round: end.round, cause: end.cause }),
        Event::StonesDelivered(_) => {
            for held in view.places.iter_mut().filter_map(|place| place.mat.as_mut()).flat_map(|mat| &mut mat.stones) {
                held.at = track(&held.stone);
                held.delivered = true;
            }
        }
        Event::Scored(scored) => {
            view.stage = HengeStage::Over;
            view.stack.clear();
            view.scores = Some(scored.scores.clone());
            for shown in &scored.hidden {
                let mat: &mut HengeMat = mat!(shown);
                mat.hand = Some(shown.hand.clone());
                mat.eog = Some(shown.eog.clone());
                mat.drops = Some(shown.drops.clone());
                mat.refused = Some(shown.refused.clone());
                mat.returned = Some(shown.returned.clone());
                mat.offer = Some(Vec::new());
            }
        }
        Event::DecisionDue(due) => {
            assert_eq!(due.turn, view.turn);
            view.stack = due.stack.clone();
        }
    }
}

fn spend(view: &mut HengeView, place: u8, card: Id) {
    let mat = view.places[usize::from(place)].mat.as_mut().unwrap();
    mat.hand_count -= 1;
    mat.held_count -= u8::from(view.luck_held.contains(&card));
    view.luck_held.retain(|held| *held != card);
    remove(&mut mat.hand, &card);
    view.luck_spent.push(card);
}

fn place_druid(view: &mut HengeView, place: u8, area: super::super::set::Area) {
    view.paths[area.index()].druids.push(place);
    view.places[usize::from(place)].druids_left -= 1;
}

fn build(view: &mut HengeView, place: u8, slot: Id, stone: Id) {
    view.built.push(HengeBuilt { slot, stone, place });
    let side = view.set.set().sides.iter().find(|side| side.key == view.side).unwrap();
    view.built.sort_by_key(|built| side.find(&built.slot));
}

fn reshuffled(view: &mut HengeView, deck: HengeDeck, left: u8) {
    match deck {
        HengeDeck::Luck => {
            // What was not shuffled, and does not lie open, is in somebody's hand.
            let cards = view.set.set().luck.iter().map(|row| row.id);
            let is_open = |card: &Id| view.luck_discards.contains(card) || view.luck_spent.contains(card);
            view.luck_held = cards.filter(|card| !is_open(card)).collect();
            for mat in view.places.iter_mut().filter_map(|place| place.mat.as_mut()) {
                mat.held_count = mat.hand_count;
            }
            view.luck_discards.clear();
            view.luck_left = left;
        }
        HengeDeck::Eog => {
            view.eog_left = left;
            for mat in view.places.iter_mut().filter_map(|place| place.mat.as_mut()) {
                mat.drops_count = 0;
                mat.eog_drawn = 0;
                mat.returned = mat.drops.as_mut().map(std::mem::take);
            }
        }
        HengeDeck::Hengebot => {
            view.bot_discards.clear();
            view.bots_left = left;
        }
        HengeDeck::RewardsA | HengeDeck::RewardsB => {
            let pool = if deck == HengeDeck::RewardsA { Pool::A } else { Pool::B };
            let pool = view.rewards.iter_mut().find(|rewards| rewards.pool == pool).unwrap();
            pool.used.clear();
            pool.left = left;
        }
    }
}

#[test]
fn every_view_follows_from_the_first_and_the_events() {
    for (number, table) in ["hbb", "hbh", "hhh", "hhbb", "hhhh", "hhhhh"].into_iter().enumerate() {
        let (mut dice, mut choice) = (dice(40 + number as u8), super::dice(60 + number as u8));
        let (mut state, mut events) = Henge::setup(&options(table), people(table), &mut dice);
        settle::<Henge>(&mut state, &mut dice, &mut events);
        let viewers: Vec<Viewer> = state.count().seats().map(Viewer::Seat).chain([Viewer::Spectator]).collect();
        let mut seen: Vec<HengeView> = viewers.iter().map(|viewer| state.view(*viewer)).collect();
        while let Status::ToAct(seats) = state.status() {
            let acting: Vec<Seat> = seats.iter().collect();
            let actor = acting[choice.index(acting.len()).unwrap()];
            let moves = state.legal(actor);
            let mv = moves[choice.index(moves.len()).unwrap()];
            let played = play::<Henge>(&mut state, actor, mv, &mut dice).unwrap();
            for (viewer, view) in viewers.iter().zip(&mut seen) {
                let own = if let Viewer::Seat(seat) = viewer { Some(*seat) } else { None };
                for event in &played.events {
                    fold(view, &Henge::redact(event, *viewer).unwrap(), own);
                }
                assert_eq!(view, &state.view(*viewer), "{table} {viewer:?} after {mv:?}: {:?}", played.events);
            }
        }
        assert!(seen.iter().all(|view| view.scores.is_some()), "{table} does not end");
    }
}

/// With two people the other hand is known when the Luck discards are shuffled, and so is it in what is imagined.
#[test]
fn a_reshuffle_is_remembered() {
    use super::desk::Desk;

    let mut desk = Desk::new("hhb").pawn(4).hand(0, "L01 L07").hand(1, "L02 L08").luck_deck("");
    let seen = ["L01", "L07", "L02", "L08"].map(|card| desk.luck(card));
    let all = (0..51).map(super::super::set::LuckCard);
    desk.state.luck.discards = all.filter(|card| !seen.contains(card)).collect();
    desk.play("rondel 1 income; income");
    let view = desk.state.view(Viewer::Seat(seat(0)));
    assert_eq!(view.luck_held.iter().map(Id::as_str).collect::<Vec<_>>(), ["L01", "L02", "L07", "L08"]);
    let mat = view.places[1].mat.as_ref().unwrap();
    assert_eq!((mat.hand_count, mat.held_count, &mat.hand), (2, 2, &None));
    for number in 0..8 {
        let imagined = Henge::imagine(&view, Viewer::Seat(seat(0)), &mut dice(number));
        assert_eq!(imagined.person(seat(1)).hand, desk.state.person(seat(1)).hand);
    }
    // A card that is played is no longer held.
    desk.play("luck L07");
    assert_eq!(desk.state.view(Viewer::Spectator).luck_held.len(), 3);
}
