//! The use cases of matches on one store, and the path that every step takes.
//!
//! The match, the caller's standing, the step of the [`LiveMatch`], one atomic commit. The path first uses the match
//! that this process keeps, which may be old. If that leads to no commit, it loads the match. When another instance was
//! quicker, the whole path starts again on the new version, so a step is never taken on a state that nobody has.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::cache::MatchCache;
use crate::exclusive::call_off_job;
use crate::feed::notifier::Notifier;
use crate::feed::recent::RecentSteps;
use crate::idempotency::{Answered, Idempotency};
use crate::model::log::{Action, LogEntry};
use crate::model::refused::Refused;
use crate::model::retention::Retention;
use crate::model::unreadable::Unreadable;
use crate::news::MatchNews;
use crate::outage_detector::OutageDetector;
use crate::rated_result::RatingJob;
use crate::room_locks::RoomLocks;
use crate::table::live_match::LiveMatch;
use crate::table::log_codec::written;
use crate::thinkers::Thinkers;
use crate::viewed::{Reader, ViewedMatch};
use sarsen_accounts::notifications::Listeners;
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_base::telemetry::MatchCounts;
use sarsen_games::Games;
use sarsen_rules::Seat;
use sarsen_store::{
    Commit, Committed, DueMatch, Job, JobKind, LoadedMatch, MatchesStore, Replay, ReplayKey, Stage, Stamp, StoreError,
    Work,
};

/// The most attempts at a step when others are quicker. Each time somebody else has made progress.
pub(crate) const ATTEMPTS_MAX: usize = 200;

/// The most due matches that may wait to be looked at soon. The due index leads to those beyond.
const SOON_MAX: usize = 4096;

/// The matches that this instance's own commits make due within moments.
pub struct DueSoon(mpsc::Receiver<DueMatch>);

impl DueSoon {
    /// The next one; `None` once there will be no more.
    pub async fn next(&mut self) -> Option<DueMatch> {
        self.0.recv().await
    }
}

/// The use cases of matches.
#[derive(Clone)]
pub struct Matches {
    pub(super) store: Arc<dyn MatchesStore>,
    pub(super) games: Arc<Games>,
    pub(super) ambient: Ambient,
    pub(super) notifier: Arc<Notifier>,
    pub(super) counts: Arc<MatchCounts>,
    pub(super) cache: Arc<MatchCache>,
    pub(super) recent: Arc<RecentSteps>,
    pub(super) statuses: Arc<KnownStatuses>,
    pub(super) listeners: Arc<Listeners>,
    pub(super) retention: Retention,
    pub(super) soon: mpsc::Sender<DueMatch>,
    pub(super) thinkers: Arc<Thinkers>,
    pub(super) outage_detector: Arc<OutageDetector>,
    pub(super) rooms: Arc<RoomLocks>,
}

/// The parts that [`Matches`] is made of.
pub struct MatchesParts {
    /// The store of the matches and of everything that leads to them.
    pub store: Arc<dyn MatchesStore>,
    /// The games on offer.
    pub games: Arc<Games>,
    /// The clock that all instances share, and entropy.
    pub ambient: Ambient,
    /// The notifier of the followers. [`Notifier::run`] must feed it.
    pub notifier: Arc<Notifier>,
    /// The metrics of matches.
    pub counts: Arc<MatchCounts>,
    /// The statuses of players, with the names that others are shown.
    pub statuses: Arc<KnownStatuses>,
    /// The players and operators who listen to news of matches.
    pub listeners: Arc<Listeners>,
    /// The time for which matches are kept, and the most that a player may have waiting.
    pub retention: Retention,
    /// The bots and their threads.
    pub thinkers: Arc<Thinkers>,
}

