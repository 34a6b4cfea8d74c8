//! What the watchers of a match read together: one look at where it stands and at its newest steps, and of that one page
//! for each class of viewer, with the texts in which it goes out.
//!
//! Invariants:
//! - Whoever was woken joins in no look that began before that; others in one that is a moment old at most ([`FRESH`]),
//!   which is how late they may be told where a message is lost. The last look is kept while anybody waits: where nothing
//!   has happened, the next is the same.
//! - A look is of one match at one version and stamp, and its newest step is that very one. Whoever has come to another
//!   step than it names, or to none that it has, looks for themselves.
//! - Who may see the match, and as which viewer, is asked for each reader, of the match as it was looked at. A page
//!   depends on nothing else but the viewer and where that viewer had come to, and both are its key.
//!
//! What it deliberately lacks: errors. Where a look fails everybody looks for themselves, and has an error of their own.

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

/// How long others may join in a look after it has begun, where nobody was woken since.
const FRESH: Duration = Duration::from_secs(1);

/// How many newest steps are looked at: usual watchers have been told of all but one, and the one before it is looked at
/// again, since it may be another by now. More, because of many watchers the last are woken some moves late where moves
/// are quick; these few are kept ready (`recent`).
pub(crate) const STEPS: u64 = 6;

/// How many pages of one look are kept: one for each seat of the largest tables, and some for those who lag.
const PAGES_MAX: usize = 32;

/// In how many forms a page may go out, those with words beside its events counted too.
pub(crate) const FORMS: usize = 6;

/// A look that may not be done yet; it comes to nothing where the store fails, or does not have the match as it was.
pub(crate) type CoalescedLook = Shared<BoxFuture<'static, Option<Arc<Glimpse>>>>;

/// The newest look of those who wait for the same.
#[derive(Default)]
pub(crate) struct CoalescedReads {
    newest: Mutex<Option<(Instant, CoalescedLook)>>,
}

impl CoalescedReads {
    /// The newest look if it may still be joined in, else one that begins now, given what was seen last if nobody was
    /// woken since.
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

    /// Something has happened: whoever looks from now on joins in no look that has begun before.
    pub(crate) fn forget(&self) {
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// What is made once for all who want the same: values by what they depend on.
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

    /// Where the value of this key belongs; `None` if too many are kept.
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

/// What the view of a match depends on, beside the match: who looks, and how much is shown, as a number that whoever
/// writes views gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ViewKey {
    pub(crate) viewer: Viewer,
    pub(crate) insider: bool,
    pub(crate) extent: u8,
}

/// A match and its newest steps, as they were looked at.
pub(crate) struct Glimpse {
    /// The match.
    pub(crate) live: Arc<LiveMatch>,
    /// Its newest steps, without a gap up to its version, with the names that are shown.
    entries: Vec<LogEntry>,
    /// Whether all players were shown under the names that they sat down with.
    own_names: bool,
    /// The match that follows, which is no part of this one's version.
    pub(crate) rematch: Option<MatchId>,
    pages: Memo<(Viewer, EventCursor), Option<Arc<SharedPage>>>,
    views: Memo<ViewKey, Arc<[u8]>>,
    /// Views with the events behind a cursor, in a form of this number.
    steps: Memo<(ViewKey, EventCursor, usize), Arc<[u8]>>,
}

/// What every viewer of one class is told who had come to the same event.
pub struct SharedPage {
    /// The events, in order.
    pub items: Vec<RedactedEvent>,
    /// Where to go on.
    pub next: EventCursor,
    /// Whether the match has ended, so that nothing will follow.
    pub ended: bool,
    texts: [OnceLock<Arc<[u8]>>; FORMS],
}

impl Glimpse {
    /// What was looked at, if the newest of the steps are those that have led to the match.
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

    /// Whether a match that now stands there, of players who are all shown under their own names if `own_names`, would be
    /// looked at in vain: one would see the same.
    pub(crate) fn holds(&self, standing: StampedVersion, own_names: bool) -> bool {
        self.own_names && own_names && self.live.stands_at(standing)
    }

    /// What `viewer` is told who has come to `after`; `None` where that cannot be said from here.
    pub(crate) fn page(&self, viewer: Viewer, after: EventCursor) -> Option<Arc<SharedPage>> {
        let page = || Ok::<_, Infallible>(self.tell(viewer, after).map(Arc::new));
        self.pages.get((viewer, after), page).unwrap_or_else(|never| match never {})
    }

    /// What is sent of what lies behind `after`, which `write` makes of a view that `view` makes, each if nobody has done so
    /// yet.
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
