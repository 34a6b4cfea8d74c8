//! The state that handlers share: the use cases, and nothing that is made of handlers.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::web;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::drain::Drain;
use sarsen_accounts::auth::{Principal, Revocations, Tokens};
use sarsen_accounts::outside::OutsideAccounts;
use sarsen_accounts::people::{People, Shut};
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_accounts::players::{
    AllowanceCounter, NameBlocklist, NameError, Player, PlayerName, Players, SignedIn, StreamTickets,
};
use sarsen_accounts::programs::ProgramTokens;
use sarsen_base::ambient::Ambient;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::feed::streaming::StreamingPlayers;
use sarsen_matches::idempotency::{Answered, Idempotency};
use sarsen_matches::model::fairness::SeatEntropy;
use sarsen_matches::model::refused::{Forbidden, SeatRefused};
use sarsen_matches::model::table_terms::{JoinKind, Programs, TableTerms};
use sarsen_matches::model::terms::Seated;
use sarsen_matches::seats::{Joining, Vetted};
use sarsen_matches::table::live_match::LiveMatch;
use sarsen_matches::{Matches, Reader, Refused, Stage, Unread, ViewedMatch};
use sarsen_service::account_deletion::AccountDeletion;
use sarsen_service::admin::Administration;
use sarsen_service::notifications::Notifications;
use sarsen_service::pools::Pools;
use sarsen_service::ratings::Ratings;
use sarsen_service::sandbox::Sandbox;
use sarsen_service::sandbox::offload::Offload;

/// The service as handlers take it.
pub type Shared = web::Data<Service>;

/// A part of the service that answers whether it is ready.
#[async_trait]
pub trait Readiness: Send + Sync {
    /// Answers within about a second.
    ///
    /// # Errors
    /// The reason why it cannot.
    async fn ready(&self) -> Result<(), Problem>;
}

/// The metrics endpoint, for operators.
#[async_trait]
pub trait Exposition: Send + Sync {
    /// The metrics of this moment in the OpenMetrics text format, within seconds.
    ///
    /// # Errors
    /// If they cannot be written.
    async fn text(&self) -> Result<String, Problem>;
}

/// The running service: one for all workers.
pub struct Service {
    /// The use cases of matches.
    pub matches: Matches,
    /// The use cases of identity.
    pub players: Players,
    /// The words that no player may have in a name.
    pub name_blocklist: NameBlocklist,
    /// The use cases of operators.
    pub admin: Administration,
    /// The deletion of accounts.
    pub deletion: Arc<AccountDeletion>,
    /// The status of players who were renamed, banned or deleted.
    pub statuses: Arc<KnownStatuses>,
    /// After how many days idle guests are deleted; `None` for never.
    pub idle_guest_days: Option<u32>,
    /// The time by which bans end.
    pub clock: Ambient,
    /// Access tokens.
    pub tokens: Arc<Tokens>,
    /// Sessions whose tokens are refused.
    pub revocations: Arc<Revocations>,
    /// Players who are signed in by outside issuers.
    pub outside: Arc<OutsideAccounts>,
    /// Ratings and boards.
    pub ratings: Ratings,
    /// True if only players with a linked identity play rated matches.
    pub rated_requires_link: bool,
    /// The rate limits of players and addresses.
    pub allowances: AllowanceCounter,
    /// Tokens of programs.
    pub programs: Arc<ProgramTokens>,
    /// Contacts, blocks and reports.
    pub people: People,
    /// Webhooks and push subscriptions.
    pub notifications: Arc<Notifications>,
    /// The players who have a stream open.
    pub streaming: Arc<StreamingPlayers>,
    /// Stream tickets.
    pub tickets: StreamTickets,
    /// Pools and their tickets.
    pub pools: Arc<Pools>,
    /// The positions that travel with clients.
    pub sandbox: Arc<Sandbox>,
    /// The worker pool of the sandbox.
    pub offload: Offload,
    /// The readiness of the store and of everything else below the use cases.
    pub readiness: Box<dyn Readiness>,
    /// The metrics of this instance.
    pub exposition: Box<dyn Exposition>,
    /// Cancelled by the order to stop: this instance is not ready any more, and takes on no work that others can do. It
    /// still serves requests.
    pub retiring: CancellationToken,
    /// The drain of streams and long polls at a stop.
    pub drain: Arc<Drain>,
}

/// The facts found about a caller while the terms of many matches are looked at.
#[derive(Default)]
pub(crate) struct CallerStanding {
    linked: Option<bool>,
    /// By category, the rating that the caller is shown with.
    ratings: HashMap<String, i32>,
}

/// The most looks at a table where somebody sits down at every one.
const LOOKS_MAX: usize = 20;

/// Returns true if a program has sent the request, a person's own included, and the table takes none.
pub(crate) fn refuses_program(caller: &Principal, table: &TableTerms) -> bool {
    caller.program.is_some() && table.programs() == Programs::Refuse
}

