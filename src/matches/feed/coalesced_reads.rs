//! Coalesced reads: the watchers of a match share one look at its present version and its newest steps. Of each look,
//! the viewers of one class share one page and its serialized texts.
//!
//! Invariants:
//! - A watcher that was woken joins no look that began before. Others join one that is at most [`FRESH`] old, which is
//!   their delay where a message is lost. The last look is kept while anybody waits: where nothing has happened, the
//!   next is the same.
//! - A look is of one match at one version and stamp, and its newest step is that very one. A reader whose cursor names
//!   another step, or a step that the look lacks, reads alone.
//! - Access and viewer are computed for each reader, from the match of the look. A page depends on nothing but the
//!   viewer and the viewer's cursor, and both are its key.
//!
//! Deliberately missing: errors. Where a look fails, every watcher reads alone and gets an error of their own.

use std::convert::Infallible;
use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tokio::time::Instant;

use crate::feed::cursor::EventCursor;
use crate::feed::redacted::{self, RedactedEvent};
use crate::model::log::LogEntry;
use crate::table::live_match::LiveMatch;
use sarsen_base::ids::MatchId;
use sarsen_rules::Viewer;
use sarsen_store::StampedVersion;

/// The age up to which others may join a look, where nobody was woken since it began.
const FRESH: Duration = Duration::from_secs(1);

/// The number of newest steps in a look. Usual watchers lack one, and the one before it is read again, since a failover
/// may have replaced it. The rest is for the last of many watchers, who are woken some moves late where moves are
/// quick. These few are kept ready (`recent`).
pub(crate) const STEPS: u64 = 6;

/// The most pages kept of one look: one for each seat of the largest tables, and some for viewers that lag.
const PAGES_MAX: usize = 32;

/// The number of forms in which a page may go out, including those with words beside its events.
pub(crate) const FORMS: usize = 6;

/// A look that may not be done yet. It yields `None` where the store fails, or does not have the match as it was.
pub(crate) type CoalescedLook = Shared<BoxFuture<'static, Option<Arc<Glimpse>>>>;

/// The newest look of those who wait for the same.
#[derive(Default)]
pub(crate) struct CoalescedReads {
    newest: Mutex<Option<(Instant, CoalescedLook)>>,
}

impl CoalescedReads {
    /// Returns the newest look if others may still join it, else begins one. `begin` gets the last result, unless
    /// somebody was woken since.
    pub(crate) fn look<F>(&self, begin: impl FnOnce(Option<Arc<Glimpse>>) -> F) -> CoalescedLook
    where
        F: Future<Output = Option<Arc<Glimpse>>> + Send + 'static,
    {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, look)) = newest.as_ref().filter(|(begun, _)| begun.elapsed() < FRESH) {
            return look.clone();
        }
        let last = newest.as_ref().and_then(|(_, look)| look.peek().cloned().flatten());
        // A task of its own: no other waits for a watcher whose connection is slow, or gone.
        let look = tokio::spawn(begin(last)).map(|seen| seen.ok().flatten()).boxed().shared();
        *newest = Some((Instant::now(), look.clone()));
        look
    }

    /// Forgets the newest look after a change: later readers join no look that began before.
    pub(crate) fn forget(&self) {
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// A memo: values that are computed once for each key.
struct Memo<K, V> {
    kept: Mutex<Vec<Kept<K, V>>>,
}

/// A value that is there, or is being made.
type Kept<K, V> = (K, Arc<OnceLock<V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Memo<K, V> {
        Memo { kept: Mutex::default() }
    }
}

impl<K: PartialEq, V: Clone> Memo<K, V> {
    /// The value of this key, which `make` makes if nobody has done so yet. Nobody waits for another: two who come at the
    /// same moment both make it.
    fn get<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        let Some(place) = self.place(key) else { return make() };
        if let Some(value) = place.get() {
            return Ok(value.clone());
        }
        let value = make()?;
        Ok(place.get_or_init(|| value).clone())
    }

    /// Returns the cell of this key; `None` if too many are kept.
    fn place(&self, key: K) -> Option<Arc<OnceLock<V>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, place)) = kept.iter().find(|(known, _)| *known == key) {
            return Some(Arc::clone(place));
        }
        let place = Arc::default();
        (kept.len() < PAGES_MAX).then(|| {
            kept.push((key, Arc::clone(&place)));
            place
        })
    }
}

/// The key of a view within a match: the viewer, and how much is shown. `extent` is a number that the writers of views
/// assign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ViewKey {
    pub(crate) viewer: Viewer,
    pub(crate) insider: bool,
    pub(crate) extent: u8,
}

