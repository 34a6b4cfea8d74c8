//! The two steps of a notification: from the news of a match to deliveries, and from a delivery to the other side.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::delivery::{Delivery, DeliveryFailure, DeliveryId, DeliveryState, DeliveryWay, StepOf};
use super::message;
use super::schedule::pause_millis;
use super::service::{NotificationRefused, Notifications, Result};
use crate::outbound::{OutboundError, OutboundReceipt};
use crate::ratings::{Ratings, shown};
use sarsen_accounts::notifications::NotificationType;
use sarsen_accounts::players::Players;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId, WebhookId};
use sarsen_matches::news::{MatchNews, News, RatingNews};
use sarsen_matches::rated_result::RatedResult;
use sarsen_matches::summary::OpenTurn;
use sarsen_matches::{Matches, Refused};
use sarsen_rules::Seat;
use sarsen_store::upgrade::Formed;
use sarsen_store::{ItemOwner, Stage, StoreError, Work};

/// A push service keeps a message for so long at most, in seconds: two days.
const PUSH_SECONDS_MAX: i64 = 2 * 24 * 60 * 60;

/// The status of a receiver that will never be there again.
const GONE: u16 = 410;

/// The status of a push service that knows no such subscription.
const NOT_FOUND: u16 = 404;

/// The longest topic, in characters.
const TOPIC_CHARACTERS: usize = 32;

/// A delivery after an attempt, for the caller that moves its job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sent {
    /// The way.
    pub way: DeliveryWay,
    /// The state; `None` for one whose receiver is not there any more.
    pub state: Option<DeliveryState>,
    /// The moment of the next attempt and the job's body for it.
    pub again: Option<(Timestamp, Vec<u8>)>,
    /// True if the other side was not there at all. One that breaks a connection off was.
    pub absent: bool,
}

/// An attempt at a delivery.
enum Attempt {
    /// The receiver is not there any more.
    Lost,
    /// It is not told any more.
    NotTold,
    Answered(Result<OutboundReceipt, OutboundError>),
}

fn word(error: OutboundError) -> DeliveryFailure {
    match error {
        OutboundError::Dns => DeliveryFailure::Dns,
        OutboundError::Url | OutboundError::Blocked => DeliveryFailure::Blocked,
        OutboundError::Connect | OutboundError::Broken => DeliveryFailure::Connect,
        OutboundError::Tls => DeliveryFailure::Tls,
        OutboundError::Timeout => DeliveryFailure::Timeout,
        OutboundError::Status(_) | OutboundError::TooLong => DeliveryFailure::Status,
    }
}

/// The scheme and the authority of a URL.
fn origin(url: &str) -> &str {
    let begin = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(begin..).and_then(|rest| rest.find(['/', '?', '#'])).map_or(url.len(), |at| begin + at);
    url.get(..end).unwrap_or(url)
}

impl Notifications {
    /// Orders the news of a rated match for those of its players who listen and for whom it has counted. Ordering it again
    /// changes nothing.
    ///
    /// # Errors
    /// If the store is away.
    pub(crate) async fn tell_rated(&self, ratings: &Ratings, result: &RatedResult) -> Result<(), StoreError> {
        let listening = self.parts.listeners.among(result.seats.iter().map(|seat| seat.player.clone()));
        let changes = if listening.is_empty() { None } else { ratings.of_match(result).await? };
        let (mut news, now) = (Vec::new(), self.parts.ambient.now());
        for (index, change) in changes.into_iter().flatten().enumerate() {
            let seat = Seat::new(index as u8).filter(|_| change.counted && listening.contains(&change.player));
            let Some(seat) = seat else { continue };
            let (board, before, after) = (result.category.clone(), change.before.rating, change.after.rating);
            let rating = Some(RatingNews { board, before: shown(before), after: shown(after) });
            news.push(News { rating, ..News::of(NotificationType::RatingChanged, seat, change.player) });
        }
        if news.is_empty() {
            return Ok(());
        }
        let RatedResult { match_id, version, category, .. } = result.clone();
        let (game, status) = (category.split('.').next().unwrap_or_default().to_owned(), Stage::Finished);
        let from = MatchNews { match_id, game, version, at: now, status, outcome: None, news };
        let job = from.job(format!("{}.rating", from.match_id), now)?;
        self.parts.jobs.order_jobs(&[job]).await?;
        self.parts.listeners.wake();
        Ok(())
    }