/// The player as somebody to sit at a table.
fn seated(Player { id, name, kind, .. }: Player) -> Seated {
    Seated { id, name: name.into_string(), kind }
}

/// The players who answer for what a caller does: a bot account's owner too.
fn answerable(caller: &Principal) -> impl Iterator<Item = &PlayerId> {
    [Some(&caller.player), caller.program.as_ref().and_then(|program| program.owner.as_ref())].into_iter().flatten()
}

impl Service {
    /// A player who must exist.
    ///
    /// # Errors
    /// `player_not_found`, or that the store is away.
    pub(crate) async fn known_player(&self, id: &PlayerId) -> Result<Player, Problem> {
        let player = self.players.player(id).await?;
        player.ok_or_else(|| Code::PlayerNotFound.into())
    }

    /// Reads a name that a player wants.
    ///
    /// # Errors
    /// `invalid_name`.
    pub(crate) fn wanted_name(&self, text: &str) -> Result<PlayerName, Problem> {
        let refused = |detail: String| Problem::new(Code::InvalidName).field("name").detail(detail);
        let name: PlayerName = text.parse().map_err(|error: NameError| refused(error.to_string()))?;
        if self.name_blocklist.blocks(&name) {
            return Err(refused(
                "this service does not take the name: it holds a word that is blocked here".to_owned(),
            ));
        }
        Ok(name)
    }

    /// Sends notifications of a new session, which is valid even if this fails.
    pub(crate) async fn tell_session(&self, signed_in: &SignedIn) {
        let told = self.notifications.tell_session(&self.players, &signed_in.player.id, signed_in.session());
        if let Err(error) = told.await {
            tracing::warn!(player = %signed_in.player.id, %error, "nobody was notified of a new session");
        }
    }

    /// Refuses callers who may do nothing with a token: players who have left, or are banned from everything.
    ///
    /// # Errors
    /// `token_revoked`, `banned`.
    pub(crate) fn must_not_be_barred(&self, caller: &Principal) -> Result<(), Problem> {
        let now = self.clock.now();
        answerable(caller)
            .find_map(|player| self.statuses.barred(player, now))
            .map_or(Ok(()), |barred| Err(barred.into()))
    }

    /// Refuses callers who may not play.
    ///
    /// # Errors
    /// `token_revoked`, `banned`.
    pub(crate) fn must_be_free_to_play(&self, caller: &Principal) -> Result<(), Problem> {
        let now = self.clock.now();
        let barred = answerable(caller).find_map(|player| self.statuses.barred_from_play(player, now));
        barred.map_or(Ok(()), |barred| Err(barred.into()))
    }

    /// Returns true if the streams of this caller have to end.
    pub(crate) fn is_shut_out(&self, caller: &Principal) -> bool {
        self.revocations.is_revoked(&caller.session)
            || caller.has_expired(self.clock.now())
            || self.must_not_be_barred(caller).is_err()
    }

    /// Somebody whom the caller wants at a table, who must not have left for good, and whom no block keeps from the caller.
    /// In a rematch nothing keeps those who sat at the match before.
    ///
    /// # Errors
    /// `player_not_found`, `blocked`, `forbidden`, or that the store is away.
    pub(crate) async fn invited(
        &self,
        caller: &Principal,
        id: &PlayerId,
        table: Option<&LiveMatch>,
    ) -> Result<Seated, Problem> {
        if self.statuses.is_gone(id) {
            return Err(Code::PlayerNotFound.into());
        }
        let player = self.known_player(id).await?;
        if !table.is_some_and(|table| table.has_sat_before(id))
            && let Some(shut) = self.shut_out(caller, std::slice::from_ref(id)).await?
        {
            return Err(shut.into());
        }
        Ok(seated(player))
    }

    /// The block that keeps the caller, or the owner of a bot account, from these others.
    pub(crate) async fn shut_out(&self, caller: &Principal, others: &[PlayerId]) -> Result<Option<Shut>, Problem> {
        for player in answerable(caller) {
            if let Some(shut) = self.people.shut_out(player, others).await? {
                return Ok(Some(shut));
            }
        }
        Ok(None)
    }

    /// Returns true if the caller may play rated matches: if need be, the player or the bot account's owner has linked an
    /// identity.
    pub(crate) async fn may_be_rated(&self, caller: &Principal) -> Result<bool, Problem> {
        Ok(!self.rated_requires_link || self.is_linked(caller).await?)
    }

