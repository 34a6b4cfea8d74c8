//! Undo and takebacks: how far they go, what is as it was afterwards, and that all of it is found again in log and record.

use super::*;
use crate::model::refused::UndoRefused;
use crate::model::track::{Barrier, BarrierReason, UNDO_MAX};
use sarsen_games::bots::Level;

/// All that everybody can see of the game, and do in it.
fn seen(live: &LiveMatch) -> Vec<String> {
    let seats: Vec<Seat> = live.seat_count().seats().collect();
    let viewers = seats.iter().copied().map(Viewer::Seat).chain([Viewer::Spectator]);
    let mut seen: Vec<String> =
        viewers.map(|viewer| live.view(viewer).unwrap().map_or_else(String::new, |view| view.to_string())).collect();
    let state = live.state().unwrap();
    for seat in seats {
        let legal = state.legal_moves(seat, ListForm::Full).unwrap();
        seen.push(format!("{} {} {}", legal.moves, legal.count, legal.complete));
    }
    seen.push(format!(
        "{:?} {} {:?}",
        live.to_act(),
        live.stored.dice,
        live.stored.last_move.as_ref().map(|mv| &mv.notation)
    ));
    seen
}

impl World {
    /// The match as it stands, with its secrets.
    async fn live(&self, id: &MatchId, players: &[Seated]) -> Arc<LiveMatch> {
        self.read(&players[0], id).await.live
    }

    /// A match of this game that has started, with as many seats as it needs.
    pub(super) async fn at_table(&self, new: NewMatch) -> (MatchId, Vec<Seated>) {
        let mut players = vec![self.person("Ann")];
        let viewed = self.matches.create(players[0].clone(), Ok(new), None).await.unwrap().viewed;
        let id = viewed.live.stored.id.clone();
        while players.len() < viewed.live.stored.seats.len() - viewed.live.stored.terms.bots.len() {
            players.push(self.person("Ben"));
            self.matches.join(players[players.len() - 1].clone(), &id, Joining::default(), None).await.unwrap();
        }
        (id, players)
    }

    /// The move of this number, or of what is left of it, of the seat that is to act first.
    async fn moves_on(&self, id: &MatchId, players: &[Seated], number: usize) -> Moved {
        let live = self.live(id, players).await;
        let seat = live.to_act().first().unwrap();
        let moves = legal(&live, seat);
        let decision = Some(DecisionId { version: live.decision(seat).unwrap().version, seat });
        self.clock.advance_seconds(3);
        self.play(&players[seat.index()], id, decision, &moves[number % moves.len()], None).await.unwrap()
    }

    pub(super) async fn version(&self, id: &MatchId, players: &[Seated]) -> u64 {
        self.live(id, players).await.stored.version
    }