/// The jobs of ratings and boards that a step orders which has started or ended the match.
fn rating_jobs(before: Option<&LiveMatch>, live: &LiveMatch) -> Result<Vec<Job>, StoreError> {
    let (was, is) = (before.map(|before| before.stored.stage), live.stored.stage);
    if is == Stage::Open || was.is_some_and(|was| was == is || was.is_over()) {
        return Ok(Vec::new());
    }
    let id = live.stored.id.as_str();
    let rated = live.rated_result().map(|result| (id.to_owned(), result.at, RatingJob::Match(result)));
    let on_board = live.board_match().map(|found| match found.ended {
        None => (format!("{id}:start"), found.started_at, RatingJob::Board(found)),
        Some(end) => (id.to_owned(), end.at, RatingJob::Board(found)),
    });
    let jobs = rated.into_iter().chain(on_board);
    jobs.map(|(id, at, job)| Ok(Job { kind: JobKind::Rate, id, at, body: job.to_body()? })).collect()
}

impl Matches {
    /// The use cases, and the matches that their commits make due within moments.
    pub fn new(parts: MatchesParts) -> (Matches, DueSoon) {
        let MatchesParts { store, games, ambient, notifier, counts, statuses, listeners, retention, thinkers } = parts;
        let cache = Arc::<MatchCache>::default();
        let (soon, receiver) = mpsc::channel(SOON_MAX);
        let (recent, outage_detector, rooms) = (Arc::default(), Arc::<OutageDetector>::default(), Arc::default());
        notifier.tell(Arc::clone(&cache), Arc::clone(&outage_detector));
        let matches = Matches {
            store,
            games,
            ambient,
            notifier,
            counts,
            cache,
            recent,
            statuses,
            listeners,
            retention,
            soon,
            thinkers,
            outage_detector,
            rooms,
        };
        (matches, DueSoon(receiver))
    }

    /// The outages that this instance knows of, for its heartbeat.
    pub fn outage_detector(&self) -> &Arc<OutageDetector> {
        &self.outage_detector
    }

    /// Returns true if any player is shown under another name than the one that matches are stored with.
    pub fn shows_other_names(&self) -> bool {
        self.statuses.shows_other_names()
    }

    /// The time for which matches are kept, and the most that a player may have waiting.
    pub fn keeps(&self) -> Retention {
        self.retention
    }

    /// The match as the reader may see it. Which match follows it is looked up by [`Matches::read_with_rematch`] alone.
    ///
    /// # Errors
    /// [`ReadRefused::MatchNotFound`] or [`ReadRefused::WrongInvite`] for what the reader may not see, and
    /// [`Forbidden::HotseatOnly`] where it is not theirs to see it from the seat that they ask for.
    ///
    /// [`ReadRefused::MatchNotFound`]: crate::model::refused::ReadRefused::MatchNotFound
    /// [`ReadRefused::WrongInvite`]: crate::model::refused::ReadRefused::WrongInvite
    /// [`Forbidden::HotseatOnly`]: crate::model::refused::Forbidden::HotseatOnly
    pub async fn read(&self, reader: &Reader, id: &MatchId) -> Result<ViewedMatch, Refused> {
        if let Some(known) = self.cache.last_known(id)
            && let Some(standing) = self.store.standing(id).await?
            && known.stands_at(standing)
        {
            return self.let_in(reader, known);
        }
        Ok(self.load_for(reader, id, None).await?.0)
    }

    /// The match as it was when this process last heard of it, if the reader could see that. It may be old.
    pub(super) fn last_known_for(&self, reader: &Reader, id: &MatchId) -> Option<ViewedMatch> {
        self.let_in(reader, self.cache.last_known(id)?).ok()
    }

    /// The players at a match as this process last heard of it, by seat, if the reader may see it.
    pub fn last_known_players(&self, reader: &Reader, id: &MatchId) -> Option<Vec<(Seat, PlayerId)>> {
        let live = self.last_known_for(reader, id)?.live;
        let held = live.seat_count().seats().zip(&live.stored.seats);
        Some(held.filter_map(|(seat, held)| Some((seat, held.player.as_ref()?.id.clone()))).collect())
    }

