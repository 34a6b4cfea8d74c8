//! Messages: the body of a webhook, and the payload of a push message in the form of declarative Web Push.

use serde::Serialize;
use serde_json::{Value, json};

use super::delivery::DeliveryWay;
use sarsen_accounts::notifications::NotificationType;
use sarsen_accounts::players::SessionFacts;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};
use sarsen_matches::news::{MatchNews, News, RatingNews};
use sarsen_rules::{Outcome, Seat};

/// The longest message, in bytes. Beyond that the result is left out, which the match has.
const MESSAGE_MAX: usize = 3_500;

/// The placeholder of a match's id in an address.
pub(super) const ID: &str = "{id}";

/// The subject of a message.
#[derive(Default, Serialize)]
struct Facts<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    match_id: Option<&'a MatchId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player_id: Option<&'a PlayerId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<&'a RatingNews>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a SessionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<&'a str>,
}

#[derive(Serialize)]
struct Message<'a> {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    shown: Option<Value>,
    r#type: &'static str,
    timestamp: String,
    data: Facts<'a>,
}

fn written(mut message: Message<'_>) -> String {
    // It is texts, numbers and lists of them; writing it cannot fail.
    let whole = serde_json::to_string(&message).unwrap_or_default();
    if whole.len() <= MESSAGE_MAX {
        return whole;
    }
    message.data.outcome = None;
    serde_json::to_string(&message).unwrap_or_default()
}

/// The address of a match, where the operator has named one.
pub(super) fn url(pattern: Option<&str>, id: &MatchId) -> Option<String> {
    pattern.map(|pattern| pattern.replace(ID, id.as_str()))
}

/// The message of a piece of news; with `shown` in the form for browsers.
fn of(from: &MatchNews, news: &News, url: Option<&str>, shown: Option<Value>) -> String {
    written(Message {
        shown,
        r#type: news.kind.name(),
        timestamp: from.at.rfc3339(),
        data: Facts {
            match_id: Some(&from.match_id),
            game: Some(&from.game),
            version: Some(from.version),
            seat: Some(news.seat),
            player_id: Some(&news.player),
            deadline_at: news.deadline_at.map(Timestamp::rfc3339),
            status: Some(from.status.name()),
            outcome: from.outcome.as_ref(),
            rating: news.rating.as_ref(),
            url,
            ..Facts::default()
        },
    })
}

/// The body of a webhook.
pub(super) fn webhook(from: &MatchNews, news: &News, url: Option<&str>) -> String {
    of(from, news, url, None)
}

/// The payload of a push message: a title and a sentence in English, with the facts for apps that use their own words.
/// `turns` is the number of matches that wait for the player, for the badge of an app.
pub(super) fn push(from: &MatchNews, news: &News, url: Option<&str>, turns: u32) -> String {
    let (title, mut sentence) = words(news.kind);
    let rated;
    if let Some(RatingNews { before, after, .. }) = news.rating {
        rated = format!("Your rating is {after} ({:+}).", after - before);
        sentence = &rated;
    }
    let mut shown = notification(title, &format!("{sentence} ({})", from.game), url, from.match_id.as_str());
    // The standard has the badge beside the notification; the browser that came first reads it in there.
    (shown["app_badge"], shown["notification"]["app_badge"]) = (json!(turns), json!(turns));
    of(from, news, url, Some(shown))
}

fn notification(title: &str, body: &str, url: Option<&str>, tag: &str) -> Value {
    let mut shown = json!({"title": title, "body": body, "tag": tag});
    if let Some(url) = url {
        shown["navigate"] = json!(url);
    }
    json!({"web_push": 8030, "notification": shown})
}

/// The body of what is about no match.
pub(super) fn bare(
    kind: NotificationType,
    at: Timestamp,
    player_id: Option<&PlayerId>,
    webhook_id: Option<&str>,
) -> String {
    written(Message {
        shown: None,
        r#type: kind.name(),
        timestamp: at.rfc3339(),
        data: Facts { player_id, webhook_id, ..Facts::default() },
    })
}

/// The message of a session of the player that has begun, for each way.
pub(super) fn session(player: &PlayerId, session: &SessionFacts, way: DeliveryWay) -> String {
    let (kind, device) = (NotificationType::SessionStarted, session.device.as_deref());
    let (title, sentence) = words(kind);
    let sentence = device.map_or_else(|| sentence.to_owned(), |device| format!("{sentence} ({device})"));
    written(Message {
        shown: (way == DeliveryWay::Push).then(|| notification(title, &sentence, None, session.id.as_str())),
        r#type: kind.name(),
        timestamp: session.created_at.rfc3339(),
        data: Facts { player_id: Some(player), session_id: Some(&session.id), device, ..Facts::default() },
    })
}

/// The payload of a test.
pub(super) fn push_test() -> String {
    notification("Notifications work", "This is a test.", None, "test").to_string()
}

