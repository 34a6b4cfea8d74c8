//! Waiting for something to happen, on whichever instance it happens.
//!
//! Invariants: a wait that began before a commit was published ends; a lost message delays a waiter, never blinds it,
//! because every resynchronisation wakes all and waiters look again by themselves now and then. To miss nothing: watch
//! first, then read, then wait.
//!
//! The notifier subscribes to a topic when its first wait begins, and renews all subscriptions every minute
//! ([`Notifier::subscribe`]). Messages may be missed until the store knows a new topic, so its waiters are woken then.
//! A renewal in time wakes nobody.
//!
//! Many waiters for the same topic are woken in groups, with a pause before each. So the player who moved is answered
//! first, and no worker is busy with nothing but watchers for long.
//!
//! Deliberately missing: any content. A wake-up says "look"; the content comes from the store, though waiters for the
//! same topic may look together ([`super::coalesced_reads`]). Messages about sessions are rare and only passed on, so
//! that a move wakes one task of an instance and not two.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::cache::MatchCache;
use crate::feed::coalesced_reads::CoalescedReads;
use crate::outage_detector::OutageDetector;
pub use sarsen_store::Topic;
use sarsen_store::{Live, Subscriptions};

/// The number of waiters that are woken at once; their work takes a worker some tenths of a millisecond.
const GROUP: usize = 64;
/// The pause before each group, where there are several.
const PAUSE: Duration = Duration::from_millis(1);
/// The interval at which all subscriptions are renewed.
const ASKED_AGAIN: Duration = Duration::from_secs(60);
/// The delay before a failed subscription is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// Wakes waiters of this instance.
#[derive(Default)]
pub struct Notifier {
    topics: Mutex<HashMap<Topic, Waiting>>,
    /// The matches that this instance keeps, which get old when others go on.
    kept: OnceLock<(Arc<MatchCache>, Arc<OutageDetector>)>,
    subscriptions: OnceLock<Arc<dyn Subscriptions>>,
    /// The topics that the store may not know yet; true for those of which messages may have been missed.
    unheard: Mutex<HashMap<Topic, bool>>,
    asked: Notify,
}

/// Those who wait for the same.
#[derive(Default)]
struct Waiting {
    /// In groups of [`GROUP`] at most.
    groups: Vec<watch::Sender<u64>>,
    shared: Arc<CoalescedReads>,
    /// The number of times that further sessions of the player may have begun.
    joined: Arc<AtomicU64>,
}

/// A wait that has begun.
pub struct Watch {
    notifier: Arc<Notifier>,
    topic: Topic,
    changes: Option<watch::Receiver<u64>>,
    shared: Arc<CoalescedReads>,
    joined: Arc<AtomicU64>,
}

impl Notifier {
    /// Tells these kept matches from now on which versions there are, and the detector that the store's connection is lost. A
    /// notifier serves one instance: the first whose parts it is given.
    pub(crate) fn tell(&self, kept: Arc<MatchCache>, detector: Arc<OutageDetector>) {
        self.kept.get_or_init(|| (kept, detector));
    }

    /// Begins to watch.
    pub fn watch(self: &Arc<Notifier>, topic: Topic) -> Watch {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = topics.entry(topic.clone()).or_default();
        let (changes, shared) = (Some(waiting.join()), Arc::clone(&waiting.shared));
        let joined = Arc::clone(&waiting.joined);
        drop(topics);
        if self.subscriptions.get().is_some_and(|subscriptions| !subscriptions.is_subscribed(&topic)) {
            self.unheard.lock().unwrap_or_else(PoisonError::into_inner).insert(topic.clone(), true);
            self.asked.notify_one();
        }
        Watch { notifier: Arc::clone(self), topic, changes, shared, joined }
    }

