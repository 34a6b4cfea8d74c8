//! Watching a match together: one look for all, and each told what they are told alone.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::one_trip::Counting;
use super::relay::Relay;
use super::*;
use crate::feed::coalesced_reads::SharedPage;
use crate::feed::notifier::{Topic, Watch};
use sarsen_store::{Live, Stamp};

const SOON: Duration = Duration::from_secs(20);
/// By then nobody joins in a look any more.
const NO_LONGER_FRESH: Duration = Duration::from_millis(1100);

/// A match, and an instance on which it is watched.
struct Gallery {
    world: World,
    id: MatchId,
    counting: Arc<Relay<Counting>>,
    here: Matches,
    tell: broadcast::Sender<Live>,
    stop: CancellationToken,
}

impl Gallery {
    fn of(world: World, id: MatchId) -> Gallery {
        let counting = Counting::of(&world);
        let notifier = Arc::new(Notifier::default());
        let here = instance(counting.clone(), standard(), &world.ambient, notifier.clone());
        let ((tell, told), stop) = (broadcast::channel(64), CancellationToken::new());
        tokio::spawn(notifier.run(told, broadcast::channel(4).0, stop.clone()));
        Gallery { world, id, counting, here, tell, stop }
    }

    fn watches(&self, count: usize) -> Vec<Watch> {
        (0..count).map(|_| self.here.watch(Topic::Match(self.id.clone()))).collect()
    }

    /// Returns the cursor of a reader who has been told everything.
    async fn cursor(&self, reader: &Reader) -> EventCursor {
        self.here.events(reader, &self.id, None, 1000).await.unwrap().next.unwrap()
    }

    /// Tells this instance of the present version, and waits until all watchers are woken.
    async fn wake(&self, watches: &mut [Watch]) {
        let version = self.world.store.standing(&self.id).await.unwrap().unwrap().version;
        self.tell.send(Live::Match(self.id.clone(), version)).unwrap();
        let woken = join_all(watches.iter_mut().map(|watch| watch.changed(SOON))).await;
        assert!(woken.iter().all(|woken| *woken));
    }

    /// The events behind `after` as the reader is told them together with all who watch.
    async fn page(&self, watch: &Watch, reader: &Reader, after: EventCursor) -> Option<Arc<SharedPage>> {
        self.here.look_together(watch, reader, &self.id).await?.page(after)
    }

    /// Checks that the page told together is the page told alone, or that there is none. Returns the reader's next
    /// cursor.
    async fn together(&self, watch: &Watch, reader: &Reader, after: EventCursor) -> Option<EventCursor> {
        let page = self.page(watch, reader, after).await?;
        let alone = self.here.events(reader, &self.id, Some(after), 1000).await.unwrap();
        assert_eq!((texts(&page.items), Some(page.next)), (texts(&alone.items), alone.next));
        assert_eq!((page.ended, false), (alone.ended, alone.more));
        Some(page.next)
    }
}

impl Drop for Gallery {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

#[tokio::test]
async fn a_thousand_watchers_look_once_a_move() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let gallery = Gallery::of(world, id);
    let (nobody, id) = (Reader::default(), &gallery.id);
    let mut watches = gallery.watches(1000);
    let mut after = gallery.cursor(&nobody).await;
    for moved in 0..3 {
        let (player, decision, moves) = gallery.world.turn(id, &players).await;
        gallery.world.play(&player, id, Some(decision), &moves[0], None).await.unwrap();
        gallery.wake(&mut watches).await;
        gallery.counting.trips();
        gallery.counting.logs();
        let looks = watches.iter().map(|watch| gallery.page(watch, &nobody, after));
        let pages: Vec<_> = join_all(looks).await.into_iter().map(Option::unwrap).collect();
        assert_eq!((gallery.counting.trips(), gallery.counting.logs()), ([1, 0, 0], 1), "{moved}");
        assert!(pages.iter().all(|page| Arc::ptr_eq(page, &pages[0])));
        assert_eq!(kinds(&pages[0].items)[0], "move_made");
        let write = |text: &'static str| move |_: &[RedactedEvent]| Ok::<_, ()>(text.into());
        assert_eq!(&*pages[0].text(0, write("one")).unwrap(), b"one");
        assert_eq!(&*pages[1].text(1, write("other")).unwrap(), b"other");
        assert_eq!(&*pages[2].text(0, write("again")).unwrap(), b"one", "it is written once");
        after = pages[0].next;
    }
    drop(watches);
    let watch = gallery.here.watch(Topic::Match(id.clone()));
    gallery.page(&watch, &nobody, after).await.unwrap();
    assert_eq!(gallery.counting.logs(), 1, "nothing is left of those who have gone");
}