    /// Returns true if the caller, or the owner of a bot account, has linked an identity.
    async fn is_linked(&self, caller: &Principal) -> Result<bool, Problem> {
        for player in answerable(caller) {
            if !self.outside.identities(player).await?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes a seat for the caller, unless a block or the terms of the match keep them from it.
    ///
    /// # Errors
    /// Those of [`Matches::join`], `blocked`, `linked_required`, `rating_out_of_range`.
    pub(crate) async fn join(
        &self,
        caller: &Principal,
        id: &MatchId,
        joining: Joining,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Problem> {
        let reader = Reader::with_invite(Some(caller.player.clone()), joining.invite.clone());
        let look = async || self.matches.read(&reader, id).await;
        let sit = async |player, vetted| {
            let joining = Joining { vetted, ..joining.clone() };
            self.matches.join(player, id, joining, once).await
        };
        self.sit_down(caller, look, sit).await
    }

    /// The same with the code of an invite.
    pub(crate) async fn join_by_invite(
        &self,
        caller: &Principal,
        code: &str,
        entropy: Option<SeatEntropy>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Problem> {
        let look = async || self.matches.invitation(code).await.map(|invitation| invitation.viewed);
        let sit = async |player, vetted| self.matches.join_by_invite(player, code, entropy.clone(), vetted, once).await;
        self.sit_down(caller, look, sit).await
    }

    /// Has the caller sit down at a table that is looked at first, again where somebody else sits down meanwhile.
    async fn sit_down(
        &self,
        caller: &Principal,
        look: impl AsyncFn() -> Result<ViewedMatch, Refused>,
        sit: impl AsyncFn(Seated, Option<Vetted>) -> Result<Answered, Refused>,
    ) -> Result<Answered, Problem> {
        for _ in 0..LOOKS_MAX {
            let vetted = match look().await {
                Ok(viewed) => self.vetted(caller, &viewed).await?,
                Err(away @ Refused::Store(_)) => return Err(away.into()),
                // The reason is found again.
                Err(_) => None,
            };
            match sit(self.seated(caller).await?, vetted).await {
                Err(Refused::Seat(SeatRefused::OthersCame)) => {}
                answered => return Ok(answered?),
            }
        }
        Err(Refused::Busy.into())
    }

    /// The people at a match, with the block or the terms that keep the caller from a free seat there.
    ///
    /// # Errors
    /// `forbidden` for a program at a table that takes none, or that the store is away.
    async fn vetted(&self, caller: &Principal, viewed: &ViewedMatch) -> Result<Option<Vetted>, Problem> {
        let stored = &viewed.live.stored;
        if viewed.seat().is_none() && refuses_program(caller, &stored.terms.table) {
            return Err(Refused::from(Forbidden::NoPrograms).into());
        }
        if stored.stage != Stage::Open || viewed.seat().is_some() {
            return Ok(None);
        }
        let barred = self.barred(caller, &viewed.live, &mut CallerStanding::default()).await?;
        Ok(Some(Vetted { people: viewed.live.people(), barred: barred.map(Unread::new) }))
    }

    /// The block or the terms that keep the caller from a free seat of an open match. In a rematch nothing keeps those who
    /// sat at the match before.
    ///
    /// # Errors
    /// If the store is away.
    pub(crate) async fn barred(
        &self,
        caller: &Principal,
        live: &LiveMatch,
        standing: &mut CallerStanding,
    ) -> Result<Option<Problem>, Problem> {
        if refuses_program(caller, &live.stored.terms.table) {
            return Ok(Some(Refused::from(Forbidden::NoPrograms).into()));
        }
        if live.has_sat_before(&caller.player) {
            return Ok(None);
        }
        match self.outside_terms(caller, live, standing).await? {
            None => Ok(self.shut_out(caller, &live.people()).await?.map(Problem::from)),
            outside => Ok(outside),
        }
    }

    /// The reason why the terms of an open match keep the caller out. Its `join` is not asked of the creator, nor of those for
    /// whom a seat is kept.
    async fn outside_terms(
        &self,
        caller: &Principal,
        live: &LiveMatch,
        standing: &mut CallerStanding,
    ) -> Result<Option<Problem>, Problem> {
        let terms = &live.stored.terms;
        let asked = !live.is_invited(&caller.player) && !live.stored.is_made_by(&caller.player);
        let join = terms.table.join.as_ref().filter(|_| asked);
        let linked = join.is_some_and(|join| join.kind == JoinKind::Linked);
        if linked || (terms.is_rated() && self.rated_requires_link) {
            let is_linked = match standing.linked {
                Some(known) => known,
                None => self.is_linked(caller).await?,
            };
            standing.linked = Some(is_linked);
            if !is_linked {
                return Ok(Some(Code::LinkedRequired.into()));
            }
        }
        let Some(join) = join.filter(|join| join.has_range()) else { return Ok(None) };
        let category = live.category_for(caller.kind());
        let rating = match standing.ratings.get(&category) {
            Some(known) => *known,
            None => self.ratings.shown_in(&category, &caller.player).await?,
        };
        standing.ratings.insert(category, rating);
        let detail = || format!("your rating in the category of this match is {rating}");
        Ok((!join.takes(rating)).then(|| Problem::new(Code::RatingOutOfRange).detail(detail())))
    }

    /// The caller as somebody to sit at a table.
    ///
    /// # Errors
    /// `player_not_found`, or that the store is away.
    pub(crate) async fn seated(&self, caller: &Principal) -> Result<Seated, Problem> {
        Ok(seated(self.known_player(&caller.player).await?))
    }
}