    /// Asks the store to tell of all that is waited for, from now on and until cancelled. A notifier serves one store: the
    /// first it is given.
    pub async fn subscribe(self: Arc<Notifier>, subscriptions: Arc<dyn Subscriptions>, cancel: CancellationToken) {
        let subscriptions = self.subscriptions.get_or_init(|| subscriptions).clone();
        let mut again = Instant::now();
        loop {
            tokio::select! {
                () = cancel.cancelled() => return,
                () = self.asked.notified() => {}
                () = tokio::time::sleep_until(again) => {
                    // After such a delay the store may have forgotten the subscriptions.
                    let late = again.elapsed() > ASKED_AGAIN;
                    again = Instant::now() + ASKED_AGAIN;
                    self.ask_for_all(late);
                }
            }
            let unheard = std::mem::take(&mut *self.unheard.lock().unwrap_or_else(PoisonError::into_inner));
            let topics: Vec<Topic> =
                unheard.keys().filter(|topic| !subscriptions.is_subscribed(topic)).cloned().collect();
            match subscriptions.subscribe(&topics).await {
                // One that another has brought to the store's knowledge may have been missed just as well.
                Ok(()) => unheard.iter().filter(|(_, missed)| **missed).for_each(|(topic, _)| self.wake(topic)),
                Err(error) => {
                    tracing::debug!(%error, "what is waited for could not be asked for");
                    self.put_back(unheard);
                    self.asked.notify_one();
                    sleep(RETRY).await;
                }
            }
        }
    }

    /// Has everything asked for again that is waited for.
    fn ask_for_all(&self, missed: bool) {
        let all: Vec<Topic> = self.topics.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect();
        self.put_back(all.into_iter().map(|topic| (topic, missed)).collect());
        self.asked.notify_one();
    }

    /// Notes topics to subscribe to, except those that nobody waits for any more.
    fn put_back(&self, unheard: HashMap<Topic, bool>) {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let mut noted = self.unheard.lock().unwrap_or_else(PoisonError::into_inner);
        for (topic, missed) in unheard.into_iter().filter(|(topic, _)| topics.contains_key(topic)) {
            *noted.entry(topic).or_default() |= missed;
        }
    }

    /// Passes on what the store tells, until cancelled: to those who wait, and to `sessions` what is said of
    /// revocations, statuses, listeners and streams, [`Live::Resync`] included.
    pub async fn run(
        self: Arc<Notifier>,
        mut live: broadcast::Receiver<Live>,
        sessions: broadcast::Sender<Live>,
        cancel: CancellationToken,
    ) {
        // Nobody listens for sessions: nobody misses it.
        let pass_on = |message| drop(sessions.send(message));
        loop {
            let message = tokio::select! {
                () = cancel.cancelled() => return,
                message = live.recv() => message,
            };
            match message {
                Ok(Live::Match(id, version)) => {
                    if let Some((kept, _)) = self.kept.get() {
                        kept.overtaken(&id, version);
                    }
                    self.wake(&Topic::Match(id));
                }
                Ok(Live::Inbox(player)) => self.wake(&Topic::Inbox(player)),
                Ok(Live::Joined(player)) => self.joined(&Topic::Inbox(player)),
                Ok(message @ (Live::Revoked(..) | Live::Marked(..) | Live::Listener(_) | Live::Streams(_))) => {
                    pass_on(message);
                }
                Ok(Live::Interrupted) => self.kept.get().into_iter().for_each(|(_, detector)| detector.fail()),
                Ok(Live::Resync) | Err(RecvError::Lagged(_)) => {
                    self.ask_for_all(true);
                    self.all_may_have_joined();
                    self.wake_all();
                    pass_on(Live::Resync);
                }
                Err(RecvError::Closed) => return,
            }
        }
    }