/// A match and its newest steps, as they were looked at.
pub(crate) struct Glimpse {
    pub(crate) live: Arc<LiveMatch>,
    /// Its newest steps, without a gap up to its version, with the names that are shown.
    entries: Vec<LogEntry>,
    /// True if all players were shown under the names with which they sat down.
    own_names: bool,
    /// The match that follows, which is no part of this one's version.
    pub(crate) rematch: Option<MatchId>,
    pages: Memo<(Viewer, EventCursor), Option<Arc<SharedPage>>>,
    views: Memo<ViewKey, Arc<[u8]>>,
    /// Views with the events behind a cursor, in a form of this number.
    steps: Memo<(ViewKey, EventCursor, usize), Arc<[u8]>>,
}

/// The page that all viewers of one class get from the same cursor on.
pub struct SharedPage {
    /// The events, in order.
    pub items: Vec<RedactedEvent>,
    /// The cursor to go on from.
    pub next: EventCursor,
    /// True if the match has ended, so that nothing will follow.
    pub ended: bool,
    texts: [OnceLock<Arc<[u8]>>; FORMS],
}

impl Glimpse {
    /// Makes a look of a match and its newest steps; `None` unless these lead to the match without a gap.
    pub(crate) fn of(
        live: Arc<LiveMatch>,
        entries: Vec<LogEntry>,
        own_names: bool,
        rematch: Option<MatchId>,
    ) -> Option<Glimpse> {
        let stored = &live.stored;
        let newest = entries.last()?;
        let same = newest.version == stored.version && newest.stamp == live.stamp;
        let no_gap = entries.windows(2).all(|pair| pair[0].version + 1 == pair[1].version);
        (same && no_gap).then(|| Glimpse {
            live,
            entries,
            own_names,
            rematch,
            pages: Memo::default(),
            views: Memo::default(),
            steps: Memo::default(),
        })
    }

    /// Returns true if a look at the match at `standing` would show the same. `own_names` says that all its players are
    /// now shown under the names with which they sat down.
    pub(crate) fn holds(&self, standing: StampedVersion, own_names: bool) -> bool {
        self.own_names && own_names && self.live.stands_at(standing)
    }

    /// The page for `viewer` behind `after`; `None` where this look cannot tell it.
    pub(crate) fn page(&self, viewer: Viewer, after: EventCursor) -> Option<Arc<SharedPage>> {
        let page = || Ok::<_, Infallible>(self.tell(viewer, after).map(Arc::new));
        self.pages.get((viewer, after), page).unwrap_or_else(|never| match never {})
    }

    /// Returns the bytes to send for what lies behind `after`. The first caller makes the view with `view` and the
    /// bytes with `write`.
    pub(crate) fn step<E>(
        &self,
        key: ViewKey,
        after: EventCursor,
        form: usize,
        view: impl FnOnce() -> Result<Vec<u8>, E>,
        write: impl FnOnce(&[u8]) -> Result<Vec<u8>, E>,
    ) -> Result<Arc<[u8]>, E> {
        self.steps.get((key, after, form), || {
            let view = self.views.get(key, || view().map(Arc::from))?;
            write(&view).map(Arc::from)
        })
    }

    fn tell(&self, viewer: Viewer, after: EventCursor) -> Option<SharedPage> {
        let from = self.entries.iter().position(|entry| entry.version == after.id.version)?;
        // Without a stamp nobody can tell whether it is the step that was told of.
        if after.stamp != Some(self.entries[from].stamp) {
            return None;
        }
        let mut items = Vec::new();
        for entry in &self.entries[from..] {
            let told = redacted::tell(&*self.live.game, entry, viewer).ok()?;
            items.extend(told.into_iter().filter(|event| event.id > after.id));
        }
        let next = items.last().map_or(after, RedactedEvent::cursor);
        Some(SharedPage { items, next, ended: self.live.stored.stage.is_over(), texts: Default::default() })
    }
}

impl SharedPage {
    /// The page in a form of this number (below [`FORMS`]), which `write` makes if nobody has done so yet.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn text<E>(
        &self,
        form: usize,
        write: impl FnOnce(&[RedactedEvent]) -> Result<Vec<u8>, E>,
    ) -> Result<Arc<[u8]>, E> {
        let Some(kept) = self.texts.get(form) else { return write(&self.items).map(Arc::from) };
        if let Some(text) = kept.get() {
            return Ok(Arc::clone(text));
        }
        let text = write(&self.items)?;
        Ok(Arc::clone(kept.get_or_init(|| text.into())))
    }
}
