//! Streams at their own addresses, and records of steps that show the match: whoever follows with `include` needs no other
//! request, and is shown what that reader may see and nothing else.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::Client;
use crate::events::{NDJSON, SSE, Stream, data};
use crate::tables::{Pair, WIN};
use crate::world::{World, cases};

cases!(
    a_stream_has_an_address_of_its_own, the_first_block_carries_data, the_last_event_of_a_step_is_marked,
        a_client_plays_by_its_stream_alone, each_record_shows_what_its_reader_may_see, the_first_record_is_now,
        a_page_can_show_the_match, who_leaves_or_takes_a_seat_is_shown_another_view,
        words_stand_beside_steps_for_those_who_ask, each_is_told_in_the_words_that_it_asked_for,
        what_is_included_is_asked_for_in_order, who_lags_gets_the_newest_version_once;
    on both stores: my_stream_shows_each_match_once;
);

async fn a_stream_has_an_address_of_its_own(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    for (own, old) in [(pair.path("/stream"), pair.path("/events")), ("/v1/me/stream".into(), "/v1/me/events".into())] {
        let mut ways = Vec::new();
        // It has one form, so it does not judge `Accept`: many clients ask for JSON wherever they ask.
        let whatever = ["*/*", "application/json", NDJSON, "text/event-stream;q=0"].map(|accept| (&own, accept));
        for (path, accept) in [(&own, SSE), (&old, SSE)].into_iter().chain(whatever) {
            let answer = ann.get_with(&format!("{path}?wait=0"), "accept", accept).await;
            assert_eq!(answer.header("content-type"), Some("text/event-stream; charset=utf-8"), "{path}");
            // All but the time at which it was sent.
            let text = answer.text();
            let parts = text.split("\"server_time\":").enumerate();
            ways.push(parts.map(|(part, text)| if part == 0 { text } else { &text[27..] }).collect::<String>());
        }
        assert!(ways[0].contains("\ndata: {") && ways.iter().all(|text| *text == ways[0]), "{ways:?}");
    }
    world.nobody().get("/v1/me/stream").await.refused(401, "unauthenticated");
    pair.play_all(&WIN).await;
    let last = data(Stream::open(ann, &pair.path("/stream"), SSE, None).await.rest().await);
    let id = last.last().unwrap()["id"].as_str().unwrap();
    let ended = ann.get_with(&pair.path("/stream"), "last-event-id", id).await;
    assert_eq!(ended.status, 204, "{}", ended.text());
}

async fn the_first_block_carries_data(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let read = async |path: String| ann.get_with(&path, "accept", SSE).await.text();
    for query in ["?wait=0", "?wait=0&include=view"] {
        let text = read(pair.path(&format!("/stream{query}"))).await;
        let first = text.split("\n\n").next().unwrap();
        let fields: Vec<&str> = first.lines().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(fields, ["retry", "id", "data"], "{text}");
        assert_eq!(text.matches("retry:").count(), 1, "{text}");
    }
    // With nothing to tell yet, the connection opens with a comment, which no client takes for an event.
    let newest = ann.get(&pair.path("/events")).await.ok()["resume_cursor"].as_str().unwrap().to_owned();
    let text = read(pair.path(&format!("/stream?wait=0&after={newest}"))).await;
    assert!(text.split("\n\n").all(|block| block.is_empty() || block.starts_with(':')), "{text}");
}

async fn the_last_event_of_a_step_is_marked(world: &mut World) {
    let (id, players) = dealt(world).await;
    for reader in [&players[0], &players[1], &world.nobody()] {
        let events = reader.events(&id).await;
        for (place, event) in events.iter().enumerate() {
            let next = events.get(place + 1);
            assert_eq!(event["last"], next.is_none_or(|next| next["version"] != event["version"]), "{event}");
        }
        assert!(events.iter().any(|event| event["last"] == false), "some step brings more than one event");
    }
}

/// A match of two with hidden cards, begun.
async fn dealt(world: &World) -> (String, Vec<Client>) {
    let players = vec![world.guest("Ann").await, world.guest("Ben").await];
    let made = players[0].create(json!({"game": "absolution", "seats": 2})).await;
    let id = made["match"]["id"].as_str().unwrap().to_owned();
    players[1].post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    (id, players)
}