    /// The match that was loaded, decoded.
    pub(super) fn opened(&self, id: &MatchId, loaded: &LoadedMatch) -> Result<Arc<LiveMatch>, Unreadable> {
        self.cache.open(&self.games, id, loaded)
    }

    /// The match as the store has it, and what `key` has committed in it.
    async fn load(&self, id: &MatchId, key: Option<&ReplayKey>) -> Result<Option<LoadedMatch>, StoreError> {
        self.store.load_match(id, key).await.inspect_err(|error| self.outage_detector.refused(error))
    }

    /// The match as the reader may see it, and what `key` has committed in it.
    pub(super) async fn load_for(
        &self,
        reader: &Reader,
        id: &MatchId,
        key: Option<&ReplayKey>,
    ) -> Result<(ViewedMatch, Option<Replay>), Refused> {
        let loaded = self.load(id, key).await?;
        self.admit(reader, id, loaded)
    }

    /// Lets `decide` find the action from the caller's standing, takes the step and commits it: on the match as it is
    /// known here if that can be done, else on the loaded one, again from the load if others were quicker. Without an
    /// action the match stays as it is. What has been committed `once` is answered as it was.
    pub(super) async fn step(
        &self,
        reader: &Reader,
        id: &MatchId,
        once: Option<&Idempotency>,
        decide: impl Fn(&ViewedMatch) -> Result<Option<Action>, Refused>,
    ) -> Result<Answered, Refused> {
        let once = once.zip(reader.player.as_ref()).map(|(once, player)| (once, once.of(player)));
        let received = self.received();
        // The action, and the version whose state it needs if it puts the match back.
        let decided = |viewed: &ViewedMatch| -> Result<Option<(Action, Option<u64>)>, Refused> {
            let Some(action) = decide(viewed)? else { return Ok(None) };
            let back = viewed.live.goes_back_to(&action)?;
            Ok(Some((action, back)))
        };
        let take = |viewed: &ViewedMatch, action: Action, then: Option<&LiveMatch>| {
            let mut live = viewed.live.duplicate();
            let entry = live.take_step_back(action, viewed.live.moment(received), then)?;
            Ok::<_, Refused>((live, entry))
        };
        let remember = || once.as_ref().map(|(once, key)| (key.clone(), once.fingerprint.clone()));
        // What is refused here may be allowed by now, or for another reason; a commit is made only if nothing has changed.
        if let Some(known) = self.last_known_for(reader, id)
            && self.is_made_good(&known.live)
            && self.out_of_time(&known, received).is_none()
            && let Ok(Some((action, None))) = decided(&known)
            && !matches!(action, Action::Claim { .. })
            && let Ok((live, entry)) = take(&known, action, None)
            && let Some((live, _)) = self.commit(live, entry, Some(&known.live), remember()).await?
        {
            return Ok(Answered::now(live.seen_by(reader, &self.statuses)));
        }
        for _ in 0..ATTEMPTS_MAX {
            let loaded = self.load(id, once.as_ref().map(|(_, key)| key)).await?;
            if let (Some((once, _)), Some(before @ LoadedMatch { replay: Some(replay), .. })) = (&once, &loaded) {
                return self.answer_again(reader, id, before, replay, once).await;
            }
            let (viewed, _) = self.admit(reader, id, loaded)?;
            if self.make_good(&viewed.live).await? {
                continue;
            }
            // Whose time is over cannot have it back, nor agree on a draw; nor can others with them.
            if let Some(seat) = self.out_of_time(&viewed, received) {
                self.run_out(&viewed.live, seat).await?;
                continue;
            }
            let decided = match decided(&viewed) {
                Ok(decided) => decided,
                Err(refused) => return Err(self.refused_for(refused, &viewed.live, once.as_ref()).await),
            };
            let Some((action, back)) = decided else {
                // It may repeat a request that was not acknowledged.
                self.must_last(&viewed.live).await?;
                return Ok(Answered::now(viewed));
            };
            if matches!(action, Action::Claim { .. }) && self.make_claims_good(&viewed.live).await? {
                continue;
            }
            let then = match back {
                Some(version) => Some(self.match_at(&viewed.live, version).await?.0),
                None => None,
            };
            let (live, entry) = match take(&viewed, action, then.as_ref()) {
                Ok(taken) => taken,
                Err(refused) => return Err(self.refused_for(refused, &viewed.live, once.as_ref()).await),
            };
            if let Some((live, _)) = self.commit(live, entry, Some(&viewed.live), remember()).await? {
                if let Some(to) = back {
                    self.leave_undone(&live, to).await;
                }
                return Ok(Answered::now(live.seen_by(reader, &self.statuses)));
            }
        }
        Err(Refused::Busy)
    }