    /// The first legal move of whoever is to act, a bot or a person.
    pub(super) async fn move_in_place(&self, id: &MatchId, players: &[Seated]) {
        let live = self.live(id, players).await;
        let acting = live.to_act().first().unwrap();
        let mut next = live.duplicate();
        let mv = MoveInput::Notation(legal(&live, acting).remove(0));
        let entry = next.play(acting, next.game.read_move(&mv).unwrap(), self.ambient.now()).unwrap();
        self.matches.commit(next, entry, Some(&live), None).await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_takeback_needs_everybody_and_puts_the_match_back() {
    let world = World::new();
    let (id, players) = world.at_table(contiguity()).await;
    let before = world.live(&id, &players).await;
    let start = before.stored.version;
    let first = before.to_act().first().unwrap();
    let (mover, other) = (&players[first.index()], &players[1 - first.index()]);
    world.moves_on(&id, &players, 5).await;
    world.moves_on(&id, &players, 7).await;

    // Another's move is in the way of a free undo, and nothing before the set-up is ever undone.
    let free = world.matches.undo(&by(mover), &id, Ok(start), None).await;
    let barrier = Barrier { version: start + 2, reason: BarrierReason::OtherSeat };
    refused!(free, Refused::Undo(UndoRefused::Barrier { barrier: found, .. }) if found == barrier);
    let early = world.matches.offer_takeback(&by(mover), &id, Ok(start - 1), None).await;
    let barrier = Barrier { version: start, reason: BarrierReason::Chance };
    refused!(early, Refused::Undo(UndoRefused::Barrier { barrier: found, .. }) if found == barrier);
    let late = world.matches.offer_takeback(&by(mover), &id, Ok(start + 3), None).await;
    refused!(late, Refused::Read(ReadRefused::NoSuchVersion));
    let present = world.matches.offer_takeback(&by(mover), &id, Ok(start + 2), None).await.unwrap().viewed.live;
    assert_eq!((present.stored.version, present.takeback()), (start + 2, None), "it is there already");
    refused!(world.matches.accept_takeback(&by(other), &id, None).await, Refused::Undo(UndoRefused::NoTakebackOffer));

    let offered = world.matches.offer_takeback(&by(mover), &id, Ok(start), None).await.unwrap().viewed;
    let takeback = offered.live.takeback().unwrap().clone();
    assert_eq!((takeback.by, takeback.to_version, takeback.agreed_by.len()), (first, start, 0));
    for again in [mover, other] {
        let again = world.matches.offer_takeback(&by(again), &id, Ok(start), None).await;
        refused!(again, Refused::Undo(UndoRefused::TakebackOnOffer));
    }
    refused!(world.matches.accept_takeback(&by(mover), &id, None).await, Refused::Undo(UndoRefused::NoTakebackOffer));
    world.matches.decline_takeback(&by(other), &id, None).await.unwrap();
    let again = world.matches.offer_takeback(&by(mover), &id, Ok(start), None).await;
    refused!(again, Refused::Undo(UndoRefused::TakebackOnOffer));

    // The other has not offered one since its turn; an offer lapses with a move.
    world.matches.offer_takeback(&by(other), &id, Ok(start), None).await.unwrap();
    world.moves_on(&id, &players, 3).await;
    refused!(world.matches.accept_takeback(&by(mover), &id, None).await, Refused::Undo(UndoRefused::NoTakebackOffer));
    world.matches.offer_takeback(&by(mover), &id, Ok(start), None).await.unwrap();
    let back = world.matches.accept_takeback(&by(other), &id, None).await.unwrap().viewed.live;
    assert_eq!(seen(&back), seen(&before));
    let stale = before.decision(first).unwrap();
    let open = back.decision(first).unwrap();
    assert_eq!((open.version, open.at > stale.at), (back.stored.version, true), "decisions open anew");
    let last = world.matches.events(&by(mover), &id, None, 1000).await.unwrap().items;
    assert_eq!(kinds(&last)[last.len() - 2..], ["takeback_accepted", "move_undone"]);
    let undone: Value = serde_json::from_str(last.last().unwrap().event.get()).unwrap();
    assert_eq!(undone, json!({"type": "move_undone", "by": first.index(), "to_version": start}));
    let stale = Some(DecisionId { version: stale.version, seat: first });
    let mv = legal(&back, first).remove(0);
    refused!(world.play(mover, &id, stale, &mv, None).await, Refused::Move(MoveRefused::StaleDecision(_)));
    world.moves_on(&id, &players, 1).await;
}

#[tokio::test]
async fn one_may_undo_within_ones_own_turn_and_go_forth_again() {
    let world = World::new();
    let henge = NewMatch { game: "henge".to_owned(), seats: SeatCount::new(1), ..contiguity() };
    let (id, players) = world.at_table(henge).await;
    let ann = by(&players[0]);
    // The choice of a Spring card is followed by chance; the First Upgrade is not, whatever was dealt.
    world.moves_on(&id, &players, 0).await;
    let chosen = world.live(&id, &players).await;
    assert_eq!(chosen.free_undo(seat(0)), None);
    let early = world.matches.undo(&ann, &id, Ok(chosen.stored.version - 1), None).await;
    refused!(early, Refused::Undo(UndoRefused::Barrier { barrier: Barrier { reason: BarrierReason::Chance, .. }, .. }));
    let begun = chosen.stored.version;
    world.moves_on(&id, &players, 0).await;
    let upgraded = world.live(&id, &players).await;
    let free = upgraded.free_undo(seat(0)).unwrap();
    assert_eq!((free.to_version, free.earliest_version), (begun, begun));
    let opened = upgraded.decision(seat(0)).unwrap().at;

    world.clock.advance_seconds(30);
    let undone = world.matches.undo(&ann, &id, Ok(begun), None).await.unwrap().viewed.live;
    assert_eq!(seen(&undone), seen(&chosen));
    let open = undone.decision(seat(0)).unwrap();
    assert_eq!((open.version, open.at), (undone.stored.version, opened), "an undo gives no time");
    assert_eq!(undone.free_undo(seat(0)), None);
    // Asked for again, nothing is left to be done.
    let again = world.matches.undo(&ann, &id, Ok(begun), None).await.unwrap().viewed.live;
    assert_eq!(again.stored.version, undone.stored.version);
    // And what was undone can be had again.
    let forth = world.matches.undo(&ann, &id, Ok(begun + 1), None).await.unwrap().viewed.live;
    assert_eq!(seen(&forth), seen(&upgraded));
    assert_eq!(forth.free_undo(seat(0)).map(|free| free.to_version), Some(begun));
}

#[tokio::test]
async fn bots_agree_to_everything() {
    let world = super::bots::thinking();
    let bots = vec![(seat(1), Level::Easy)];
    let (id, players) = world.at_table(NewMatch { bots, ..contiguity() }).await;
    let start = world.live(&id, &players).await;
    let first = start.to_act().first().unwrap();
    // Nobody thinks here, so the bot's move is made in its place.
    for _ in 0..2 {
        world.move_in_place(&id, &players).await;
    }
    let back = world.matches.offer_takeback(&by(&players[0]), &id, Ok(start.stored.version), None).await.unwrap();
    assert_eq!((seen(&back.viewed.live), back.viewed.live.takeback()), (seen(&start), None));
    assert_eq!(back.viewed.live.to_act().first(), Some(first));
}

#[tokio::test]
async fn what_can_be_undone_is_settled_when_the_match_is_made() {
    let world = World::new();
    for undo in [UndoTerms::Off, UndoTerms::Turn, UndoTerms::Consent] {
        let (id, players) = world.at_table(NewMatch { undo: Some(undo), ..contiguity() }).await;
        let start = world.version(&id, &players).await;
        world.moves_on(&id, &players, 0).await;
        for player in &players {
            let free = world.matches.undo(&by(player), &id, Ok(start), None).await;
            match undo {
                UndoTerms::Off => refused!(free, Refused::Undo(UndoRefused::Off)),
                _ => refused!(free, Refused::Undo(UndoRefused::Barrier { .. })),
            }
        }
        let offered = world.matches.offer_takeback(&by(&players[0]), &id, Ok(start), None).await;
        match undo {
            UndoTerms::Consent => assert!(offered.unwrap().viewed.live.takeback().is_some()),
            _ => refused!(offered, Refused::Undo(UndoRefused::Off)),
        }
    }
}

#[tokio::test]
async fn nobody_undoes_more_often_than_so() {
    let world = super::bots::thinking();
    let bots = vec![(seat(1), Level::Easy)];
    let (id, players) = world.at_table(NewMatch { bots, ..contiguity() }).await;
    let start = world.version(&id, &players).await;
    for _ in 0..UNDO_MAX {
        // Whoever begins, there is a move of the person's own before the next offer.
        while world.live(&id, &players).await.stored.last_move.as_ref().is_none_or(|last| last.seat != seat(0)) {
            world.move_in_place(&id, &players).await;
        }
        world.matches.offer_takeback(&by(&players[0]), &id, Ok(start), None).await.unwrap();
    }
    world.move_in_place(&id, &players).await;
    let more = world.matches.offer_takeback(&by(&players[0]), &id, Ok(start), None).await;
    refused!(more, Refused::Undo(UndoRefused::UsedUp));
}

#[tokio::test]
async fn who_holds_every_seat_undoes_as_often_as_they_like() {
    let world = World::new();
    let henge = NewMatch { game: "henge".to_owned(), seats: SeatCount::new(1), ..contiguity() };
    let (solo, ann) = world.at_table(henge).await;
    world.moves_on(&solo, &ann, 0).await;
    let begun = world.version(&solo, &ann).await;
    for _ in 0..=UNDO_MAX {
        world.moves_on(&solo, &ann, 0).await;
        world.matches.undo(&by(&ann[0]), &solo, Ok(begun), None).await.unwrap();
    }
    let table = TableTerms { hotseat: true, ..TableTerms::default() };
    let made = world.made(&ann[0], NewMatch { seat: None, table, ..contiguity() }).await;
    let everywhere = [ann[0].clone(), ann[0].clone()];
    let start = world.version(&made, &everywhere).await;
    for _ in 0..=UNDO_MAX {
        let live = world.live(&made, &everywhere).await;
        let acting = live.to_act().first().unwrap();
        let request = MoveRequest {
            decision: live.decision(acting).map(|open| DecisionId { version: open.version, seat: acting }),
            mv: MoveInput::Notation(legal(&live, acting).remove(0)),
        };
        let reader = by(&ann[0]).sitting(Some(acting));
        world.matches.play(reader.clone(), &made, None, Ok(request)).await.unwrap();
        // Nobody has to agree, so nobody counts the offers of a turn either.
        world.matches.offer_takeback(&reader, &made, Ok(start), None).await.unwrap();
    }
}

/// In a game whose turns have several moves: what others say in a turn is no move, and one offer is made in a turn, not one
/// a move.
#[tokio::test]
async fn talk_takes_no_undo_away_and_a_turn_has_one_offer() {
    let world = World::new();
    let henge = NewMatch { game: "henge".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let (id, players) = world.at_table(henge).await;
    // Up to a turn of several moves that can be undone.
    let (acting, before, free) = loop {
        let live = world.live(&id, &players).await;
        let acting = live.to_act().first().unwrap();
        world.moves_on(&id, &players, 0).await;
        if let Some(free) = world.live(&id, &players).await.free_undo(acting) {
            break (acting, live, free);
        }
    };
    let (own, other) = (&players[acting.index()], &players[1 - acting.index()]);
    assert_eq!(free.to_version, before.stored.version);
    let offer = async |player: &Seated, to: u64| world.matches.offer_takeback(&by(player), &id, Ok(to), None).await;
    let offered = offer(other, free.to_version).await.unwrap().viewed.live;
    assert_eq!((offered.takeback().is_some(), offered.free_undo(acting)), (true, Some(free)), "talk is no move");
    world.matches.decline_takeback(&by(own), &id, None).await.unwrap();
    refused!(offer(other, free.to_version).await, Refused::Undo(UndoRefused::TakebackOnOffer));
    offer(own, free.to_version).await.unwrap();
    world.matches.decline_takeback(&by(other), &id, None).await.unwrap();
    let undone = world.matches.undo(&by(own), &id, Ok(free.to_version), None).await.unwrap().viewed.live;
    assert_eq!(seen(&undone), seen(&before));
    // However many moves the turn has, it has one offer; the next has another.
    let mut moves = 0;
    while world.live(&id, &players).await.to_act().first() == Some(acting) {
        let version = world.version(&id, &players).await;
        refused!(offer(own, version - 1).await, Refused::Undo(UndoRefused::TakebackOnOffer));
        world.moves_on(&id, &players, 0).await;
        moves += 1;
        assert!(moves < 100);
    }
    assert!(moves > 0);
    let version = world.version(&id, &players).await;
    match offer(own, version - 1).await {
        Ok(_) | Err(Refused::Undo(UndoRefused::Barrier { .. })) => {}
        Err(other) => panic!("another turn, another offer: {other:?}"),
    }
    assert_eq!(faults(&world, &id).await, Vec::<String>::new());
}

/// The case of the report: in Contiguity, with bids, `choose` leaves its seat to act.
#[tokio::test]
async fn an_offered_draw_takes_no_undo_away() {
    let world = World::new();
    let options = json!({"bidding": true});
    let (id, players) = world.at_table(NewMatch { options, ..contiguity() }).await;
    let (acting, start) = loop {
        let live = world.live(&id, &players).await;
        let acting = live.to_act().first().unwrap();
        let listed = legal(&live, acting);
        let number = listed.iter().position(|mv| mv == "pass" || mv == "choose first").unwrap_or(0);
        world.moves_on(&id, &players, number).await;
        if listed.iter().any(|mv| mv == "choose first") {
            break (acting, live.stored.version);
        }
    };
    let live = world.live(&id, &players).await;
    let free = live.free_undo(acting).expect("the seat that has chosen to be first is to act");
    assert_eq!((free.to_version, free.earliest_version), (start, start));
    let (own, other) = (&players[acting.index()], &players[1 - acting.index()]);
    let offered = world.matches.offer_draw(&by(other), &id, None).await.unwrap().viewed.live;
    assert_eq!(offered.free_undo(acting), Some(free));
    let undone = world.matches.undo(&by(own), &id, Ok(start), None).await.unwrap().viewed.live;
    assert!(legal(&undone, acting).contains(&"choose first".to_owned()));
}

/// AB-01: whoever closes a round of nominations is to act again, and cannot take back what the others have seen.
#[tokio::test]
async fn a_nomination_is_final_for_whoever_closes_the_round_too() {
    let world = World::new();
    let absolution = NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let (id, players) = world.at_table(absolution).await;
    for (number, nominee) in [(0, 0), (1, 1)] {
        let live = world.live(&id, &players).await;
        let decision = live.decision(seat(number)).map(|open| DecisionId { version: open.version, seat: seat(number) });
        let player = &players[usize::from(number)];
        world.play(player, &id, decision, &format!("nominate {nominee}"), None).await.unwrap();
    }
    let live = world.live(&id, &players).await;
    assert!(live.decision(seat(1)).is_some(), "the second round is open");
    assert_eq!(live.free_undo(seat(1)), None);
    let (closing, before) = (by(&players[1]), live.stored.version - 1);
    for refused in [
        world.matches.undo(&closing, &id, Ok(before), None).await,
        world.matches.offer_takeback(&closing, &id, Ok(before), None).await,
    ] {
        refused!(refused, Refused::Undo(UndoRefused::Barrier { .. }));
    }
}

#[tokio::test]
async fn resigning_cannot_be_undone() {
    let world = World::new();
    let roulette = NewMatch { game: "sacrifice_roulette".to_owned(), seats: SeatCount::new(3), ..contiguity() };
    let (id, players) = world.at_table(roulette).await;
    world.matches.resign(&by(&players[2]), &id, None).await.unwrap();
    let version = world.version(&id, &players).await;
    let back = world.matches.offer_takeback(&by(&players[0]), &id, Ok(version - 1), None).await;
    refused!(back, Refused::Undo(UndoRefused::Barrier { barrier, .. }) if barrier.version == version);
    let gone = world.matches.undo(&by(&players[2]), &id, Ok(version - 1), None).await;
    refused!(gone, Refused::OutOfPlay(OutOfPlay::Resigned));
}

/// Any sequence of moves, undos and takebacks: whatever is gone back to is as it was, each version can be rebuilt from
/// anywhere, and the record is verified.
#[tokio::test]
async fn any_sequence_of_moves_and_undos_is_found_again_in_every_game() {
    const STEPS: usize = 70;
    for (number, game) in Games::standard(GameSettings::default()).iter().enumerate() {
        let world = World::new();
        let seats = SeatCount::new(game.info().min_seats);
        let (id, players) = world.at_table(NewMatch { game: game.info().id.to_owned(), seats, ..contiguity() }).await;
        let mut dice = Dice::new(DiceSeed([number as u8; 32]));
        let mut versions = vec![world.live(&id, &players).await];
        let mut undone = 0;
        if game.info().id == "contiguity" {
            // Nothing is ever in the way of a takeback there.
            let start = versions[0].stored.version;
            world.moves_on(&id, &players, 0).await;
            versions.push(world.live(&id, &players).await);
            let offered = world.matches.offer_takeback(&by(&players[0]), &id, Ok(start), None).await.unwrap();
            versions.push(offered.viewed.live);
            let back = world.matches.accept_takeback(&by(&players[1]), &id, None).await.unwrap().viewed.live;
            assert_eq!(seen(&back), seen(&versions[0]));
            undone += 1;
        }
        for _ in 0..STEPS {
            let live = world.live(&id, &players).await;
            if live.stored.stage != Stage::Playing {
                break;
            }
            for version in versions[versions.len() - 1].stored.version + 1..=live.stored.version {
                versions.push(Arc::new(world.matches.match_at(&live, version).await.unwrap().0));
            }
            let player = &players[dice.index(players.len()).unwrap()];
            let to = 1 + u64::from(dice.below(live.stored.version as u32));
            let asked = match dice.below(8) {
                0..=3 => {
                    world.moves_on(&id, &players, dice.below(1000) as usize).await;
                    continue;
                }
                4 => world.matches.undo(&by(player), &id, Ok(to), None).await,
                5 => match live.to_act().first().and_then(|seat| Some((seat, live.free_undo(seat)?))) {
                    Some((seat, free)) => {
                        let to = free.earliest_version
                            + u64::from(dice.below((live.stored.version - free.earliest_version) as u32));
                        Ok(world.matches.undo(&by(&players[seat.index()]), &id, Ok(to), None).await.unwrap())
                    }
                    None => continue,
                },
                6 => {
                    // As far back as it goes, or nearer; mostly all agree.
                    let barrier = live.stored.undo.barrier(live.stored.version).version;
                    let to = barrier + u64::from(dice.below(1 + (live.stored.version - barrier) as u32));
                    let mut offered = world.matches.offer_takeback(&by(player), &id, Ok(to), None).await;
                    if dice.below(4) > 0
                        && offered.as_ref().is_ok_and(|offered| offered.viewed.live.takeback().is_some())
                    {
                        for other in players.iter().filter(|other| other.id != player.id) {
                            offered = world.matches.accept_takeback(&by(other), &id, None).await;
                        }
                    }
                    offered
                }
                _ if dice.below(4) == 0 => world.matches.decline_takeback(&by(player), &id, None).await,
                _ => world.matches.accept_takeback(&by(player), &id, None).await,
            };
            match asked {
                Ok(answered) => {
                    let now = answered.viewed.live;
                    let Some(last) = now.stored.undo.undone.last() else { continue };
                    if last.version == now.stored.version && now.stored.version > live.stored.version {
                        undone += 1;
                        let then = versions.iter().find(|then| then.stored.version == last.to).unwrap();
                        assert_eq!(seen(&now), seen(then), "{}: back to {}", game.info().id, last.to);
                    }
                }
                Err(Refused::Undo(_) | Refused::Read(ReadRefused::NoSuchVersion)) => {}
                Err(other) => panic!("{}: {other:?}", game.info().id),
            }
        }
        // Rebuilt from wherever another instance begins.
        let fresh = world.another();
        let present = fresh.read(&by(&players[0]), &id).await.unwrap().live;
        for then in versions.iter().rev().step_by(3).chain(versions.iter().step_by(5)) {
            let (rebuilt, _) = fresh.match_at(&present, then.stored.version).await.unwrap();
            let json = |live: &LiveMatch| serde_json::from_slice::<Value>(&live.duplicate().encode().unwrap()).unwrap();
            assert_eq!(json(&rebuilt), json(then), "{}", game.info().id);
        }
        let told = async |matches: &Matches, limit| {
            let (mut all, mut after) = (Vec::new(), None);
            loop {
                let page = matches.events(&by(&players[0]), &id, after, limit).await.unwrap();
                all.extend(texts(&page.items));
                after = page.next;
                if !page.more {
                    return all;
                }
            }
        };
        assert_eq!(told(&world.matches, 1000).await, told(&world.another(), 7).await);
        let mut live = world.live(&id, &players).await;
        if live.stored.stage == Stage::Playing {
            live = world.matches.resign(&by(&players[0]), &id, None).await.unwrap().viewed.live;
        }
        if live.stored.stage == Stage::Finished {
            let record = world.export(&id).await.unwrap();
            let verified = verify(&Games::standard(GameSettings::default()), &record).unwrap();
            let put_back = serde_json::to_string(&record).unwrap().contains("\"move_undone\"");
            assert_eq!((verified.steps as u64, undone > 0), (live.stored.version, put_back));
        }
        let before = told(&world.matches, 1000).await;
        if live.stored.stage.is_over() {
            assert_eq!(world.matches.archive(&live, None).await.unwrap(), sarsen_store::Archived::Yes);
            assert_eq!(told(&world.another(), 50).await, before, "{}", game.info().id);
        }
        assert_eq!(faults(&world, &id).await, Vec::<String>::new());
    }
}

async fn faults(world: &World, id: &MatchId) -> Vec<String> {
    let whole = world.store.whole_match(id).await.unwrap().unwrap();
    crate::table::examining::examine(&Games::standard(GameSettings::default()), &whole).faults
}

#[tokio::test]
async fn a_record_cannot_go_back_behind_a_barrier() {
    let world = World::new();
    let (id, players) = world.at_table(contiguity()).await;
    let start = world.version(&id, &players).await;
    world.moves_on(&id, &players, 0).await;
    world.matches.offer_takeback(&by(&players[0]), &id, Ok(start), None).await.unwrap();
    world.matches.accept_takeback(&by(&players[1]), &id, None).await.unwrap();
    world.matches.resign(&by(&players[0]), &id, None).await.unwrap();
    let record = world.export(&id).await.unwrap();
    let games = Games::standard(GameSettings::default());
    assert_eq!(record.format, "sarsen/record/2");
    verify(&games, &record).unwrap();
    let offer = record.steps.iter().position(|step| step.action == ExportAction::OfferTakeback).unwrap();
    let mut other = record;
    other.steps[offer].to_version = Some(start - 1);
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Impossible { step, .. } if step == offer + 1));
}

/// The same undo on two instances, and a move at the same moment: one is taken, the other answered for what there is then.
#[tokio::test]
async fn an_undo_and_a_move_at_the_same_moment_end_in_one_order() {
    let world = World::new();
    let (id, players) = world.at_table(contiguity()).await;
    let start = world.version(&id, &players).await;
    world.moves_on(&id, &players, 0).await;
    let live = world.live(&id, &players).await;
    let acting = live.to_act().first().unwrap();
    world.matches.offer_takeback(&by(&players[1 - acting.index()]), &id, Ok(start), None).await.unwrap();
    let decision = live.decision(acting).map(|open| DecisionId { version: open.version, seat: acting });
    let mv = legal(&live, acting).remove(0);
    let other = world.another();
    let accepts = by(&players[acting.index()]);
    let (moved, accepted) = tokio::join!(
        world.play(&players[acting.index()], &id, decision, &mv, None),
        other.accept_takeback(&accepts, &id, None)
    );
    match (moved, accepted) {
        (Ok(_), Err(Refused::Undo(UndoRefused::NoTakebackOffer))) => {}
        (Err(Refused::Move(MoveRefused::StaleDecision(_) | MoveRefused::NotYourTurn(_))), Ok(_)) => {}
        (moved, accepted) => panic!("{:?} {:?}", moved.err(), accepted.err()),
    }
}