#[tokio::test]
async fn a_thousand_watchers_share_one_made_view_for_each_class() {
    let world = World::new();
    let new = NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let (id, players) = world.started(new).await;
    let gallery = Gallery::of(world, id);
    let id = &gallery.id;
    let strangers = (0..998).map(|_| Reader::default());
    let readers: Vec<Reader> = [by(&players[0]), by(&players[1])].into_iter().chain(strangers).collect();
    let mut watches = gallery.watches(readers.len());
    let mut cursors = Vec::new();
    for reader in &readers {
        cursors.push(gallery.cursor(reader).await);
    }
    assert_eq!(gallery.world.play_on(id, &players, 1).await, 1);
    gallery.wake(&mut watches).await;
    let (views, records) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut sent = Vec::new();
    for ((reader, watch), after) in readers.iter().zip(&watches).zip(&cursors) {
        let look = gallery.here.look_together(watch, reader, id).await.unwrap();
        let page = look.page(*after).unwrap();
        assert_eq!(look.next(&page).id.version, look.viewed.live.stored.version);
        for form in 0..2 {
            let view = |viewed: &ViewedMatch| {
                views.fetch_add(1, Ordering::SeqCst);
                Ok::<_, ()>(viewed.live.view(viewed.viewer).unwrap().unwrap().get().as_bytes().to_vec())
            };
            let write = |view: &[u8]| {
                records.fetch_add(1, Ordering::SeqCst);
                Ok([view, form.to_string().as_bytes()].concat())
            };
            let text = look.step(0, *after, form, view, write).unwrap();
            let alone = gallery.here.read(reader, id).await.unwrap();
            let own = alone.live.view(alone.viewer).unwrap().unwrap();
            assert_eq!(*text, [own.get().as_bytes(), form.to_string().as_bytes()].concat());
            sent.push(text);
        }
    }
    assert_eq!((views.into_inner(), records.into_inner()), (3, 6), "two seats and all others, in two forms");
    assert!(sent[4..].chunks(2).all(|texts| Arc::ptr_eq(&texts[0], &sent[4]) && Arc::ptr_eq(&texts[1], &sent[5])));
}

#[tokio::test]
async fn where_nothing_has_happened_the_next_look_is_the_same() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let gallery = Gallery::of(world, id);
    let (nobody, id) = (Reader::default(), &gallery.id);
    let watch = gallery.here.watch(Topic::Match(id.clone()));
    let look = async || gallery.here.look_together(&watch, &nobody, id).await.unwrap().viewed.live;
    let first = look().await;
    gallery.counting.trips();
    gallery.counting.logs();
    tokio::time::sleep(NO_LONGER_FRESH).await;
    assert!(Arc::ptr_eq(&look().await, &first));
    assert_eq!((gallery.counting.trips(), gallery.counting.logs()), ([0, 1, 0], 0), "only where it stands is asked");
    let (player, decision, moves) = gallery.world.turn(id, &players).await;
    gallery.world.play(&player, id, Some(decision), &moves[0], None).await.unwrap();
    tokio::time::sleep(NO_LONGER_FRESH).await;
    assert_eq!(look().await.stored.version, first.stored.version + 1, "nobody has told of it");
}

#[tokio::test]
async fn a_lost_message_delays_watchers_and_does_not_blind_them() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let gallery = Gallery::of(world, id);
    let (nobody, id) = (Reader::default(), &gallery.id);
    let watches = gallery.watches(2);
    let after = gallery.cursor(&nobody).await;
    assert_eq!(gallery.together(&watches[0], &nobody, after).await, Some(after));
    assert_eq!(gallery.world.play_on(id, &players, 1).await, 1);
    // Nobody is told of it, but some time goes by.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let now = gallery.together(&watches[1], &nobody, after).await.unwrap();
    assert_eq!(now.id.version, after.id.version + 1);
}