    /// Makes of the news of a match a delivery for each receiver that takes its type. A reminder of a turn that was given
    /// more time since waits on: then the answer is its moment.
    ///
    /// # Errors
    /// If the store is away, or the news cannot be read.
    pub(super) async fn fan_out(&self, matches: &Matches, body: &[u8]) -> Result<Option<Timestamp>> {
        let from = MatchNews::of_body(body)?;
        let url = message::url(self.parts.match_url.as_deref(), &from.match_id);
        let mut deliveries = Vec::new();
        for news in &from.news {
            let Some(news) = self.still_true(matches, &from, news).await? else { continue };
            if news.kind == NotificationType::TurnReminder
                && let Some(at) = from.reminded_at(&news).filter(|at| *at > self.parts.ambient.now())
            {
                return Ok(Some(at));
            }
            for owner in [ItemOwner::Player(news.player.clone()), ItemOwner::Service] {
                self.for_webhooks(&from, &news, &owner, url.as_deref(), &mut deliveries).await?;
            }
            self.for_browsers(matches, &from, &news, url.as_deref(), &mut deliveries).await?;
        }
        self.order(&deliveries).await?;
        Ok(None)
    }

    /// A reminder, with the deadline and the player of this moment: one of a turn that is over is none. Other news is as it
    /// was.
    async fn still_true(&self, matches: &Matches, from: &MatchNews, news: &News) -> Result<Option<News>> {
        if news.kind != NotificationType::TurnReminder {
            return Ok(Some(news.clone()));
        }
        let now = self.parts.ambient.now();
        let turn = open_turn(matches, &from.match_id, news.seat).await?.filter(|turn| {
            // A player who has made one of several decisions still has the turn.
            let is_this = turn.version == from.version || turn.began_at == Some(from.at);
            is_this && turn.deadline_at.is_some_and(|deadline| deadline > now)
        });
        Ok(turn.map(|turn| News { deadline_at: turn.deadline_at, player: turn.player, ..news.clone() }))
    }

    async fn for_webhooks(
        &self,
        from: &MatchNews,
        news: &News,
        owner: &ItemOwner,
        url: Option<&str>,
        deliveries: &mut Vec<Delivery>,
    ) -> Result<()> {
        let webhooks = self.stored_webhooks(owner).await?;
        if webhooks.is_empty() {
            return self.forget_if_silent(owner).await;
        }
        for (id, _) in webhooks.iter().filter(|(_, webhook)| webhook.takes(news.kind)) {
            let body = message::webhook(from, news, url);
            deliveries.push(delivery(from, news, owner, DeliveryWay::Webhook, id.as_str(), body));
        }
        Ok(())
    }

    async fn for_browsers(
        &self,
        matches: &Matches,
        from: &MatchNews,
        news: &News,
        url: Option<&str>,
        deliveries: &mut Vec<Delivery>,
    ) -> Result<()> {
        let (owner, now) = (ItemOwner::Player(news.player.clone()), self.parts.ambient.now());
        let mut subscriptions = self.stored_subscriptions(&owner).await?;
        subscriptions.retain(|(_, subscription)| subscription.takes(news.kind, now));
        if subscriptions.is_empty() {
            return Ok(());
        }
        let turns = match matches.turns_of(&news.player).await {
            Err(Refused::Store(error)) => return Err(error.into()),
            turns => turns.unwrap_or_default(),
        };
        let body = message::push(from, news, url, turns);
        for (id, _) in subscriptions {
            deliveries.push(delivery(from, news, &owner, DeliveryWay::Push, id.as_str(), body.clone()));
        }
        Ok(())
    }

    /// Takes an owner who has nothing any more off the list of those who listen.
    async fn forget_if_silent(&self, owner: &ItemOwner) -> Result<()> {
        let parts = &self.parts;
        if !parts.listeners.knows(owner) || !self.stored_subscriptions(owner).await?.is_empty() {
            return Ok(());
        }
        parts.listeners.remove(parts.items.as_ref(), owner, &parts.ambient).await?;
        // Something may have been made at the same moment.
        if !self.stored_webhooks(owner).await?.is_empty() || !self.stored_subscriptions(owner).await?.is_empty() {
            parts.listeners.add(parts.items.as_ref(), owner, &parts.ambient).await?;
        }
        Ok(())
    }

