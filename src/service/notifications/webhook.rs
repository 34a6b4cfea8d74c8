//! A webhook, as it is stored and as its owner sees it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::signature::WebhookSecret;
use sarsen_accounts::notifications::NotificationType;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::WebhookId;
use sarsen_store::upgrade::Formed;

/// The most secrets that sign at a time.
const SECRETS_MAX: usize = 3;

/// A webhook fails for so long without a success before it is switched off, in seconds: five days.
const FAILING_SECONDS: u32 = 5 * 24 * 60 * 60;

/// The reason why a webhook was switched off. More may come: ignore one that you do not know.
///
/// - `gone`: The receiver answered 410.
/// - `failing`: For five days no delivery arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisabledReason {
    /// The receiver answered 410.
    Gone,
    /// For five days no delivery arrived.
    Failing,
}

/// A webhook to make.
#[derive(Clone, Debug)]
pub struct WebhookTerms {
    /// The URL that is sent to.
    pub url: String,
    /// The types that are sent.
    pub events: BTreeSet<NotificationType>,
    /// The owner's own words.
    pub description: Option<String>,
}

/// A change of a webhook; `None` leaves a property as it is.
#[derive(Clone, Debug, Default)]
pub struct WebhookChange {
    /// The URL.
    pub url: Option<String>,
    /// The types.
    pub events: Option<BTreeSet<NotificationType>>,
    /// The owner's own words; an inner `None` removes them.
    pub description: Option<Option<String>>,
}

/// A webhook as its owner sees it, without its secrets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The URL that is sent to.
    pub url: String,
    /// The types that are sent.
    pub events: BTreeSet<NotificationType>,
    /// The owner's own words.
    pub description: Option<String>,
    /// The time of its making.
    pub created_at: Timestamp,
    /// The reason why it is switched off, if it is.
    pub disabled: Option<DisabledReason>,
}

/// A secret as stored; `until` is the end of one that another has taken the place of.
#[derive(Clone, Serialize, Deserialize)]
struct StoredSecret {
    secret: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Timestamp>,
}

/// A webhook as stored.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct StoredWebhook {
    #[serde(rename = "v")]
    form: u16,
    pub(super) url: String,
    /// Types that another release knows are left out when it is read.
    events: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    secrets: Vec<StoredSecret>,
    pub(super) created_at: Timestamp,
    /// The last time that it was switched on again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    enabled_at: Option<Timestamp>,
    /// The first failure since the last success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failing_since: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disabled: Option<DisabledReason>,
}

sarsen_store::formed!(StoredWebhook, "webhook", "v", &[]);

fn names(events: &BTreeSet<NotificationType>) -> Vec<String> {
    events.iter().map(|kind| kind.name().to_owned()).collect()
}

impl StoredWebhook {
    pub(super) fn new(terms: WebhookTerms, ambient: &Ambient) -> StoredWebhook {
        let secret = StoredSecret { secret: WebhookSecret::generate(ambient).expose(), until: None };
        StoredWebhook {
            form: StoredWebhook::FORMS.present(),
            url: terms.url,
            events: names(&terms.events),
            description: terms.description,
            secrets: vec![secret],
            created_at: ambient.now(),
            enabled_at: None,
            failing_since: None,
            disabled: None,
        }
    }

    pub(super) fn facts(&self, id: WebhookId) -> Webhook {
        Webhook {
            id,
            url: self.url.clone(),
            events: self.events.iter().filter_map(|name| name.parse().ok()).collect(),
            description: self.description.clone(),
            created_at: self.created_at,
            disabled: self.disabled,
        }
    }

    /// Returns true if it is on and takes notifications of this type.
    pub(super) fn takes(&self, kind: NotificationType) -> bool {
        self.disabled.is_none() && self.events.iter().any(|name| name == kind.name())
    }

    pub(super) fn is_disabled(&self) -> bool {
        self.disabled.is_some()
    }

    /// Returns true if nothing has arrived since the last failure.
    pub(super) fn is_failing(&self) -> bool {
        self.failing_since.is_some()
    }

    pub(super) fn change(&mut self, change: WebhookChange) {
        if let Some(url) = change.url {
            self.url = url;
        }
        if let Some(events) = change.events {
            self.events = names(&events);
        }
        if let Some(description) = change.description {
            self.description = description;
        }
    }

    /// The secrets that sign at this moment, the newest first.
    pub(super) fn secrets(&self, now: Timestamp) -> impl Iterator<Item = WebhookSecret> {
        let live = self.secrets.iter().filter(move |secret| secret.until.is_none_or(|until| until > now));
        live.filter_map(|secret| secret.secret.parse().ok())
    }