/// Makes the first move that the record lists. Answers the version that it made.
async fn play_first(player: &Client, record: &Value) -> u64 {
    let decision = &record["decision"];
    let body = json!({"decision_id": decision["id"], "notation": decision["legal_moves"]["notations"][0]});
    let id = record["match"]["id"].as_str().unwrap();
    let made = player.post(&format!("/v1/matches/{id}/moves?legal_moves=none"), body).await.ok();
    made["version"].as_u64().unwrap()
}

async fn a_client_plays_by_its_stream_alone(world: &mut World) {
    let (id, players) = dealt(world).await;
    let path = format!("/v1/matches/{id}/stream?include=view,decision&legal_moves=notation");
    let mut streams = Vec::new();
    for player in &players {
        streams.push(Stream::open(player, &path, SSE, None).await);
    }
    let mut now: Vec<Value> = Vec::new();
    for stream in &mut streams {
        now.push(stream.next().await.unwrap().data);
    }
    let mut told: Vec<Vec<Value>> = vec![Vec::new(); 2];
    for _ in 0..200 {
        let Some(seat) = now[0]["match"]["to_act"][0].as_u64() else { break };
        let seat = seat as usize;
        assert!(now[1 - seat]["decision"].is_null() || now[1 - seat]["match"]["to_act"].as_array().unwrap().len() == 2);
        let version = play_first(&players[seat], &now[seat]).await;
        for (seat, stream) in streams.iter_mut().enumerate() {
            while now[seat]["version"].as_u64().unwrap() < version {
                now[seat] = stream.next().await.unwrap().data;
                told[seat].extend(now[seat]["events"].as_array().unwrap().clone());
            }
        }
    }
    assert_eq!(now[0]["match"]["status"], "finished");
    for (seat, stream) in streams.into_iter().enumerate() {
        assert!(stream.rest().await.is_empty(), "the stream ends with the match");
        // Nothing was left out and nothing told twice: what came before is what the stream began with.
        let all = players[seat].events(&id).await;
        assert_eq!(told[seat], all[all.len() - told[seat].len()..]);
        let read = players[seat].get(&format!("/v1/matches/{id}?legal_moves=notation")).await.ok();
        for part in ["match", "state", "decision"] {
            assert_eq!(now[seat][part], read[part]);
        }
    }
}

async fn each_record_shows_what_its_reader_may_see(world: &mut World) {
    let (id, players) = dealt(world).await;
    let nobody = world.nobody();
    let other = if world.shares_a_store() { Some(world.add_instance().await) } else { None };
    let mut watchers = Vec::new();
    let readers = [players[0].clone(), players[1].clone(), nobody.clone(), nobody];
    for (number, reader) in readers.iter().enumerate() {
        // Some follow at another instance.
        let reader = match other.filter(|_| number % 2 == 1) {
            Some(other) => reader.at(world.base(other)),
            None => reader.clone(),
        };
        for (path, form) in [("stream", SSE), ("events", NDJSON)] {
            for include in ["view", "view,decision"] {
                let path = format!("/v1/matches/{id}/{path}?include={include}");
                watchers.push((reader.clone(), include, Stream::open(&reader, &path, form, None).await));
            }
        }
    }
    for (_, _, stream) in &mut watchers {
        stream.next().await.unwrap();
    }
    let seen = players[0].read(&id).await;
    let seat = seen["match"]["to_act"][0].as_u64().unwrap() as usize;
    let seen = players[seat].get(&format!("/v1/matches/{id}?legal_moves=notation")).await.ok();
    let version = play_first(&players[seat], &seen).await;
    let mut views = std::collections::BTreeSet::new();
    for (reader, include, mut stream) in watchers {
        let record = stream.next().await.unwrap().data;
        assert_eq!(record["version"], version);
        let read = reader.read(&id).await;
        assert_eq!((&record["match"], &record["state"]), (&read["match"], &read["state"]));
        assert_eq!(record.get("decision"), Some(&read["decision"]).filter(|_| include == "view,decision"));
        let told: Vec<Value> = reader.events(&id).await.into_iter().filter(|told| told["version"] == version).collect();
        assert_eq!(record["events"], json!(told));
        views.insert(record["state"].to_string());
    }
    assert_eq!(views.len(), 3, "two hands, and neither for those who watch");
}