    /// Forgets a player who has left for good, and tells the operators' webhooks.
    ///
    /// # Errors
    /// If the store is away.
    pub(crate) async fn tell_deleted(&self, player: &PlayerId) -> Result<()> {
        let (parts, owner) = (&self.parts, ItemOwner::Player(player.clone()));
        parts.listeners.remove(parts.items.as_ref(), &owner, &parts.ambient).await?;
        self.tell_operators(NotificationType::PlayerDeleted, Some(player), None).await
    }

    /// Tells the operators' webhooks something that is about no match: that a player was deleted, or that a webhook, which
    /// was on since a moment, is switched off. Telling it again makes no other message.
    ///
    /// # Errors
    /// If the store is away.
    pub(super) async fn tell_operators(
        &self,
        kind: NotificationType,
        player: Option<&PlayerId>,
        off: Option<(&WebhookId, Timestamp)>,
    ) -> Result<()> {
        let (owner, now) = (ItemOwner::Service, self.parts.ambient.now());
        let (webhook_id, since) = off.map(|(id, since)| (id.as_str(), since.0)).unzip();
        let about = webhook_id.or(player.map(PlayerId::as_str)).unwrap_or_default();
        let mut deliveries = Vec::new();
        for (id, webhook) in self.stored_webhooks(&owner).await? {
            if webhook.takes(kind) {
                let body = message::bare(kind, now, player, webhook_id);
                let single = DeliveryId::of(&[
                    id.as_str().as_bytes(),
                    about.as_bytes(),
                    kind.name().as_bytes(),
                    &since.unwrap_or_default().to_be_bytes(),
                ]);
                deliveries.push(Delivery::new(single, &owner, DeliveryWay::Webhook, id.as_str(), kind, now, body));
            }
        }
        self.order(&deliveries).await
    }