    /// Puts a new secret in front; those before sign for `grace_seconds` more at most.
    pub(super) fn rotate(&mut self, grace_seconds: u32, ambient: &Ambient) {
        let now = ambient.now();
        let until = now.plus_seconds(grace_seconds);
        self.secrets.retain(|secret| secret.until.is_none_or(|until| until > now));
        for secret in &mut self.secrets {
            secret.until = Some(secret.until.map_or(until, |earlier| earlier.min(until)));
        }
        let secret = WebhookSecret::generate(ambient).expose();
        self.secrets.insert(0, StoredSecret { secret, until: None });
        self.secrets.truncate(SECRETS_MAX);
    }

    pub(super) fn enable(&mut self, now: Timestamp) {
        (self.disabled, self.failing_since, self.enabled_at) = (None, None, Some(now));
    }

    /// The time from which on it has been on, or was before it was switched off.
    pub(super) fn on_since(&self) -> Timestamp {
        self.enabled_at.unwrap_or(self.created_at)
    }

    /// Returns true if one more failure switches it off: after five days of nothing else, or where its receiver is gone.
    pub(super) fn is_to_go_off(&self, now: Timestamp, gone: bool) -> bool {
        let fails_long = |since: Timestamp| since.plus_seconds(FAILING_SECONDS) <= now;
        !self.is_disabled() && (gone || self.failing_since.is_some_and(fails_long))
    }

    /// Notes a success. Returns true if that changes anything.
    pub(super) fn succeeded(&mut self) -> bool {
        self.failing_since.take().is_some()
    }

    /// Notes a failure. Returns true if that changes anything.
    pub(super) fn failed(&mut self, now: Timestamp, gone: bool) -> bool {
        if self.is_to_go_off(now, gone) {
            self.disabled = Some(if gone { DisabledReason::Gone } else { DisabledReason::Failing });
            return true;
        }
        let is_first = self.failing_since.is_none();
        self.failing_since.get_or_insert(now);
        is_first
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use sarsen_base::ambient::{FixedClock, FixedEntropy};

    /// A webhook as form 1 has it.
    const WEBHOOK_1: &str = r#"{"v":1,"url":"https://hook.example/","events":["match.turn_started","later.type"],"description":"mine","secrets":[{"secret":"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},{"secret":"whsec_AAEC","until":5}],"created_at":1,"failing_since":2,"disabled":"failing"}"#;

    #[test]
    fn form_1_is_read_and_written_alike() {
        let read = StoredWebhook::decode(WEBHOOK_1.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(read.encode().unwrap()).unwrap(), WEBHOOK_1);
        let facts = read.facts(WebhookId::from_number(1));
        assert_eq!(facts.events, BTreeSet::from([NotificationType::TurnStarted]));
        assert_eq!((read.secrets(Timestamp(4)).count(), read.secrets(Timestamp(5)).count()), (2, 1));
        assert!(!read.takes(NotificationType::TurnStarted), "it is off");
    }

    fn made() -> (StoredWebhook, Arc<FixedClock>, Ambient) {
        let clock = Arc::new(FixedClock::at(Timestamp(1_000_000)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let events = BTreeSet::from([NotificationType::MatchEnded]);
        let terms = WebhookTerms { url: "https://hook.example/".to_owned(), events, description: None };
        (StoredWebhook::new(terms, &ambient), clock, ambient)
    }

    #[test]
    fn secrets_overlap_for_the_grace_and_no_more_than_three_live() {
        let (mut webhook, clock, ambient) = made();
        let first: Vec<_> = webhook.secrets(ambient.now()).collect();
        webhook.rotate(60, &ambient);
        let both: Vec<_> = webhook.secrets(ambient.now()).collect();
        assert!(both.len() == 2 && both[1] == first[0] && both[0] != first[0]);
        clock.advance_seconds(60);
        assert_eq!(webhook.secrets(ambient.now()).collect::<Vec<_>>(), both[..1]);
        for _ in 0..5 {
            webhook.rotate(60, &ambient);
        }
        assert_eq!(webhook.secrets(ambient.now()).count(), 3);
        webhook.rotate(0, &ambient);
        assert_eq!(webhook.secrets(ambient.now()).count(), 1);
    }

    #[test]
    fn five_days_of_failures_switch_it_off_and_a_success_starts_anew() {
        let (mut webhook, clock, ambient) = made();
        let day = 24 * 60 * 60;
        assert!(webhook.failed(ambient.now(), false) && !webhook.failed(ambient.now(), false));
        clock.advance_seconds(4 * day);
        assert!(!webhook.failed(ambient.now(), false) && webhook.succeeded() && !webhook.succeeded());
        assert!(webhook.failed(ambient.now(), false));
        clock.advance_seconds(5 * day - 1);
        assert!(!webhook.failed(ambient.now(), false) && webhook.takes(NotificationType::MatchEnded));
        clock.advance_seconds(1);
        assert!(webhook.failed(ambient.now(), false) && !webhook.takes(NotificationType::MatchEnded));
        assert_eq!(webhook.facts(WebhookId::from_number(1)).disabled, Some(DisabledReason::Failing));
        webhook.enable(ambient.now());
        assert!(webhook.takes(NotificationType::MatchEnded) && !webhook.takes(NotificationType::MatchStarted));
    }
}
