//! Instances that know old matches, against one that loads the match for each request: nobody can tell them apart.

use super::one_trip::{Counting, once};
use super::*;

/// Something that a player asks for.
#[derive(Clone, Debug)]
enum Asked {
    Move(Option<DecisionId>, String),
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    Resign,
    Read,
}

/// All that the caller is told of a match.
fn told(viewed: &ViewedMatch) -> String {
    let live = &viewed.live;
    let view = live.view(viewed.viewer).unwrap().map(|view| view.get().to_owned());
    format!("{} {:?} {:?} {:?} {view:?}", live.stored.version, viewed.viewer, live.stored.stage, live.to_act())
}

/// Returns the answer of an instance; the key is that of the request, and its fingerprint is the request itself.
async fn answer(matches: &Matches, id: &MatchId, player: &Seated, key: Option<usize>, asks: &Asked) -> String {
    let reader = by(player);
    let key = key.map(|key| once(&format!("k{key}"), &format!("{asks:?}")));
    let key = key.as_ref();
    let answered = match asks {
        Asked::Move(decision, notation) => {
            let request = MoveRequest { decision: *decision, mv: MoveInput::Notation(notation.clone()) };
            return match matches.play(&player.id, id, key, Ok(request)).await {
                Ok(moved) => {
                    let events = texts(&moved.events);
                    format!("{} {} {events:?} {}", moved.replayed, moved.mv.notation, told(&moved.viewed))
                }
                Err(refused) => format!("{refused:?}"),
            };
        }
        Asked::Read => {
            return matches
                .read(&reader, id)
                .await
                .map_or_else(|refused| format!("{refused:?}"), |viewed| told(&viewed));
        }
        Asked::OfferDraw => matches.offer_draw(&reader, id, key).await,
        Asked::AcceptDraw => matches.accept_draw(&reader, id, key).await,
        Asked::DeclineDraw => matches.decline_draw(&reader, id, key).await,
        Asked::Resign => matches.resign(&reader, id, key).await,
    };
    match answered {
        Ok(answered) => format!("{} {}", answered.replayed, told(&answered.viewed)),
        Err(refused) => format!("{refused:?}"),
    }
}

/// The match of this game with all its seats taken, and those who sit there.
async fn full_table(world: &World, game: &str, visibility: Visibility) -> (MatchId, Vec<Seated>) {
    let ann = world.person("Ann");
    let new = NewMatch { game: game.to_owned(), visibility: Some(visibility), ..contiguity() };
    let made = world.matches.create(ann.clone(), Ok(new), None).await.unwrap().viewed.live;
    let (id, invite) = (made.stored.id.clone(), made.stored.terms.invite.clone());
    let mut players = vec![ann];
    while players.len() < usize::from(made.seat_count().get()) {
        let next = world.person("Ben");
        let joining = Joining { invite: invite.clone(), ..Joining::default() };
        world.matches.join(next.clone(), &id, joining, None).await.unwrap();
        players.push(next);
    }
    (id, players)
}

/// Returns the next request and its player: mostly a move that can be made, and everything else that can go wrong.
async fn next(world: &World, id: &MatchId, players: &[Seated], dice: &mut Dice) -> (usize, Asked) {
    let anyone = dice.index(players.len()).unwrap();
    let live = world.another().read(&by(&players[0]), id).await.unwrap().live;
    let Some(seat) = live.to_act().first() else { return (anyone, Asked::Read) };
    let open = live.decision(seat).unwrap().version;
    let legal = legal(&live, seat);
    let mv = legal[dice.index(legal.len()).unwrap()].clone();
    let decision = |version| Some(DecisionId { version, seat });
    match dice.index(32).unwrap() {
        0..=13 => (seat.index(), Asked::Move(decision(open), mv)),
        14..=15 => (seat.index(), Asked::Move(decision(open - 1), mv)),
        16..=17 => (anyone, Asked::Move(decision(open), mv)),
        18 => (anyone, Asked::Move(None, mv)),
        19 => (seat.index(), Asked::Move(decision(open), "nonsense".to_owned())),
        20..=21 => (anyone, Asked::OfferDraw),
        22 => (anyone, Asked::AcceptDraw),
        23 => (anyone, Asked::DeclineDraw),
        24 if live.stored.version > 30 => (anyone, Asked::Resign),
        _ => (anyone, Asked::Read),
    }
}

/// Two instances that never hear of each other answer everything as one does that loads the match each time.
#[tokio::test]
async fn instances_that_know_old_matches_answer_like_one_that_knows_none() {
    const REQUESTS: usize = 90;
    let mut in_all = [0; 3];
    for (number, game) in standard().iter().enumerate() {
        let visibility = if number % 2 == 0 { Visibility::Private } else { Visibility::Public };
        let (world, reference) = (World::new(), World::new());
        let (id, mut players) = full_table(&world, game.info().id, visibility).await;
        assert_eq!(full_table(&reference, game.info().id, visibility).await, (id.clone(), players.clone()));
        players.push(world.person("Cora"));
        let counting = Counting::of(&world);
        let instances = [0, 1].map(|_| world.instance_on(counting.clone()));
        let mut dice = Dice::new(DiceSeed([number as u8; 32]));
        let mut before: Vec<(usize, Option<usize>, Asked)> = Vec::new();
        for _ in 0..REQUESTS {
            let again = dice.index(before.len()).filter(|_| before.len() % 4 == 3);
            let (player, key, asks) = match again {
                Some(again) => before[again].clone(),
                None => {
                    let (player, asks) = next(&reference, &id, &players, &mut dice).await;
                    (player, dice.index(40).unwrap().checked_sub(20), asks)
                }
            };
            before.push((player, key, asks.clone()));
            for clock in [&world.clock, &reference.clock] {
                clock.advance_seconds(3);
            }
            let wanted = answer(&reference.another(), &id, &players[player], key, &asks).await;
            let knows = &instances[dice.index(2).unwrap()];
            let answered = answer(knows, &id, &players[player], key, &asks).await;
            assert_eq!(answered, wanted, "{} {player} {key:?} {asks:?}", game.info().id);
        }
        let log = async |matches: &Matches| {
            let page = matches.events(&by(&players[0]), &id, None, 10_000).await.unwrap();
            assert!(!page.more);
            texts(&page.items)
        };
        let logs = [log(&instances[0]).await, log(&instances[1]).await, log(&reference.another()).await];
        assert!(logs.windows(2).all(|two| two[0] == two[1]));
        in_all.iter_mut().zip(counting.trips()).for_each(|(sum, trips)| *sum += trips);
    }
    let [loads, standings, commits] = in_all;
    assert!(loads > 50 && standings > 50 && commits > 50, "{in_all:?}");
}