    /// Tells a player's webhooks and browsers, and the operators' webhooks, of a session of the player that has just begun.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn tell_session(&self, players: &Players, player: &PlayerId, session: &SessionId) -> Result<()> {
        if self.parts.listeners.among(std::iter::once(player.clone())).is_empty() {
            return Ok(());
        }
        let sessions = players.sessions_of(player).await.map_err(|error| StoreError::Unavailable(error.into()))?;
        let Some(begun) = sessions.into_iter().find(|known| known.id == *session) else { return Ok(()) };
        let (kind, now, mut deliveries) = (NotificationType::SessionStarted, begun.created_at, Vec::new());
        let mut add = |owner: &ItemOwner, way: DeliveryWay, target: &str| {
            let single = [target, session.as_str(), kind.name()].map(str::as_bytes);
            let body = message::session(player, &begun, way);
            deliveries.push(Delivery::new(DeliveryId::of(&single), owner, way, target, kind, now, body));
        };
        let own = ItemOwner::Player(player.clone());
        for owner in [&own, &ItemOwner::Service] {
            for (id, _) in self.stored_webhooks(owner).await?.iter().filter(|(_, webhook)| webhook.takes(kind)) {
                add(owner, DeliveryWay::Webhook, id.as_str());
            }
        }
        for (id, _) in self.stored_subscriptions(&own).await?.iter().filter(|(_, to)| to.takes(kind, now)) {
            add(&own, DeliveryWay::Push, id.as_str());
        }
        self.order(&deliveries).await
    }

    /// Makes one attempt at a delivery, and notes it.
    ///
    /// # Errors
    /// If the store is away: then nothing is noted, and the attempt is made again.
    pub(crate) async fn send(&self, matches: &Matches, mut delivery: Delivery) -> Result<Sent> {
        let way = delivery.way;
        let attempt = match delivery.way {
            _ if delivery.attempts > 0 && self.is_over(matches, &delivery).await? => Attempt::NotTold,
            DeliveryWay::Webhook => self.attempt_webhook(&delivery).await?,
            DeliveryWay::Push => self.attempt_push(&delivery).await?,
        };
        let answer = match attempt {
            Attempt::Lost => return Ok(Sent { way, state: None, again: None, absent: false }),
            Attempt::NotTold => {
                (delivery.state, delivery.next_at) = (DeliveryState::Superseded, None);
                self.keep(&delivery).await?;
                self.parts.counts.count(way.name(), delivery.state.name());
                return Ok(Sent { way, state: Some(delivery.state), again: None, absent: false });
            }
            Attempt::Answered(answer) => answer,
        };
        let now = self.parts.ambient.now();
        delivery.attempts += 1;
        delivery.attempted_at = Some(now);
        delivery.status = answer.ok().map(|receipt| receipt.status);
        delivery.error = match answer {
            Ok(receipt) if is_success(receipt.status) => None,
            Ok(_) => Some(DeliveryFailure::Status),
            Err(error) => Some(word(error)),
        };
        let ends = delivery.error.is_none() || answer.is_ok_and(|receipt| is_final(way, receipt.status));
        let asked = answer.ok().and_then(|receipt| receipt.retry_after_seconds);
        let random = f64::from(u32::from_be_bytes(self.parts.ambient.bytes())) / f64::from(u32::MAX);
        let pause = if ends { None } else { pause_millis(delivery.attempts, asked, random) };
        delivery.next_at = pause.map(|millis| Timestamp(now.0.saturating_add(millis)));
        delivery.state = match (&delivery.error, pause) {
            (None, _) => DeliveryState::Delivered,
            (Some(_), Some(_)) => DeliveryState::Pending,
            (Some(_), None) => DeliveryState::Failed,
        };
        self.keep(&delivery).await?;
        self.parts.counts.count(way.name(), delivery.state.name());
        let again = delivery.next_at.map(|at| Ok::<_, StoreError>((at, delivery.encode()?))).transpose()?;
        let absent = answer.is_err_and(|error| error != OutboundError::Broken);
        Ok(Sent { way, state: Some(delivery.state), again, absent })
    }

    /// Returns true if a delivery is about a turn that does not go on, or a match that is not there any more.
    async fn is_over(&self, matches: &Matches, delivery: &Delivery) -> Result<bool> {
        let Some(StepOf { match_id, seat, version }) = &delivery.step else { return Ok(false) };
        if delivery.kind.is_of_turn() {
            let turn = open_turn(matches, match_id, *seat).await?;
            // A player who has left the seat has no turn.
            let is_told = |turn: &OpenTurn| match delivery.owner() {
                ItemOwner::Player(player) => player == turn.player,
                ItemOwner::Service => true,
            };
            return Ok(!turn.is_some_and(|turn| turn.version == *version && is_told(&turn)));
        }
        Ok(!matches.is_kept(match_id).await?)
    }

    async fn attempt_webhook(&self, delivery: &Delivery) -> Result<Attempt> {
        let (owner, now) = (delivery.owner(), self.parts.ambient.now());
        let Ok(id) = delivery.target.parse() else { return Ok(Attempt::Lost) };
        let webhook = match self.stored_webhook(&owner, &id).await {
            Err(NotificationRefused::NotFound) => return Ok(Attempt::Lost),
            found => found?,
        };
        if webhook.is_disabled() && delivery.kind != NotificationType::Test {
            return Ok(Attempt::NotTold);
        }
        let (seconds, body) = (now.unix_seconds(), delivery.body.as_bytes());
        let signatures = webhook.secrets(now).map(|secret| secret.sign(delivery.id.as_str(), seconds, body));
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("webhook-id", delivery.id.to_string()),
            ("webhook-timestamp", seconds.to_string()),
            ("webhook-signature", signatures.collect::<Vec<_>>().join(" ")),
        ];
        let answer = self.parts.outbound.post(&webhook.url, &headers, body.to_vec()).await;
        let arrived = answer.is_ok_and(|receipt| is_success(receipt.status));
        if !arrived || webhook.is_failing() {
            let gone = answer.is_ok_and(|receipt| receipt.status == GONE);
            match self.note_arrival(&owner, &id, arrived, gone).await {
                Ok(()) | Err(NotificationRefused::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Attempt::Answered(answer))
    }

    async fn attempt_push(&self, delivery: &Delivery) -> Result<Attempt> {
        let (owner, now, parts) = (delivery.owner(), self.parts.ambient.now(), &self.parts);
        let Some(vapid) = &parts.vapid else { return Ok(Attempt::Lost) };
        let subscription = match self.stored_subscription(&owner, &delivery.target).await {
            Err(NotificationRefused::NoSuchSubscription) => return Ok(Attempt::Lost),
            found => found?,
        };
        let endpoint = &subscription.endpoint;
        // Keys were checked when the subscription was made.
        let Ok(keys) = subscription.keys() else { return Ok(Attempt::Lost) };
        let Ok(sealed) = keys.encrypt(delivery.body.as_bytes(), parts.ambient.bytes()) else {
            return Ok(Attempt::Lost);
        };
        let Ok(authorization) = vapid.authorization(origin(endpoint), &parts.vapid_subject, now) else {
            return Ok(Attempt::Lost);
        };
        let left = delivery.deadline_at.map_or(PUSH_SECONDS_MAX, |deadline| (deadline.0 - now.0) / 1000);
        let mut headers = vec![
            ("authorization", authorization),
            ("content-encoding", "aes128gcm".to_owned()),
            ("content-type", "application/octet-stream".to_owned()),
            ("ttl", left.clamp(0, PUSH_SECONDS_MAX).to_string()),
            ("urgency", "normal".to_owned()),
        ];
        headers.extend(delivery.topic.clone().map(|topic| ("topic", topic)));
        let answer = parts.outbound.post(endpoint, &headers, sealed).await;
        if answer.is_ok_and(|receipt| is_final(DeliveryWay::Push, receipt.status)) {
            self.remove_subscription(&owner, &delivery.target).await?;
        }
        Ok(Attempt::Answered(answer))
    }
}