#[tokio::test]
async fn every_viewer_is_told_together_what_it_is_told_alone() {
    let world = World::new();
    let new = NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let (id, players) = world.started(new).await;
    let gallery = Gallery::of(world, id);
    let id = &gallery.id;
    let readers = [by(&players[0]), by(&players[1]), by(&gallery.world.person("Cora")), Reader::default()];
    let mut watches = gallery.watches(readers.len());
    let mut cursors = Vec::new();
    for reader in &readers {
        cursors.push(gallery.cursor(reader).await);
    }
    let mut own = [false; 2];
    loop {
        if gallery.world.play_on(id, &players, 1).await == 0 {
            break;
        }
        gallery.wake(&mut watches).await;
        let mut told = Vec::new();
        for ((reader, watch), after) in readers.iter().zip(&watches).zip(&mut cursors) {
            let page = gallery.page(watch, reader, *after).await.unwrap();
            told.push(texts(&page.items));
            *after = gallery.together(watch, reader, *after).await.unwrap();
        }
        assert_eq!(told[2], told[3], "who has no seat is told the same, signed in or not");
        own = [own[0] | (told[0] != told[3]), own[1] | (told[1] != told[3])];
    }
    assert_eq!(own, [true; 2], "each seat is told what others are not");
    let page = gallery.page(&watches[3], &readers[3], cursors[3]).await.unwrap();
    assert!(page.ended && page.items.is_empty());
}

#[tokio::test]
async fn who_may_see_it_is_asked_again_at_each_look() {
    for visibility in [Visibility::Public, Visibility::Private] {
        let world = World::new();
        let new = NewMatch { visibility: Some(visibility), start: StartMode::Manual, ..contiguity() };
        let (id, [ann, ben]) = world.started(new).await;
        let gallery = Gallery::of(world, id);
        let invite = gallery.world.read(&ann, &gallery.id).await.live.stored.terms.invite.clone();
        let invited = Reader { invite, ..Reader::default() };
        let after = gallery.cursor(&by(&ann)).await;
        let mut watches = gallery.watches(1);
        gallery.world.matches.leave(&by(&ben), &gallery.id, None).await.unwrap();
        gallery.wake(&mut watches).await;
        for reader in [by(&ann), invited] {
            assert!(gallery.together(&watches[0], &reader, after).await.is_some());
        }
        let wrong = Reader { invite: Some("wrong".to_owned()), ..Reader::default() };
        for reader in [by(&ben), Reader::default(), wrong] {
            let told = gallery.together(&watches[0], &reader, after).await;
            assert_eq!(told.is_some(), visibility == Visibility::Public);
        }
    }
}

#[tokio::test]
async fn who_has_come_elsewhere_looks_alone() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let gallery = Gallery::of(world, id);
    let nobody = Reader::default();
    let first = gallery.here.events(&nobody, &gallery.id, None, 1).await.unwrap().next.unwrap();
    assert_eq!(gallery.world.play_on(&gallery.id, &players, 7).await, 7);
    let watches = gallery.watches(1);
    let here = gallery.cursor(&nobody).await;
    let undone = EventCursor { stamp: Some(Stamp::from_number(7)), ..here };
    let unknown = EventCursor { stamp: None, ..here };
    let beyond = EventCursor { id: crate::feed::redacted::EventId { version: 99, index: 0 }, ..here };
    for after in [first, undone, unknown, beyond] {
        assert_eq!(gallery.together(&watches[0], &nobody, after).await, None, "{after}");
    }
    assert_eq!(gallery.together(&watches[0], &nobody, here).await, Some(here));
    // A match that is gone is told of to nobody.
    gallery.world.matches.delete(&gallery.id).await.unwrap();
    let mut watches = gallery.watches(1);
    gallery.tell.send(Live::Match(gallery.id.clone(), 99)).unwrap();
    assert!(watches[0].changed(SOON).await);
    assert_eq!(gallery.together(&watches[0], &nobody, here).await, None);
}

#[tokio::test]
async fn who_has_read_a_version_is_never_shown_an_older_one_by_others() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let gallery = Gallery::of(world, id);
    let (nobody, id) = (Reader::default(), &gallery.id);
    let watches = gallery.watches(2);
    let version = |viewed: &ViewedMatch| viewed.live.stored.version;
    let before = version(&gallery.here.look_together(&watches[0], &nobody, id).await.unwrap().viewed);
    // A move is made, of which no message comes; then somebody reads, and joins in the look that is still fresh.
    assert_eq!(gallery.world.play_on(id, &players, 1).await, 1);
    let seen = gallery.here.read(&nobody, id).await.unwrap();
    assert_eq!(version(&seen), before + 1);
    let joined = gallery.here.look_together(&watches[1], &nobody, id).await.unwrap().viewed;
    assert_eq!(version(&joined), before, "the order that is tried here");
    let shown = gallery.here.look_on(&watches[1], &nobody, id, &seen).await.unwrap();
    assert_eq!((version(&shown), shown.live.stamp), (before + 1, seen.live.stamp));
    // What is as it was read, or newer, is looked at together.
    let older = gallery.here.look_on(&watches[1], &nobody, id, &joined).await.unwrap();
    assert_eq!(version(&older), before);
}