async fn the_first_record_is_now(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let version = pair.version().await;
    let path = pair.path("/stream?include=view&wait=0");
    let first = async |last: Option<&str>| data(Stream::open(ann, &path, SSE, last).await.rest().await);
    let now = first(None).await;
    assert_eq!(now.len(), 1);
    assert_eq!((&now[0]["version"], &now[0]["events"]), (&json!(version), &json!([])));
    assert_eq!(now[0]["state"], ann.read(&pair.id).await["state"]);
    let cursor = now[0]["cursor"].as_str().unwrap().to_owned();
    // Who has missed nothing is told how the match stands, and who has is told what was missed.
    let again = first(Some(&cursor)).await;
    assert_eq!((again.len(), &again[0]["events"], &again[0]["cursor"]), (1, &json!([]), &json!(cursor)));
    let all = ann.events(&pair.id).await;
    assert_eq!(first(Some("0.0")).await[0]["events"], json!(all));
    assert_eq!(first(Some("1.0")).await[0]["events"], json!(all[1..]));
    pair.play_all(&WIN).await;
    let missed = first(Some(&cursor)).await;
    let since: Vec<Value> = ann.events(&pair.id).await.split_off(all.len());
    assert_eq!((missed.len(), &missed[0]["events"]), (1, &json!(since)));
    assert_eq!(missed[0]["match"]["status"], "finished");
    let cursor = missed[0]["cursor"].as_str().unwrap();
    assert_eq!(ann.get_with(&path, "last-event-id", cursor).await.status, 204, "nothing will follow");
    assert_eq!(first(None).await.len(), 1, "but whoever comes new is shown the end");
}

async fn who_lags_gets_the_newest_version_once(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let before = ann.get(&pair.path("/events")).await.ok()["resume_cursor"].as_str().unwrap().to_owned();
    pair.play_all(&WIN[..3]).await;
    let version = pair.version().await;
    let mut stream = Stream::open(ann, &pair.path("/stream?include=view"), SSE, Some(&before)).await;
    let record = stream.next().await.unwrap();
    assert_eq!(record.data["version"], version);
    let versions: std::collections::BTreeSet<u64> =
        record.data["events"].as_array().unwrap().iter().map(|event| event["version"].as_u64().unwrap()).collect();
    assert_eq!(versions.len(), 3, "{record:?}");
    assert_eq!(record.id.as_deref(), record.data["cursor"].as_str());
    pair.play_all(&WIN[3..4]).await;
    assert_eq!(stream.next().await.unwrap().data["version"], version + 1);
}

async fn a_page_can_show_the_match(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    let page = actor.get(&pair.path("/events?include=view,decision&legal_moves=none")).await.ok();
    let (items, read) = (page["items"].as_array().unwrap(), actor.read(&pair.id).await);
    assert_eq!(items.len(), 1);
    assert_eq!((&items[0]["match"], &items[0]["state"]), (&read["match"], &read["state"]));
    assert_eq!(
        (&items[0]["decision"]["id"], &items[0]["decision"]["legal_moves"]),
        (&json!(turn.decision), &json!(null))
    );
    assert_eq!((&page["next_cursor"], &page["resume_cursor"]), (&json!(null), &items[0]["cursor"]));
    // Behind that there is nothing until something happens.
    let after = page["resume_cursor"].as_str().unwrap();
    let path = pair.path(&format!("/events?include=view&after={after}"));
    assert_eq!(actor.get(&path).await.ok()["items"], json!([]));
    let waiting = format!("{path}&wait=20");
    let (page, _) = tokio::join!(actor.get(&waiting), async {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        actor.play(&pair.id, &turn.decision, WIN[0]).await.ok();
    });
    let items = page.ok()["items"].clone();
    assert_eq!((items.as_array().unwrap().len(), &items[0]["version"]), (1, &json!(pair.version().await)));
    assert_eq!(items[0]["events"][0]["event"]["type"], "move_made");
}