const fn words(kind: NotificationType) -> (&'static str, &'static str) {
    match kind {
        NotificationType::MatchInvited => ("Invitation", "You are invited to a match."),
        NotificationType::InvitationDeclined => ("Invitation declined", "A player does not come to your match."),
        NotificationType::PlayerRemoved => ("Removed", "You were removed from a match."),
        NotificationType::SeatSubstituted => ("Seat taken over", "Somebody took over a seat of your match."),
        NotificationType::MatchStarted => ("Match started", "Your match has started."),
        NotificationType::TurnStarted => ("Your turn", "It is your turn."),
        NotificationType::TurnReminder => ("Your turn", "Your time runs out soon."),
        NotificationType::DrawOffered => ("Draw offered", "Another player offers a draw."),
        NotificationType::TakebackOffered => ("Takeback offered", "Another player asks to take moves back."),
        NotificationType::MatchEnded => ("Match over", "Your match has ended."),
        NotificationType::MatchAborted => ("Match called off", "Your match was called off."),
        NotificationType::TicketMatched => ("Opponent found", "You are paired, and your match is there."),
        NotificationType::RatingChanged => ("Rating", "Your rating has changed."),
        NotificationType::SessionStarted => ("New session", "A further device was signed in to your account."),
        NotificationType::PlayerDeleted | NotificationType::WebhookDisabled | NotificationType::Test => {
            ("Notification", "Something has happened.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_store::Stage;

    fn news() -> (MatchNews, News) {
        let news = News {
            kind: NotificationType::TurnStarted,
            seat: Seat::new(1).unwrap(),
            player: PlayerId::from_number(2),
            deadline_at: Some(Timestamp(1_795_392_000_000)),
            rating: None,
        };
        let from = MatchNews {
            match_id: "m_0190163d8694739ea2a3c9f1e7d1a111".parse().unwrap(),
            game: "contiguity".to_owned(),
            version: 17,
            at: Timestamp(1_795_305_600_000),
            status: Stage::Playing,
            outcome: None,
            news: vec![news.clone()],
        };
        (from, news)
    }

    #[test]
    fn a_body_has_the_facts_and_leaves_out_what_is_not() {
        let (from, news) = news();
        let url = url(Some("https://app.example/m/{id}"), &from.match_id);
        assert_eq!(
            webhook(&from, &news, url.as_deref()),
            r#"{"type":"match.turn_started","timestamp":"2026-11-22T00:00:00.000Z","data":{"match_id":"m_0190163d8694739ea2a3c9f1e7d1a111","game":"contiguity","version":17,"seat":1,"player_id":"p_00000000000000000000000000000002","deadline_at":"2026-11-23T00:00:00.000Z","status":"playing","url":"https://app.example/m/m_0190163d8694739ea2a3c9f1e7d1a111"}}"#
        );
        assert_eq!(
            bare(NotificationType::Test, from.at, None, None),
            r#"{"type":"webhook.test","timestamp":"2026-11-22T00:00:00.000Z","data":{}}"#
        );
    }

    #[test]
    fn a_body_has_at_most_four_kilobytes() {
        let (mut from, mut news) = news();
        (news.kind, from.status) = (NotificationType::MatchEnded, Stage::Finished);
        let url = format!("https://app.example/{}", "m".repeat(256));
        for (length, told) in [(100, true), (4_000, false)] {
            let outcome = json!({"ending": "x".repeat(length), "standings": []});
            from.outcome = Some(serde_json::from_value(outcome).unwrap());
            for body in [webhook(&from, &news, Some(&url)), push(&from, &news, Some(&url), 9)] {
                let read: Value = serde_json::from_str(&body).unwrap();
                assert!(body.len() <= 4_096 && read["data"]["outcome"].is_object() == told, "{body}");
                assert_eq!((&read["data"]["status"], &read["data"]["url"]), (&json!("finished"), &json!(url)));
            }
        }
    }

    #[test]
    fn a_browser_shows_a_push_message_by_itself() {
        let (from, mut news) = news();
        let pushed: Value = serde_json::from_str(&push(&from, &news, Some("https://app.example/m/1"), 3)).unwrap();
        assert_eq!((&pushed["web_push"], &pushed["type"]), (&json!(8030), &json!("match.turn_started")));
        assert_eq!(
            pushed["notification"],
            json!({"title": "Your turn", "body": "It is your turn. (contiguity)",
                   "navigate": "https://app.example/m/1", "tag": "m_0190163d8694739ea2a3c9f1e7d1a111", "app_badge": 3})
        );
        assert_eq!((&pushed["data"]["version"], &pushed["app_badge"]), (&json!(17), &json!(3)));
        news.kind = NotificationType::RatingChanged;
        news.rating = Some(RatingNews { board: "contiguity.2.live".to_owned(), before: 1500, after: 1338 });
        let pushed: Value = serde_json::from_str(&push(&from, &news, None, 0)).unwrap();
        assert_eq!(pushed["notification"]["body"], "Your rating is 1338 (-162). (contiguity)");
        assert_eq!(pushed["data"]["rating"], json!({"board": "contiguity.2.live", "before": 1500, "after": 1338}));
    }
}
