//! What the watchers of a match read together: one look at where it stands and at its newest steps, and of that one page
//! for each class of viewer, with the texts in which it goes out.
//!
//! Invariants:
//! - Whoever was woken joins in no look that began before that; others in one that is a moment old at most ([`FRESH`]),
//!   which is how late they may be told where a message is lost. The last look is kept while anybody waits.
//! - A look is of one match at one version and stamp, and its newest step is that very one. Whoever has come to another
//!   step than it names, or to none that it has, looks for themselves.
//! - Who may see the match, and as which viewer, is asked for each reader, of the match as it was looked at. A page
//!   depends on nothing else but the viewer and where that viewer had come to, and both are its key.
//!
//! What it deliberately lacks: errors. Where a look fails everybody looks for themselves, and has an error of their own.

use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tokio::time::Instant;

use super::cursor::EventCursor;
use super::live_match::LiveMatch;
use super::log::LogEntry;
use super::told::{self, ToldEvent};
use crate::rules::Viewer;

/// How long others may join in a look after it has begun, where nobody was woken since.
const FRESH: Duration = Duration::from_secs(1);

/// How many newest steps are looked at: usual watchers have been told of all but one, and the one before it is looked at
/// again, since it may be another by now. More, because of many watchers the last are woken some moves late where moves
/// are quick; these few are kept ready ([`super::recent`]).
pub(super) const STEPS: u64 = 6;

/// How many pages of one look are kept: one for each seat of the largest tables, and some for those who lag.
const PAGES_MAX: usize = 32;

/// In how many forms a page may go out.
pub const FORMS: usize = 2;

/// A look that may not be done yet; it comes to nothing where the store fails, or does not have the match as it was.
pub(super) type Look = Shared<BoxFuture<'static, Option<Arc<Glimpse>>>>;

/// The newest look of those who wait for the same.
#[derive(Default)]
pub(super) struct SharedReads {
    newest: Mutex<Option<(Instant, Look)>>,
}

impl SharedReads {
    /// The newest look if it may still be joined in, else one that begins now.
    pub(super) fn look<F>(&self, begin: impl FnOnce() -> F) -> Look
    where
        F: Future<Output = Option<Glimpse>> + Send + 'static,
    {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, look)) = newest.as_ref().filter(|(begun, _)| begun.elapsed() < FRESH) {
            return look.clone();
        }
        // A task of its own: no other waits for a watcher whose connection is slow, or gone.
        let looking = tokio::spawn(begin());
        let look = looking.map(|seen| seen.ok().flatten().map(Arc::new)).boxed().shared();
        *newest = Some((Instant::now(), look.clone()));
        look
    }

    /// Something has happened: whoever looks from now on joins in no look that has begun before.
    pub(super) fn forget(&self) {
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// What is written once for all who are to be sent the same: texts by what they depend on.
struct Texts<K> {
    kept: Mutex<Vec<(K, Arc<[u8]>)>>,
}

impl<K> Default for Texts<K> {
    fn default() -> Texts<K> {
        Texts { kept: Mutex::default() }
    }
}

impl<K: PartialEq> Texts<K> {
    /// The text of this key, which `write` makes if nobody has done so yet. Whoever makes it has the others wait, who want
    /// the same.
    fn get<E>(&self, key: K, write: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Arc<[u8]>, E> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, text)) = kept.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(text));
        }
        let text: Arc<[u8]> = write()?.into();
        if kept.len() < PAGES_MAX {
            kept.push((key, Arc::clone(&text)));
        }
        Ok(text)
    }
}

/// What the view of a match depends on, beside the match: who looks, and how much is shown, as a number that whoever
/// writes views gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ViewKey {
    pub(super) viewer: Viewer,
    pub(super) insider: bool,
    pub(super) extent: u8,
}

