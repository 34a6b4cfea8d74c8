//! The examples of pools and of batches, of a service that offers these games: a ticket of the first pool, and matches of
//! its game.

use serde_json::{Value, json};

use super::sample::{AT, ENTROPY, ROBIN, Sample};
use super::to_json;
use crate::answer::codes::Code;
use crate::matches::bulk::{BatchItemBody, BatchResult};
use crate::pools::{PoolBody, PoolList, PoolTicketBody};
use sarsen_base::ambient::Timestamp;
use sarsen_games::Games;
use sarsen_matches::model::terms::StartMode;
use sarsen_service::pools::{PlayerPool, PoolSize, TicketState, TicketView};

/// A commitment to a seed.
const COMMITMENT: &str = "593ec6e9289272da8fad6b62395db112e9f4810dfc1db823103a2c0b7ce5db7f";

/// The request and the answer of an operation.
pub(super) fn of(games: &Games, operation: &str) -> Option<(Option<Value>, Value)> {
    let pools = PlayerPool::built_in(games);
    let (first, since) = (pools.first()?, Timestamp::from_rfc3339(AT)?);
    let sample = Sample::new(games.newest(&first.game)?, StartMode::WhenFull)?;
    let match_id = sample.live.stored.id.clone();
    let waiting = TicketState::Waiting { keep_until: since.plus_seconds(60), commitment: COMMITMENT.to_owned() };
    let ticket = |state| to_json(&PoolTicketBody::of(&first.id, TicketView { since, state }));
    match operation {
        "createMatches" => {
            let made = [Ok(sample.seen_by(ROBIN)?), Err(Code::TooManyOpen.into())];
            let item = json!({"game": first.game, "preset": "days-3", "tags": ["spring-cup"]});
            let answer = BatchResult { items: made.iter().map(BatchItemBody::of).collect() };
            Some((Some(json!({"items": [item.clone(), item]})), to_json(&answer)?))
        }
        "listPools" => {
            let size = PoolSize { waiting: 2, typical_wait_seconds: Some(14) };
            let items = pools.iter().take(2).map(|pool| PoolBody::of(pool, size)).collect();
            Some((None, to_json(&PoolList { items, next_cursor: None })?))
        }
        "putTicket" => {
            let request = json!({"rating_range": {"min": 1300, "max": 1700}, "entropy": ENTROPY});
            Some((Some(request), ticket(waiting)?))
        }
        "getTicket" => Some((None, ticket(TicketState::Matched { match_id })?)),
        _ => None,
    }
}