    /// Commits the step that led from `before` to `live`, under a stamp that its entry keeps; `None` if others were
    /// quicker. Answers the match and the entry as they are kept from now on.
    pub(super) async fn commit(
        &self,
        mut live: LiveMatch,
        mut entry: LogEntry,
        before: Option<&LiveMatch>,
        replay: Option<(ReplayKey, String)>,
    ) -> Result<Option<(Arc<LiveMatch>, Arc<LogEntry>)>, Refused> {
        let listed = before.map(LiveMatch::listing);
        let listing = Some(live.listing()).filter(|listing| listed.as_ref() != Some(listing));
        let mut notify = before.map(LiveMatch::people).unwrap_or_default();
        for player in listing.iter().flat_map(|listing| &listing.players) {
            if !notify.contains(player) {
                notify.push(player.clone());
            }
        }
        let stamp = Stamp::draw(&self.ambient);
        (live.stamp, entry.stamp) = (stamp, stamp);
        let due = self.due(before, &live);
        let news = MatchNews::of(before, &live, &entry, &self.listeners);
        let mut jobs = news.map_or_else(|| Ok(Vec::new()), |news| news.jobs(&live))?;
        let notifies = !jobs.is_empty();
        jobs.extend(rating_jobs(before, &live)?);
        jobs.extend(call_off_job(before, &live)?);
        let stored = live.encode()?;
        let commit = Commit {
            id: live.stored.id.clone(),
            expected: entry.version - 1,
            expected_stamp: before.map(|before| before.stamp),
            stamp,
            stored,
            entry: written(&entry, &live)?,
            listed: listed.filter(|_| listing.is_some()),
            listing,
            replay: replay.map(|(key, fingerprint)| (key, Replay { version: entry.version, fingerprint })),
            notify,
            due,
            jobs,
        };
        let committed = self.store.commit(commit).await.inspect_err(|error| self.outage_detector.refused(error));
        match committed? {
            Committed::Yes => {
                self.count(before, &live);
                self.tell_soon(&live.stored.id, due);
                if notifies {
                    self.listeners.wake();
                }
                let (live, entry) = (self.cache.keep(live), Arc::new(entry));
                self.recent.go_on(&live, &entry);
                Ok(Some((live, entry)))
            }
            Committed::Conflict => {
                self.counts.conflicted();
                Ok(None)
            }
            // The next load, with the key, finds the step that the key has committed.
            Committed::Repeated => Ok(None),
        }
    }

    /// Counts a match that a step has started or ended.
    fn count(&self, before: Option<&LiveMatch>, live: &LiveMatch) {
        let (was, stored) = (before.map(|before| before.stored.stage), &live.stored);
        if stored.started_at.is_some() && was.is_none_or(|was| was == Stage::Open) {
            self.counts.started(&stored.terms.game);
        }
        if stored.stage.is_over() && !was.is_some_and(Stage::is_over) {
            let ending = stored.outcome.as_ref().map_or(stored.stage.name(), |outcome| &outcome.ending);
            self.counts.ended(&stored.terms.game, ending);
        }
    }

    /// The present moment by the clock that all instances share.
    pub fn now(&self) -> Timestamp {
        self.ambient.now()
    }

    /// The time at which the present request was received. The request counts for that moment, however long it has
    /// taken since.
    pub(super) fn received(&self) -> Timestamp {
        self.ambient.received()
    }
}