async fn who_leaves_or_takes_a_seat_is_shown_another_view(world: &mut World) {
    let [ann, ben] = [world.guest("Ann").await, world.guest("Ben").await];
    let made = ann.create(json!({"visibility": "private", "start": "manual"})).await;
    let (id, invite) = (made["match"]["id"].as_str().unwrap().to_owned(), made["match"]["invite_code"].clone());
    let join = json!({"invite": invite});
    ben.post(&format!("/v1/matches/{id}/join"), join.clone()).await.ok();
    let path = format!("/v1/matches/{id}/stream?include=view");
    let mut theirs = Stream::open(&ann, &path, SSE, None).await;
    let mut his = Stream::open(&ben, &path, SSE, None).await;
    let invited = format!("{path}&invite={}", invite.as_str().unwrap());
    let mut guests = Stream::open(&world.nobody(), &invited, SSE, None).await;
    let now = [&mut theirs, &mut his, &mut guests];
    let mut shown = Vec::new();
    for stream in now {
        let record = stream.next().await.unwrap().data;
        shown.push((record["match"]["your_seat"].clone(), record["match"]["invite_code"].clone()));
    }
    assert_eq!(shown, [(json!(0), invite.clone()), (json!(1), invite.clone()), (json!(null), json!(null))]);
    ben.act(&id, "leave").await.ok();
    assert!(his.rest().await.is_empty(), "he may not see it any more");
    assert_eq!(theirs.next().await.unwrap().data["match"]["seats"][1]["player"], json!(null));
    assert_eq!(guests.next().await.unwrap().data["match"]["invite_code"], json!(null));

    let made = ann.create(json!({"game": "absolution", "seats": 2})).await;
    let id = made["match"]["id"].as_str().unwrap().to_owned();
    let mut stream = Stream::open(&ben, &format!("/v1/matches/{id}/stream?include=view"), SSE, None).await;
    assert_eq!(stream.next().await.unwrap().data["match"]["your_seat"], json!(null));
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    let record = stream.next().await.unwrap().data;
    assert_eq!(record["match"]["your_seat"], 1);
    assert!(record["state"]["seats"][1]["hand"].is_array() && !record["state"]["seats"][0]["hand"].is_array());
}

async fn my_stream_shows_each_match_once(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    pair.play_all(&WIN[..2]).await;
    let ann = &pair.players[0];
    let version = pair.version().await;
    for (path, form) in [("/v1/me/stream", SSE), ("/v1/me/events", NDJSON)] {
        let stream = Stream::open(ann, &format!("{path}?include=view,decision&wait=0"), form, None).await;
        let told = data(stream.rest().await);
        assert_eq!(told.len() as u64, version, "no first record, but all that happened");
        let (newest, older) = told.split_last().unwrap();
        assert!(older.iter().all(|step| step.get("match").is_none() && step.get("state").is_none()));
        let read = ann.read(&pair.id).await;
        for part in ["match", "state", "last_move", "decision"] {
            assert_eq!(newest[part], read[part]);
        }
    }
    let newest = ann.get("/v1/me/events").await.ok()["resume_cursor"].as_str().unwrap().to_owned();
    let mut stream = Stream::open(ann, &format!("/v1/me/stream?include=view&after={newest}"), SSE, None).await;
    pair.play_all(&WIN[2..3]).await;
    let step = stream.next().await.unwrap().data;
    assert_eq!((&step["version"], &step["match"]["version"]), (&json!(version + 1), &json!(version + 1)));
    assert_eq!(step["last_move"]["notation"], WIN[2]);
    assert!(step.get("decision").is_none());
    let page = ann.get(&format!("/v1/me/events?include=view&after={newest}")).await.ok();
    assert_eq!(page["items"][0]["state"], step["state"]);
}

/// The words of events.
fn words(events: &Value) -> Vec<Option<&str>> {
    events.as_array().unwrap().iter().map(|event| event["text"].as_str()).collect()
}