/// The turn of a seat; `None` for a match that cannot be read.
async fn open_turn(matches: &Matches, id: &MatchId, seat: Seat) -> Result<Option<OpenTurn>> {
    match matches.open_turn(id, seat).await {
        Err(Refused::Store(error)) => Err(error.into()),
        turn => Ok(turn.ok().flatten()),
    }
}

fn delivery(
    from: &MatchNews,
    news: &News,
    owner: &ItemOwner,
    way: DeliveryWay,
    target: &str,
    body: String,
) -> Delivery {
    let id = DeliveryId::of(&[
        target.as_bytes(),
        from.match_id.as_str().as_bytes(),
        &from.version.to_be_bytes(),
        &[news.seat.index() as u8],
        news.kind.name().as_bytes(),
        news.player.as_str().as_bytes(),
    ]);
    let mut delivery = Delivery::new(id, owner, way, target, news.kind, from.at, body);
    let (match_id, seat, version) = (from.match_id.clone(), news.seat, from.version);
    delivery.step = Some(StepOf { match_id, seat, version });
    delivery.topic = (way == DeliveryWay::Push).then(|| topic(from));
    delivery.deadline_at = news.deadline_at;
    delivery
}

/// The topic of a match's push messages: a newer one takes the place of an older one that was not shown yet.
fn topic(from: &MatchNews) -> String {
    let hash = digest(&SHA256, from.match_id.as_str().as_bytes());
    let mut topic = URL_SAFE_NO_PAD.encode(hash);
    topic.truncate(TOPIC_CHARACTERS);
    topic
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// Returns true for an answer after which there will be no other.
fn is_final(way: DeliveryWay, status: u16) -> bool {
    status == GONE || way == DeliveryWay::Push && status == NOT_FOUND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_is_scheme_and_authority() {
        for (url, expected) in [
            ("https://push.example/a/b?c", "https://push.example"),
            ("https://push.example:8443", "https://push.example:8443"),
            ("https://push.example?x=/", "https://push.example"),
        ] {
            assert_eq!(origin(url), expected);
        }
    }

    #[test]
    fn each_failure_has_its_word() {
        for (error, expected) in [
            (OutboundError::Dns, "dns"),
            (OutboundError::Blocked, "blocked"),
            (OutboundError::Connect, "connect"),
            (OutboundError::Broken, "connect"),
            (OutboundError::Tls, "tls"),
            (OutboundError::Timeout, "timeout"),
        ] {
            assert_eq!(serde_json::to_value(word(error)).unwrap(), expected);
        }
    }
}