    fn wake(self: &Arc<Notifier>, topic: &Topic) {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiting) = topics.get(topic) {
            self.call(topic, waiting);
        }
    }

    /// Wakes those who wait for a player of whom a further session has begun.
    fn joined(self: &Arc<Notifier>, topic: &Topic) {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiting) = topics.get(topic) {
            waiting.joined.fetch_add(1, Ordering::Relaxed);
            self.call(topic, waiting);
        }
    }

    fn all_may_have_joined(&self) {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        for waiting in topics.values() {
            waiting.joined.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn wake_all(self: &Arc<Notifier>) {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        for (topic, waiting) in topics.iter() {
            self.call(topic, waiting);
        }
    }

    fn call(self: &Arc<Notifier>, topic: &Topic, waiting: &Waiting) {
        waiting.shared.forget();
        let mut groups = waiting.groups.iter().filter(|group| group.receiver_count() > 0);
        match (groups.next(), groups.next()) {
            (Some(group), None) => wake_group(group),
            (Some(_), Some(_)) => drop(tokio::spawn(Arc::clone(self).call_in_turn(topic.clone()))),
            (None, _) => {}
        }
    }

    /// Wakes all groups that there are at their turn. A later waiter needs no waking: it has yet to look.
    async fn call_in_turn(self: Arc<Notifier>, topic: Topic) {
        for number in 0.. {
            let Some(waiting) = self.with_group(&topic, number, watch::Sender::receiver_count) else { return };
            if waiting > 0 {
                tokio::time::sleep(PAUSE).await;
                self.with_group(&topic, number, wake_group);
            }
        }
    }

    fn with_group<T>(&self, topic: &Topic, number: usize, then: impl FnOnce(&watch::Sender<u64>) -> T) -> Option<T> {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        topics.get(topic).and_then(|waiting| waiting.groups.get(number)).map(then)
    }
}

fn wake_group(group: &watch::Sender<u64>) {
    group.send_modify(|count| *count += 1);
}

impl Waiting {
    /// A place in a group that has one left.
    fn join(&mut self) -> watch::Receiver<u64> {
        if let Some(group) = self.groups.iter().find(|group| group.receiver_count() < GROUP) {
            return group.subscribe();
        }
        let (group, place) = watch::channel(0);
        self.groups.push(group);
        place
    }

    fn is_over(&self) -> bool {
        self.groups.iter().all(|group| group.receiver_count() == 0)
    }
}

impl Watch {
    /// Waits until something may have happened since the watch began or was last waited for, `longest` at most.
    /// Answers whether something may have.
    pub async fn changed(&mut self, longest: Duration) -> bool {
        match &mut self.changes {
            Some(changes) => tokio::time::timeout(longest, changes.changed()).await.is_ok(),
            None => false,
        }
    }

    /// A number that is another once further sessions of the player may have begun.
    pub fn joined(&self) -> u64 {
        self.joined.load(Ordering::Relaxed)
    }

    /// The reads that waiters for the same topic share.
    pub(crate) fn shared(&self) -> &CoalescedReads {
        &self.shared
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.changes = None;
        let mut topics = self.notifier.topics.lock().unwrap_or_else(PoisonError::into_inner);
        if topics.get(&self.topic).is_some_and(Waiting::is_over) {
            topics.remove(&self.topic);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use sarsen_base::ambient::Ambient;
    use sarsen_base::ids::{MatchId, PlayerId};

    #[tokio::test]
    async fn a_watcher_is_woken_by_its_topic_and_leaves_nothing_behind() {
        let notifier = Arc::new(Notifier::default());
        let ambient = Ambient::fixed(0, 1);
        let (mine, other) = (MatchId::generate(&ambient), MatchId::generate(&ambient));
        let mut watch = notifier.watch(Topic::Match(mine.clone()));
        notifier.wake(&Topic::Match(other));
        assert!(!watch.changes.as_ref().unwrap().has_changed().unwrap());
        notifier.wake(&Topic::Match(mine));
        assert!(watch.changed(Duration::from_secs(60)).await);
        notifier.wake_all();
        assert!(watch.changed(Duration::from_secs(60)).await);
        drop(watch);
        assert!(notifier.topics.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_crowd_is_woken_group_by_group() {
        let notifier = Arc::new(Notifier::default());
        let topic = Topic::Match(MatchId::from_number(1));
        let mut crowd: Vec<Watch> = (0..3 * GROUP).map(|_| notifier.watch(topic.clone())).collect();
        let woken = |crowd: &[Watch]| {
            let groups = crowd.chunks(GROUP);
            let woken = |watch: &Watch| watch.changes.as_ref().unwrap().has_changed().unwrap();
            groups.map(|group| group.iter().filter(|watch| woken(watch)).count()).collect::<Vec<_>>()
        };
        notifier.wake(&topic);
        assert_eq!(woken(&crowd), [0, 0, 0], "whoever made the move comes first");
        assert!(crowd[0].changed(Duration::from_secs(60)).await);
        assert!(crowd[3 * GROUP - 1].changed(Duration::from_secs(60)).await);
        assert_eq!(woken(&crowd), [GROUP - 1, GROUP, GROUP - 1]);
        // A place that has become free is taken again.
        crowd.truncate(2 * GROUP);
        drop(crowd.remove(5));
        crowd.insert(5, notifier.watch(topic.clone()));
        let taken = notifier.topics.lock().unwrap()[&topic]
            .groups
            .iter()
            .map(watch::Sender::receiver_count)
            .collect::<Vec<_>>();
        assert_eq!(taken, [GROUP, GROUP, 0]);
        drop(crowd);
        assert!(notifier.topics.lock().unwrap().is_empty());
    }

    /// A store that has to be asked, and cannot always be.
    #[derive(Default)]
    struct Asked {
        known: Mutex<Vec<Topic>>,
        failures: std::sync::atomic::AtomicU32,
    }

    #[async_trait::async_trait]
    impl Subscriptions for Asked {
        fn is_subscribed(&self, topic: &Topic) -> bool {
            self.known.lock().unwrap().contains(topic)
        }

        async fn subscribe(&self, topics: &[Topic]) -> sarsen_store::Result<()> {
            use std::sync::atomic::Ordering::Relaxed;
            if !topics.is_empty() && self.failures.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok() {
                return Err(sarsen_store::StoreError::Unavailable("not now".into()));
            }
            self.known.lock().unwrap().extend_from_slice(topics);
            Ok(())
        }
    }

    #[tokio::test]
    async fn what_begins_to_be_waited_for_is_asked_for_and_looked_at_once_the_store_knows() {
        let (notifier, ambient, store) =
            (Arc::new(Notifier::default()), Ambient::fixed(0, 1), Arc::new(Asked::default()));
        store.failures.store(2, std::sync::atomic::Ordering::Relaxed);
        let cancel = CancellationToken::new();
        let subscriptions = tokio::spawn(notifier.clone().subscribe(store.clone(), cancel.clone()));
        tokio::task::yield_now().await;
        let topic = Topic::Match(MatchId::generate(&ambient));
        let mut first = notifier.watch(topic.clone());
        assert!(first.changed(Duration::from_secs(10)).await, "something may have been missed until now");
        assert!(store.is_subscribed(&topic), "asked again although the store failed twice");
        let mut second = notifier.watch(topic.clone());
        assert!(!second.changed(Duration::from_millis(50)).await, "nothing was missed");
        cancel.cancel();
        subscriptions.await.unwrap();
    }

    #[tokio::test]
    async fn nobody_is_woken_because_it_is_asked_for_again_in_time() {
        let (notifier, ambient, store) =
            (Arc::new(Notifier::default()), Ambient::fixed(0, 1), Arc::new(Asked::default()));
        let cancel = CancellationToken::new();
        let subscriptions = tokio::spawn(notifier.clone().subscribe(store.clone(), cancel.clone()));
        tokio::task::yield_now().await;
        let topic = Topic::Match(MatchId::generate(&ambient));
        let mut watch = notifier.watch(topic.clone());
        assert!(watch.changed(Duration::from_secs(10)).await);
        store.known.lock().unwrap().clear();
        notifier.ask_for_all(false);
        assert!(!watch.changed(Duration::from_millis(50)).await);
        assert!(store.is_subscribed(&topic));
        // What nobody waits for any more is not asked for.
        drop(watch);
        store.known.lock().unwrap().clear();
        notifier.ask_for_all(false);
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(!store.is_subscribed(&topic));
        cancel.cancel();
        subscriptions.await.unwrap();
    }

    #[tokio::test]
    async fn after_a_resync_all_that_is_waited_for_is_asked_for_again() {
        let (notifier, ambient, store) =
            (Arc::new(Notifier::default()), Ambient::fixed(0, 1), Arc::new(Asked::default()));
        let cancel = CancellationToken::new();
        let (live, receiver) = broadcast::channel(4);
        let running = tokio::spawn(notifier.clone().run(receiver, broadcast::Sender::new(4), cancel.clone()));
        let subscriptions = tokio::spawn(notifier.clone().subscribe(store.clone(), cancel.clone()));
        tokio::task::yield_now().await;
        let topic = Topic::Inbox(PlayerId::generate(&ambient));
        let mut watch = notifier.watch(topic.clone());
        assert!(watch.changed(Duration::from_secs(60)).await);
        store.known.lock().unwrap().clear();
        live.send(Live::Resync).unwrap();
        while !store.is_subscribed(&topic) {
            assert!(watch.changed(Duration::from_secs(60)).await);
        }
        cancel.cancel();
        running.await.unwrap();
        subscriptions.await.unwrap();
    }
}