/// A match and its newest steps, as they were looked at.
pub(super) struct Glimpse {
    /// The match.
    pub(super) live: Arc<LiveMatch>,
    /// Its newest steps, without a gap up to its version, with the names that are shown.
    entries: Vec<LogEntry>,
    pages: Mutex<Vec<(Viewer, EventCursor, Arc<SharedPage>)>>,
    views: Texts<ViewKey>,
    /// Views with the events behind a cursor, in a form of this number.
    steps: Texts<(ViewKey, EventCursor, usize)>,
}

/// What every viewer of one class is told who had come to the same event.
pub struct SharedPage {
    /// The events, in order.
    pub items: Vec<ToldEvent>,
    /// Where to go on.
    pub next: EventCursor,
    /// Whether the match has ended, so that nothing will follow.
    pub ended: bool,
    texts: [OnceLock<Arc<[u8]>>; FORMS],
}

impl Glimpse {
    /// What was looked at, if the newest of the steps are those that have led to the match.
    pub(super) fn of(live: Arc<LiveMatch>, entries: Vec<LogEntry>) -> Option<Glimpse> {
        let stored = &live.stored;
        let newest = entries.last()?;
        let same = newest.version == stored.version && newest.stamp.is_some() && newest.stamp == live.stamp;
        let no_gap = entries.windows(2).all(|pair| pair[0].version + 1 == pair[1].version);
        (same && no_gap).then(|| Glimpse {
            live,
            entries,
            pages: Mutex::default(),
            views: Texts::default(),
            steps: Texts::default(),
        })
    }

    /// What `viewer` is told who has come to `after`; `None` where that cannot be said from here.
    pub(super) fn page(&self, viewer: Viewer, after: EventCursor) -> Option<Arc<SharedPage>> {
        // Whoever makes a page has the others wait, who want the same.
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, page)) = pages.iter().find(|(who, from, _)| (*who, *from) == (viewer, after)) {
            return Some(Arc::clone(page));
        }
        let page = Arc::new(self.tell(viewer, after)?);
        if pages.len() < PAGES_MAX {
            pages.push((viewer, after, Arc::clone(&page)));
        }
        Some(page)
    }

    /// What is sent of what lies behind `after`, which `write` makes of a view that `view` makes, each if nobody has done so
    /// yet.
    pub(super) fn step<E>(
        &self,
        key: ViewKey,
        after: EventCursor,
        form: usize,
        view: impl FnOnce() -> Result<Vec<u8>, E>,
        write: impl FnOnce(&[u8]) -> Result<Vec<u8>, E>,
    ) -> Result<Arc<[u8]>, E> {
        self.steps.get((key, after, form), || write(&self.views.get(key, view)?))
    }

    fn tell(&self, viewer: Viewer, after: EventCursor) -> Option<SharedPage> {
        let from = self.entries.iter().position(|entry| entry.version == after.id.version)?;
        // Without a stamp nobody can tell whether it is the step that was told of.
        if after.stamp.is_none() || after.stamp != self.entries[from].stamp {
            return None;
        }
        let mut items = Vec::new();
        for entry in &self.entries[from..] {
            let told = told::tell(&*self.live.game, entry, viewer).ok()?;
            items.extend(told.into_iter().filter(|event| event.id > after.id));
        }
        let next = items.last().map_or(after, ToldEvent::cursor);
        Some(SharedPage { items, next, ended: self.live.stored.stage.is_over(), texts: Default::default() })
    }
}

impl SharedPage {
    /// The page in a form of this number (below [`FORMS`]), which `write` makes if nobody has done so yet.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn text<E>(&self, form: usize, write: impl FnOnce(&[ToldEvent]) -> Result<Vec<u8>, E>) -> Result<Arc<[u8]>, E> {
        let Some(kept) = self.texts.get(form) else { return write(&self.items).map(Arc::from) };
        if let Some(text) = kept.get() {
            return Ok(Arc::clone(text));
        }
        let text = write(&self.items)?;
        Ok(Arc::clone(kept.get_or_init(|| text.into())))
    }
}
