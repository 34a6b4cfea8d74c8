//! What handlers work with.

use std::sync::Arc;

use actix_web::web;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::ambient::Ambient;
use crate::auth::{Principal, Revocations, SigningKeys, TokenScope, Tokens};
use crate::games::Games;
use crate::http::answer::codes::Code;
use crate::http::answer::etag::CachedJson;
use crate::http::answer::problem::Problem;
use crate::http::answer::refused::player_problem;
use crate::http::document::openapi::{self, DocumentError};
use crate::http::edge::routes::RouteTable;
use crate::http::games::Catalogue;
use crate::http::settings::Allowances;
use crate::ids::PlayerId;
use crate::matches::Matches;
use crate::matches::hub::Hub;
use crate::matches::stored::Seated;
use crate::players::{AllowanceCounter, Player, Players, StreamTickets, revocation_feed};
use crate::store::{Store, StoreError};
use crate::telemetry::Metrics;

/// So many messages on sessions may wait; should they ever be more, the store is read instead.
const SESSION_MESSAGES_KEPT: usize = 256;

/// What a service is made of.
pub struct ServiceParts {
    /// The games on offer.
    pub games: Games,
    /// What outlives a request.
    pub store: Arc<dyn Store>,
    /// Clock and entropy.
    pub ambient: Ambient,
    /// What signs access tokens.
    pub keys: SigningKeys,
    /// Who issues them and who accepts them.
    pub scope: TokenScope,
    /// How much is allowed to whom.
    pub allowances: Allowances,
}

/// The service as handlers take it.
pub type Shared = web::Data<Service>;

/// The running service: one for all workers.
pub struct Service {
    /// What outlives a request.
    pub store: Arc<dyn Store>,
    /// Clock and entropy.
    pub ambient: Ambient,
    /// The use cases of matches.
    pub matches: Matches,
    /// The use cases of identity.
    pub players: Players,
    /// Access tokens.
    pub tokens: Arc<Tokens>,
    /// Sessions whose tokens are refused.
    pub revocations: Arc<Revocations>,
    /// What is counted against the allowances.
    pub allowances: AllowanceCounter,
    /// Stream tickets.
    pub tickets: StreamTickets,
    /// The counters.
    pub metrics: Metrics,
    /// Cancelled when the service stops: streams and long polls end then, and say that the client may resume.
    pub stopping: CancellationToken,
    /// The answers of the games resource.
    pub catalogue: Catalogue,
    /// The OpenAPI document as served.
    pub document: CachedJson,
    /// Paths and methods.
    pub routes: Arc<RouteTable>,
}

/// Why a service could not be put together.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The document is not sound.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A fixed answer has no JSON form.
    #[error("an answer that is made at start-up cannot be written")]
    Json(#[from] serde_json::Error),
    /// Without the revocations it is unknown which tokens are good.
    #[error("the revoked sessions cannot be read")]
    Store(#[from] StoreError),
}

impl Service {
    /// Puts the service together, writes once what never changes, and starts what runs beside the requests: it ends
    /// when [`Service::stopping`] is cancelled. Call it inside a tokio runtime.
    ///
    /// # Errors
    /// If the document or a fixed answer cannot be made, or the store is away.
    pub async fn start(parts: ServiceParts) -> Result<Service, ServiceError> {
        let ServiceParts { games, store, ambient, keys, scope, allowances } = parts;
        let document = openapi::document()?;
        let operations = document.paths.paths.values().flat_map(openapi::operations);
        let metrics = Metrics::new(operations.filter_map(|(_, operation)| operation.operation_id.as_deref()));
        let catalogue = Catalogue::of(&games)?;

        let stopping = CancellationToken::new();
        let revocations = Arc::new(Revocations::new());
        revocation_feed::read(store.as_ref(), &revocations, &ambient).await?;
        let hub = Arc::new(Hub::default());
        let (sessions, heard) = broadcast::channel(SESSION_MESSAGES_KEPT);
        tokio::spawn(hub.clone().run(store.live(), sessions, stopping.clone()));
        let feed = revocation_feed::run(store.clone(), heard, revocations.clone(), ambient.clone(), stopping.clone());
        tokio::spawn(feed);

        let tokens = Arc::new(Tokens::new(keys, scope, revocations.clone(), ambient.clone()));
        Ok(Service {
            matches: Matches::new(store.clone(), store.clone(), Arc::new(games), ambient.clone(), hub),
            players: Players::new(store.clone(), store.clone(), tokens.clone(), ambient.clone()),
            routes: Arc::new(RouteTable::of(&document)),
            document: CachedJson::new(&document)?,
            tickets: StreamTickets::new(store.clone(), revocations.clone(), ambient.clone()),
            allowances: AllowanceCounter::new(store.clone(), allowances),
            tokens,
            revocations,
            metrics,
            stopping,
            catalogue,
            store,
            ambient,
        })
    }

    /// A player who must exist.
    ///
    /// # Errors
    /// `player_not_found`, or that the store is away.
    pub async fn known_player(&self, id: &PlayerId) -> Result<Player, Problem> {
        let player = self.players.player(id).await.map_err(player_problem)?;
        player.ok_or_else(|| Code::PlayerNotFound.into())
    }

    /// The caller as somebody to sit at a table.
    ///
    /// # Errors
    /// `player_not_found`, or that the store is away.
    pub async fn seated(&self, caller: &Principal) -> Result<Seated, Problem> {
        let player = self.known_player(&caller.player).await?;
        Ok(Seated { id: player.id, name: player.name.to_string() })
    }
}
