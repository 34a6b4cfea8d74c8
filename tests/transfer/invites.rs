//! Codes of invites go with their matches.

use std::path::Path;

use sarsen::ambient::Ambient;
use sarsen::app::{self, Running};
use sarsen::config::Settings;
use sarsen::http::settings::ServerConfig;
use sarsen::matches::invites::NewInvite;
use sarsen::matches::model::table_terms::TableTerms;
use sarsen::matches::model::terms::{Seated, StartMode, Visibility};
use sarsen::matches::{NewMatch, Reader};
use sarsen::rules::Seat;
use sarsen::transfer::{export, import};
use serde_json::Value;

use crate::transfer::{Faults, embedded, games};

async fn running(directory: &Path) -> Running {
    let server = ServerConfig { workers: Some(1), ..ServerConfig::default() };
    app::start(Settings { server, ..Settings::local(directory) }, games()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_opens_its_match_wherever_it_has_been_carried() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let first = running(&path("first")).await;
    let guest = first.service.players.create_guest("Ann".parse().unwrap(), None).await.unwrap();
    let ann = Seated::person(guest.player.id.clone(), "Ann".to_owned());
    let new = NewMatch {
        game: "contiguity".to_owned(),
        options: Value::Null,
        seats: None,
        seat: Seat::new(0),
        bots: Vec::new(),
        hints: None,
        undo: None,
        visibility: Some(Visibility::Private),
        start: StartMode::WhenFull,
        move_time_seconds: None,
        expires_in_seconds: None,
        table: TableTerms::default(),
        clock: None,
        rated: false,
        exclusive: None,
    };
    let made = first.service.matches.create(ann.clone(), Ok(new), None).await.unwrap().viewed;
    let id = made.live.stored.id.clone();
    let asked = NewInvite { seat: None, substitutes: false, uses: 3, seconds: 3_000_000 };
    let invite = first.service.matches.make_invite(&Reader::player(ann.id), &id, Ok(asked)).await.unwrap();
    first.stop().await.unwrap();

    let mut faults = Faults::default();
    let store = embedded(&path("first")).await;
    export::export(&*store, &path("out"), None, &Ambient::system(), &mut faults).await.unwrap();
    store.close().await;
    let store = embedded(&path("second")).await;
    import::import(&*store, &path("out"), &mut faults).await.unwrap();
    store.close().await;
    assert!(faults.0.is_empty(), "{:?}", faults.0);

    let second = running(&path("second")).await;
    let open = second.service.matches.invitation(&invite.code).await.unwrap();
    assert_eq!((&open.viewed.live.stored.id, open.until), (&id, Some(invite.until)));
    assert!(second.service.matches.invitation(&invite.code[1..]).await.is_err());
    // So does the code that a private match has by itself.
    let own = made.live.stored.terms.invite.clone().unwrap();
    let open = second.service.matches.invitation(&own).await.unwrap();
    assert_eq!((&open.viewed.live.stored.id, open.until), (&id, None));
    second.stop().await.unwrap();
}