async fn words_stand_beside_steps_for_those_who_ask(world: &mut World) {
    let (id, players) = dealt(world).await;
    let seen = players[0].read(&id).await;
    let seat = seen["match"]["to_act"][0].as_u64().unwrap() as usize;
    let seen = players[seat].get(&format!("/v1/matches/{id}?legal_moves=notation")).await.ok();
    play_first(&players[seat], &seen).await;
    let nobody = world.nobody();
    for reader in [&players[0], &players[1], &nobody] {
        let narrated = reader.get(&format!("/v1/matches/{id}?text=true")).await.ok();
        let told = reader.get(&format!("/v1/matches/{id}/events?limit=1000&text=true")).await.ok()["items"].clone();
        assert!(!words(&told).contains(&None), "{told}");
        let path = format!("/v1/matches/{id}/stream?wait=0&after=0.0&text=true");
        assert_eq!(json!(data(Stream::open(reader, &path, SSE, None).await.rest().await)), told);
        for (path, form) in [("stream", SSE), ("events", NDJSON)] {
            let path = format!("/v1/matches/{id}/{path}?wait=0&after=0.0&include=view,decision&text=true");
            let record = data(Stream::open(reader, &path, form, None).await.rest().await)[0].clone();
            assert_eq!(record["events"], told);
            for part in ["match", "state", "last_move", "decision"] {
                assert_eq!(record[part], narrated[part]);
            }
            let plain = data(Stream::open(reader, &path.replace("&text=true", ""), form, None).await.rest().await);
            assert!(words(&plain[0]["events"]).iter().all(Option::is_none) && plain[0]["last_move"]["text"].is_null());
        }
        if reader.token.is_none() {
            continue;
        }
        for (path, form) in [("/v1/me/stream", SSE), ("/v1/me/events", NDJSON)] {
            let stream = Stream::open(reader, &format!("{path}?wait=0&text=true"), form, None).await;
            let mine: Vec<Value> = data(stream.rest().await);
            let narrated_events = mine.iter().flat_map(|step| step["events"].as_array().unwrap().clone());
            assert!(told.as_array().unwrap().ends_with(&narrated_events.collect::<Vec<_>>()), "{mine:?}");
            let shown = format!("{path}?wait=0&include=view,decision&text=true");
            let shown = data(Stream::open(reader, &shown, form, None).await.rest().await).pop().unwrap();
            for part in ["match", "state", "last_move", "decision"] {
                assert_eq!(shown[part], narrated[part]);
            }
        }
    }
}

async fn each_is_told_in_the_words_that_it_asked_for(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let nobody = world.nobody();
    let mut watchers = Vec::new();
    for query in ["", "?text=true", "?include=view", "?include=view&text=true"] {
        for _ in 0..2 {
            let mut stream = Stream::open(&nobody, &pair.path(&format!("/stream{query}")), SSE, None).await;
            let first = stream.next().await.unwrap().data;
            if !query.contains("include") {
                stream.take(nobody.events(&pair.id).await.len() - 1).await;
            }
            assert_eq!(first.get("events").is_some(), query.contains("include"));
            watchers.push((query, stream));
        }
    }
    pair.play_all(&WIN[..1]).await;
    for (query, mut stream) in watchers {
        let told = stream.next().await.unwrap().data;
        let events = if query.contains("include") { told["events"].clone() } else { json!([told]) };
        let said = words(&events)[0];
        // Who begins is drawn.
        let text = format!("Seat {}: Move from 2c to 2d.", events[0]["event"]["seat"].as_u64().unwrap());
        assert_eq!(said, query.contains("text").then_some(text.as_str()), "{query}: {told}");
        if query.contains("include") {
            assert_eq!(told["last_move"]["text"].as_str(), said.map(|_| "Move from 2c to 2d."));
        }
    }
}

async fn what_is_included_is_asked_for_in_order(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let wrong =
        ["include=decision", "include=view,view", "include=", "include=view&legal_moves=none", "legal_moves=full"];
    for path in [pair.path("/stream"), pair.path("/events"), "/v1/me/stream".into(), "/v1/me/events".into()] {
        for query in wrong {
            let request = ann.request(Method::GET, &format!("{path}?{query}"));
            let problem = ann.send(request).await.refused(400, "invalid_parameter");
            let field = if query.contains("legal_moves") { "legal_moves" } else { "include" };
            assert_eq!(problem["field"], field, "{query}: {problem}");
        }
    }
}
