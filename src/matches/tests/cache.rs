//! Decoded matches that are kept: what they say is what the stored bytes say.

use super::*;
use sarsen_games::AnyState;

fn said(live: &LiveMatch) -> Vec<String> {
    let state: &dyn AnyState = live.state().unwrap();
    let seats = live.seat_count().seats();
    let viewers = seats.map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Omniscient]);
    let views = viewers.map(|viewer| live.view(viewer).unwrap().unwrap().get().to_owned());
    let lists = live.seat_count().seats().map(|seat| {
        let listed = state.legal_moves(seat, ListForm::Full).unwrap();
        format!("{} {} {}", listed.count, listed.complete, listed.moves.get())
    });
    views.chain(lists).chain([format!("{:?} {:?}", live.to_act(), state.status())]).collect()
}

#[tokio::test]
async fn a_kept_match_of_any_game_says_what_its_stored_bytes_say() {
    let world = World::new();
    let games = Games::standard(GameSettings::default());
    for game in games.iter() {
        let new = NewMatch { game: game.info().id.to_owned(), ..contiguity() };
        let ann = world.person("Ann");
        let made = world.matches.create(ann.clone(), Ok(new), None).await.unwrap().viewed;
        let id = made.live.stored.id.clone();
        let mut players = vec![ann];
        while players.len() < usize::from(made.live.seat_count().get()) {
            let next = world.person("Ben");
            world.matches.join(next.clone(), &id, Joining::default(), None).await.unwrap();
            players.push(next);
        }
        let mut dice = Dice::new(DiceSeed([9; 32]));
        for _ in 0..60 {
            let stored = world.store.load_match(&id, None).await.unwrap().unwrap().stored;
            let fresh = LiveMatch::open(&games, &stored).unwrap();
            let kept = world.matches.read(&Reader::default(), &id).await.unwrap().live;
            assert_eq!(said(&kept), said(&fresh), "{}", game.info().id);
            assert_eq!(kept.duplicate().encode().unwrap(), stored);
            assert_eq!(fresh.duplicate().encode().unwrap(), stored);
            let again = world.matches.read(&Reader::player(players[0].id.clone()), &id).await.unwrap().live;
            assert!(Arc::ptr_eq(&kept, &again), "it is kept");
            let Some(seat) = kept.to_act().first() else { break };
            let moves = legal(&kept, seat);
            let decision = kept.decision(seat).map(|open| DecisionId { version: open.version, seat });
            let mv = &moves[dice.index(moves.len()).unwrap()];
            world.clock.advance_seconds(3);
            let moved = world.play(&players[seat.index()], &id, decision, mv, None).await.unwrap();
            let next = world.matches.read(&Reader::default(), &id).await.unwrap().live;
            assert!(Arc::ptr_eq(&moved.viewed.live, &next), "what was written is kept");
        }
    }
}

#[tokio::test]
async fn what_another_instance_has_written_is_seen_at_once() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let other = world.another();
    for version in 2..8 {
        for matches in [&world.matches, &other] {
            let viewed = matches.read(&Reader::player(players[0].id.clone()), &id).await.unwrap();
            assert_eq!(viewed.live.stored.version, version);
        }
        let (player, decision, moves) = world.turn(&id, &players).await;
        let mv = MoveInput::Notation(moves[0].clone());
        let request = Ok(MoveRequest { decision: Some(decision), mv: mv.clone() });
        other.play(&player.id, &id, None, request).await.unwrap();
    }
}
