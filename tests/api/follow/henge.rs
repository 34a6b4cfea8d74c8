//! A client of Henge that keeps its view up to date by the events it is told.

use sarsen::games::henge::components::{Area, Components, Id, Pool, Privilege, reference};
use sarsen::games::henge::{
    Chair, Event, HengeBonusDeck, HengeBuilt, HengeDeck, HengeEnd, HengeHeld, HengeMat, HengeStage, HengeView,
    SourceKind,
};
use sarsen::rules::{Seat, Viewer};

fn remove(cards: &mut Option<Vec<Id>>, card: &Id) {
    if let Some(cards) = cards {
        cards.retain(|other| other != card);
    }
}

/// The set that gives the view's ids their meaning.
fn component_set(view: &HengeView) -> Components {
    let set = reference();
    assert_eq!(set.id(), &view.set);
    set
}

/// Adds cards; lists in views are in the order of the set.
fn add(view: &HengeView, cards: &mut Option<Vec<Id>>, new: &[Id]) {
    if let Some(cards) = cards {
        cards.extend(new);
        let set = component_set(view);
        let order = |id: &Id| (set.find_luck(id), set.find_bonus(id));
        cards.sort_by_key(order);
    }
}

/// Takes an event into the view of `viewer`, as a client would.
pub fn follow(view: &mut HengeView, event: &Event, viewer: Viewer) {
    let before = view.clone();
    let set = component_set(view);
    let track = |stone: &Id| set[set.find_stone(stone).unwrap()].transport;
    macro_rules! mat {
        ($event:expr) => {
            view.players[$event.who.chair.index()].mat.as_mut().unwrap()
        };
    }
    match event {
        Event::SetUp(_) | Event::SpringOffered(_) | Event::OptionChosen(_) | Event::PrivilegeEndGained(_) => {}
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
            mat.offer = (viewer == Viewer::Seat(revealed.who.seat)).then(Vec::new);
            view.stage = HengeStage::Upgrade;
            view.upgrading = view.players.iter().filter_map(|player| player.seat).max();
        }
        Event::FirstUpgradeTaken(taken) => {
            view.upgrades.retain(|left| *left != taken.privilege);
            view.upgrading = taken.who.seat.number().checked_sub(1).and_then(Seat::new);
        }
        Event::RoundBegun(round) => {
            view.round = round.number;
            view.stage = HengeStage::Play;
            view.upgrades.clear();
        }
        Event::TurnBegun(turn) => view.turn = turn.chair,
        Event::PawnMoved(moved) => {
            view.pawn = moved.to;
            view.travel_supply += u8::from(moved.token);
            let mat = mat!(moved);
            mat.coins -= moved.paid;
            mat.travel_tokens -= u8::from(moved.token);
        }
        Event::StonesTransported(moved) => {
            for stone in &moved.stones {
                let held = mat!(moved).stones.iter_mut().find(|held| held.stone == stone.stone).unwrap();
                held.at = stone.at;
                held.delivered = stone.at >= track(&stone.stone);
            }
        }
        Event::CoinsGained(gained) => mat!(gained).coins = gained.total,
        Event::VictoryPointsScored(scored) => {
            assert!(scored.source.kind != SourceKind::Rondel);
            mat!(scored).victory_points = scored.total;
        }
        Event::LuckCardPlayed(played) => spend(view, played.who.chair, played.card),
        Event::LuckCardDiscarded(discarded) => spend(view, discarded.who.chair, discarded.card),
        Event::LuckCardGivenUp(tracked) => {
            spend(view, tracked.who.chair, tracked.card);
            mat!(tracked).luck_steps = tracked.step;
        }
        Event::LuckCardsDrawn(drawn) => {
            let mat = mat!(drawn);
            mat.hand_count += drawn.count;
            add(&before, &mut mat.hand, drawn.cards.as_deref().unwrap_or_default());
            view.luck_cards_left = drawn.left;
        }
        Event::EndOfGameCardsDrawn(drawn) => {
            let mat = mat!(drawn);
            mat.end_of_game_count += drawn.count;
            mat.end_of_game_drawn += drawn.count;
            add(&before, &mut mat.end_of_game_cards, drawn.cards.as_deref().unwrap_or_default());
            view.end_of_game_cards_left = drawn.left;
        }
        Event::BonusCardDropped(dropped) => {
            let mat = mat!(dropped);
            if dropped.deck == HengeBonusDeck::Spring {
                (mat.has_spring, mat.spring, mat.marks) = (false, None, 0);
                view.spring_dropped.extend(dropped.card);
            } else {
                mat.end_of_game_count -= 1;
                mat.dropped_count += 1;
                if let Some(card) = &dropped.card {
                    remove(&mut mat.end_of_game_cards, card);
                    add(&before, &mut mat.dropped, &[*card]);
                }
            }
        }
        Event::StoneBought(bought) => {
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
            place_druid(view, druid.who.chair, druid.area);
        }
        Event::StoneInstalled(built) => {
            let mat = mat!(built);
            mat.stones.retain(|held| held.stone != built.stone);
            mat.installed.push(built.stone);
            assert_eq!(
                mat.victory_points + built.stone_victory_points + built.slot_victory_points + built.card_victory_points,
                built.total
            );
            mat.victory_points = built.total;
            build(view, built.who.chair, built.slot, built.stone);
        }
        Event::PrivilegeRaised(raised) => {
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
        Event::TravelTokensTaken(taken) => {
            mat!(taken).travel_tokens = taken.total;
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
        Event::LuckCardsSettled(settled) => {
            assert_eq!(usize::from(settled.count), view.luck_spent.len());
            let spent = std::mem::take(&mut view.luck_spent);
            view.luck_discards.extend(spent);
        }
        Event::HengebotMoved(moved) => {
            view.pawn = moved.to;
            view.players[moved.chair.index()].carve_token_up = Some(moved.carve_token_up);
            view.hengebot_discards.push(moved.card);
            view.hengebot_cards_left = moved.left;
        }
        Event::HengebotDruidPlaced(druid) => place_druid(view, druid.chair, druid.area),
        Event::HengebotStoneInstalled(built) => {
            view.quarry[usize::from(built.position) - 1] = None;
            view.players[built.chair.index()].carve_token_up = Some(false);
            build(view, built.chair, built.slot, built.stone);
        }
        Event::HengebotDidNothing(_) => {}
        Event::EndTriggered(end) => view.end = Some(HengeEnd { round: end.round, cause: end.cause }),
        Event::StonesDelivered(_) => {
            for held in view.players.iter_mut().filter_map(|player| player.mat.as_mut()).flat_map(|mat| &mut mat.stones)
            {
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
                mat.end_of_game_cards = Some(shown.end_of_game_cards.clone());
                mat.dropped = Some(shown.dropped.clone());
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

fn spend(view: &mut HengeView, chair: Chair, card: Id) {
    let mat = view.players[chair.index()].mat.as_mut().unwrap();
    mat.hand_count -= 1;
    mat.held_count -= u8::from(view.luck_held.contains(&card));
    view.luck_held.retain(|held| *held != card);
    remove(&mut mat.hand, &card);
    view.luck_spent.push(card);
}

fn place_druid(view: &mut HengeView, chair: Chair, area: Area) {
    view.paths[area.index()].druids.push(chair);
    view.players[chair.index()].druids_left -= 1;
}

fn build(view: &mut HengeView, chair: Chair, slot: Id, stone: Id) {
    view.built.push(HengeBuilt { slot, stone, chair });
    let set = component_set(view);
    let side = set.sides.iter().find(|side| side.key == view.side).unwrap();
    view.built.sort_by_key(|built| side.find(&built.slot));
}

fn reshuffled(view: &mut HengeView, deck: HengeDeck, left: u8) {
    match deck {
        HengeDeck::Luck => {
            // What was not shuffled, and does not lie open, is in somebody's hand.
            let set = component_set(view);
            let cards = set.luck.iter().map(|row| row.id);
            let is_open = |card: &Id| view.luck_discards.contains(card) || view.luck_spent.contains(card);
            view.luck_held = cards.filter(|card| !is_open(card)).collect();
            for mat in view.players.iter_mut().filter_map(|player| player.mat.as_mut()) {
                mat.held_count = mat.hand_count;
            }
            view.luck_discards.clear();
            view.luck_cards_left = left;
        }
        HengeDeck::EndOfGame => {
            view.end_of_game_cards_left = left;
            for mat in view.players.iter_mut().filter_map(|player| player.mat.as_mut()) {
                mat.dropped_count = 0;
                mat.end_of_game_drawn = 0;
                mat.returned = mat.dropped.as_mut().map(std::mem::take);
            }
        }
        HengeDeck::Hengebot => {
            view.hengebot_discards.clear();
            view.hengebot_cards_left = left;
        }
        HengeDeck::RewardsA | HengeDeck::RewardsB => {
            let pool = if deck == HengeDeck::RewardsA { Pool::A } else { Pool::B };
            let pool = view.rewards.iter_mut().find(|rewards| rewards.pool == pool).unwrap();
            pool.used.clear();
            pool.left = left;
        }
    }
}
