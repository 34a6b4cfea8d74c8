//! Access to matches, lists and logs: who may see what.

use super::*;

#[tokio::test]
async fn a_private_match_is_not_there_for_strangers() {
    let world = World::new();
    let (id, players) = world.started(NewMatch { visibility: Some(Visibility::Private), ..contiguity() }).await;
    let invite = world.read(&players[0], &id).await.live.stored.terms.invite.clone().unwrap();
    let stranger = world.person("Cora");
    let missing = MatchId::generate(&world.ambient);
    for id in [&id, &missing] {
        refused!(world.matches.read(&Reader::default(), id).await, Refused::Read(ReadRefused::MatchNotFound));
        let wrong = Reader { invite: Some("nonsense".to_owned()), ..by(&stranger) };
        refused!(world.matches.read(&wrong, id).await, Refused::Read(ReadRefused::WrongInvite));
        let mv = world.play(&stranger, id, None, "29b-5b", None).await;
        refused!(mv, Refused::Read(ReadRefused::MatchNotFound));
    }
    let invited = Reader { invite: Some(invite), ..Reader::default() };
    let viewed = world.matches.read(&invited, &id).await.unwrap();
    assert!(!viewed.insider && viewed.viewer == Viewer::Spectator);
}

#[tokio::test]
async fn lists_show_what_each_caller_may_see_and_page() {
    let world = World::new();
    let (public, players) = world.started(contiguity()).await;
    let private = NewMatch { visibility: Some(Visibility::Private), ..contiguity() };
    let private =
        world.matches.create(players[0].clone(), Ok(private), None).await.unwrap().viewed.live.stored.id.clone();
    let open =
        world.matches.create(players[1].clone(), Ok(contiguity()), None).await.unwrap().viewed.live.stored.id.clone();
    let filter = MatchFilter::default();
    let list = async |filter: MatchFilter| {
        let page =
            world.matches.list(&Reader { player: filter.player.clone(), ..Reader::default() }, &filter).await.unwrap();
        page.items.iter().map(|viewed| viewed.live.stored.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(BTreeSet::from_iter(list(filter.clone()).await), BTreeSet::from([public.clone(), open.clone()]));
    assert_eq!(list(MatchFilter { stage: Some(Stage::Open), ..filter.clone() }).await, [open]);
    assert_eq!(list(MatchFilter { game: Some("other".to_owned()), ..filter.clone() }).await, []);
    let mine = MatchFilter { player: Some(players[0].id.clone()), ..filter.clone() };
    assert_eq!(BTreeSet::from_iter(list(mine).await), BTreeSet::from([public.clone(), private]));
    // Of another's matches a reader is shown those that the reader may see, and no cursor names another.
    let theirs = MatchFilter { player: Some(players[0].id.clone()), limit: 1, ..filter.clone() };
    for reader in [Reader::default(), Reader::player(players[1].id.clone())] {
        let page = world.matches.list(&reader, &theirs).await.unwrap();
        let shown: Vec<_> = page.items.iter().map(|viewed| viewed.live.stored.id.clone()).collect();
        assert_eq!((&shown[..], &page.next), (&[public.clone()][..], &Some(public.clone())));
    }
    let (player, ..) = world.turn(&public, &players).await;
    for person in &players {
        let turn = MatchFilter { player: Some(person.id.clone()), my_turn: true, ..filter.clone() };
        let expected = if *person == player { vec![public.clone()] } else { vec![] };
        assert_eq!(list(turn).await, expected);
    }
    let first = world.matches.list(&Reader::default(), &MatchFilter { limit: 1, ..filter.clone() }).await.unwrap();
    let rest = list(MatchFilter { before: first.next.clone(), ..filter }).await;
    assert_eq!((first.items.len(), rest.len()), (1, 1));
}

#[tokio::test]
async fn the_event_log_pages_without_gaps_or_repeats() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    world.play_on(&id, &players, 100).await;
    let reader = Reader::default();
    let whole = world.matches.events(&reader, &id, None, 1000).await.unwrap();
    assert!(whole.ended && !whole.more);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = world.matches.events(&reader, &id, after, 3).await.unwrap();
        after = page.next;
        paged.extend(texts(&page.items));
        if !page.more {
            break;
        }
    }
    assert_eq!(paged, texts(&whole.items));
    assert_eq!(kinds(&whole.items).last().unwrap(), "match_ended");
}

#[tokio::test]
async fn my_events_tell_of_all_my_matches_and_of_my_turn() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (first, decision, moves) = world.turn(&id, &players).await;
    world.play(&first, &id, Some(decision), &moves[0], None).await.unwrap();
    let (second, ..) = world.turn(&id, &players).await;
    let page = world.matches.my_events(&second.id, NoticeCursor::default(), 100).await.unwrap();
    let last = page.items.last().unwrap();
    assert!(last.your_turn && last.match_id == id && last.version == 3 && !page.more);
    assert!(kinds(&last.events).contains(&"move_made".to_owned()));
    let page = world.matches.my_events(&first.id, NoticeCursor::default(), 100).await.unwrap();
    assert!(!page.items.last().unwrap().your_turn);
    assert!(world.matches.my_events(&first.id, page.next, 100).await.unwrap().items.is_empty());
    let numbers: Vec<u64> = page.items.iter().map(|event| event.number).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
}

#[tokio::test]
async fn an_earlier_version_is_shown_whole_only_after_the_end() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    let reader = Reader::default();
    let present = world.matches.read(&reader, &id).await.unwrap();
    refused!(world.matches.history(&reader, present, 1, true).await, Refused::Read(ReadRefused::FullTooEarly));
    world.play_on(&id, &players, 100).await;
    let present = world.matches.read(&reader, &id).await.unwrap();
    let then = world.matches.history(&reader, present, 2, true).await.unwrap();
    assert_eq!((then.viewer, then.live.stored.version), (Viewer::Omniscient, 2));
}
