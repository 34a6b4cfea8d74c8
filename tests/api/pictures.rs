//! Pictures over HTTP: who may see which, what they are asked for, and when they are answered with 304.

use roxmltree::Document;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::tables::{Pair, WIN};
use crate::world::{World, cases};

cases!(
    a_picture_is_as_visible_as_its_match, an_unchanged_picture_is_not_sent_again, what_is_asked_wrongly_is_named,
        nobody_sees_another_hand_in_a_picture, earlier_versions_are_drawn_too, empty_boards_are_drawn_for_everybody,
        an_open_match_is_drawn_on_the_side_that_it_will_be_played_on, in_a_match_that_was_given_up_nobody_is_to_move;
);

const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The ids of the cards that lie open in a picture.
fn cards(answer: &Answer) -> Vec<String> {
    let text = answer.text();
    let document = Document::parse(&text).unwrap();
    let mut cards: Vec<String> =
        document.descendants().filter_map(|node| node.attribute("data-card")).map(str::to_owned).collect();
    cards.sort_unstable();
    cards
}

fn tag(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.header("etag").unwrap().to_owned()
}

async fn a_picture_is_as_visible_as_its_match(world: &mut World) {
    let ann = world.guest("Ann <b>&</b>").await;
    let made = ann.create(json!({"visibility": "private"})).await;
    let id = made["match"]["id"].as_str().unwrap();
    let invite = made["match"]["invite_code"].as_str().unwrap();
    let path = format!("/v1/matches/{id}/board.svg");
    let stranger = world.guest("Cora").await;
    stranger.get(&path).await.refused(404, "match_not_found");
    stranger.get(&format!("{path}?invite=wrong")).await.refused(404, "wrong_invite");
    world.nobody().get(&path).await.refused(404, "match_not_found");
    tag(&world.nobody().get(&format!("{path}?invite={invite}")).await);

    // Before the start it is the board that will be played on.
    let shown = ann.get(&path).await;
    assert_eq!(shown.header("content-type"), Some("image/svg+xml"));
    assert_eq!(shown.header("content-security-policy"), Some(POLICY));
    assert_eq!(shown.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(shown.header("cache-control"), Some("private, no-cache"));
    assert!(shown.text().contains("data-space=\"29b\"") && !shown.text().contains("class=\"piece\""));
    let ben = world.guest("Ben").await;
    ben.post(&format!("/v1/matches/{id}/join"), json!({"invite": invite})).await.ok();
    let text = ann.get(&path).await.text();
    let document = Document::parse(&text).unwrap();
    let names = document.descendants().filter_map(|node| node.text()).filter(|text| text.contains("Ann <b>&</b>"));
    assert!(names.count() > 0 && !text.contains("<b>"), "a name is text");
}

async fn an_unchanged_picture_is_not_sent_again(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let path = pair.path("/board.svg");
    let known = tag(&ann.get(&path).await);
    let same = ann.get_with(&path, "if-none-match", &known).await;
    assert_eq!((same.status, same.bytes.len()), (304, 0));
    let themed = tag(&ann.get(&format!("{path}?theme=dark")).await);
    let marked = tag(&ann.get(&format!("{path}?highlight=29b")).await);
    let narrow = tag(&ann.get(&format!("{path}?layout=narrow")).await);
    let part = tag(&ann.get(&format!("{path}?part=tracks")).await);
    let chosen = tag(&ann.get(&format!("{path}?from=29b")).await);
    let spectated = tag(&world.nobody().get(&path).await);
    let all = [&known, &themed, &marked, &narrow, &part, &chosen, &spectated];
    assert!((0..all.len()).all(|one| (0..one).all(|other| all[one] != all[other])), "{all:?}");
    pair.play(WIN[0]).await.ok();
    assert_ne!(tag(&ann.get_with(&path, "if-none-match", &known).await), known);
    let last = ann.get(&format!("{path}?last_move=true")).await.text();
    assert_eq!(last.matches("class=\"last\"").count(), 4, "two lines around each of the two spaces");
    assert!(!ann.get(&path).await.text().contains("class=\"last\""));
}

async fn what_is_asked_wrongly_is_named(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    for (query, field) in
        [("highlight=29b,99z", "highlight"), ("highlight=", "highlight"), ("seat=2", "seat"), ("from=99z", "from")]
    {
        let problem = ann.get(&pair.path(&format!("/board.svg?{query}"))).await.refused(400, "invalid_parameter");
        assert_eq!(problem["field"], field, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(field), "{problem}");
    }
    let many: Vec<String> = (1..=21).map(|number| format!("{number}a")).collect();
    for query in
        ["layout=tiny", "part=lid", "theme=sepia", "coordinates=2", "other=1", &format!("highlight={}", many.join(","))]
    {
        ann.get(&pair.path(&format!("/board.svg?{query}"))).await.refused(400, "invalid_parameter");
    }
    let marked = ann.get(&pair.path(&format!("/board.svg?highlight={}", many[1..].join(",")))).await.text();
    assert_eq!(marked.matches("class=\"lit\"").count(), 20);
}

async fn nobody_sees_another_hand_in_a_picture(world: &mut World) {
    let fields = json!({"game": "absolution", "seats": 2, "options": {"first_player": "random"}});
    let pair = Pair::seated(world, fields).await;
    let mut open = Vec::new();
    for (seat, player) in pair.players.iter().enumerate() {
        let state = player.get(&pair.path("")).await.ok()["state"].clone();
        let list = |value: &Value| -> Vec<String> { serde_json::from_value(value.clone()).unwrap() };
        let mut known = [list(&state["field"]), list(&state["seats"][seat]["hand"])].concat();
        known.sort_unstable();
        assert_eq!(cards(&player.get(&pair.path("/board.svg?legal=true")).await), known, "what the own view shows");
        open = list(&state["field"]);
    }
    open.sort_unstable();
    assert_eq!(cards(&world.nobody().get(&pair.path("/board.svg?seat=1&legal=true")).await), open);
    let marked = pair.players[pair.turn().await.seat].get(&pair.path("/board.svg?legal=true")).await.text();
    assert!(marked.contains("class=\"legal\""));
}

async fn earlier_versions_are_drawn_too(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let before = (pair.version().await, ann.get(&pair.path("/board.svg")).await.text());
    pair.play(WIN[0]).await.ok();
    let then = pair.path(&format!("/history/{}/board.svg", before.0));
    assert_eq!(ann.get(&then).await.text(), before.1);
    ann.get(&format!("{then}?view=full")).await.refused(409, "match_not_over");
    ann.get(&pair.path("/history/999/board.svg")).await.refused(404, "version_not_found");
    let known = tag(&ann.get(&then).await);
    assert_eq!(ann.get_with(&then, "if-none-match", &known).await.status, 304);
    assert_eq!(world.nobody().get_with(&then, "if-none-match", &known).await.status, 200, "others see another picture");
    pair.play_all(&WIN[1..]).await;
    let known = tag(&ann.get(&format!("{then}?view=full")).await);
    assert_eq!(ann.get_with(&format!("{then}?view=full"), "if-none-match", &known).await.status, 304);
    assert!(ann.get(&pair.path("/board.svg")).await.text().contains("has won: connected"));
}

async fn in_a_match_that_was_given_up_nobody_is_to_move(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let path = pair.path("/board.svg");
    let to_move = |answer: Answer| answer.text().contains("class=\"turn\"");
    assert!(to_move(pair.players[0].get(&path).await));
    pair.players[0].post(&pair.path("/resign"), json!({})).await.ok();
    assert!(!to_move(pair.players[0].get(&path).await));
}

async fn empty_boards_are_drawn_for_everybody(world: &mut World) {
    let nobody = world.nobody();
    let list = nobody.get("/v1/games").await.ok();
    for game in list["items"].as_array().unwrap() {
        let path = format!("/v1/games/{}/board.svg", game["id"].as_str().unwrap());
        let drawn = nobody.get(&path).await;
        let known = tag(&drawn);
        assert_eq!(drawn.header("cache-control"), Some("public, max-age=300"));
        assert!(!drawn.header("vary").unwrap_or_default().to_ascii_lowercase().contains("authorization"));
        let dark = tag(&nobody.get(&format!("{path}?theme=dark")).await);
        assert_ne!(known, dark);
        let narrow = nobody.get(&format!("{path}?layout=narrow&part=board")).await;
        assert!(narrow.text().contains("class=\"sarsen auto narrow\""));
        assert_ne!(known, tag(&narrow));
        assert_eq!(nobody.get_with(&path, "if-none-match", &known).await.status, 304);
        assert_eq!(nobody.get_with(&path, "if-none-match", &dark).await.status, 200);
        let refused = nobody.get(&format!("{path}?highlight=nowhere")).await.refused(400, "invalid_parameter");
        assert_eq!(refused["field"], "highlight");
        nobody.get(&format!("{path}?edition=0123456789abcdef")).await.refused(404, "edition_not_found");
    }
    nobody.get("/v1/games/chess/board.svg").await.refused(404, "game_not_found");
}

/// The ids of the spaces in a picture.
fn spaces(answer: &Answer) -> std::collections::BTreeSet<String> {
    let text = answer.text();
    let document = Document::parse(&text).unwrap();
    document.descendants().filter_map(|node| node.attribute("data-space")).map(str::to_owned).collect()
}

async fn an_open_match_is_drawn_on_the_side_that_it_will_be_played_on(world: &mut World) {
    let players =
        [world.guest("Ann").await, world.guest("Ben").await, world.guest("Cat").await, world.guest("Dan").await];
    let made = players[0].create(json!({"game": "henge", "seats": 4, "options": {"table": "hhhh"}})).await;
    let path = format!("/v1/matches/{}", made["match"]["id"].as_str().unwrap());
    let of_board = |answer: Answer| spaces(&answer).into_iter().filter(|id| !id.contains(':')).collect::<Vec<_>>();
    let open = of_board(players[0].get(&format!("{path}/board.svg")).await);
    for player in &players[1..] {
        player.post(&format!("{path}/join"), json!({})).await.ok();
    }
    let begun = players[0].get(&path).await.ok();
    let side = begun["state"]["side"].as_str().unwrap();
    let empty = async |query: String| of_board(players[0].get(&format!("/v1/games/henge/board.svg{query}")).await);
    assert_eq!(open, empty(format!("?side={side}")).await);
    assert_ne!(open, empty(String::new()).await, "the other side has other spaces");
}
