//! The pages for people, in a real browser: whole matches of every game are played by clicking in the playground.
//!
//! `tests/run.sh` installs the browser, which is driven through its debugging protocol. Whatever a page says in its console
//! fails the test.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod axe;
mod drawn;
#[path = "../pictures/matches.rs"]
mod matches;
mod page;
mod protocol;
#[path = "../api/push_browser.rs"]
mod push_browser;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../api/receiver.rs"]
mod receiver;
mod tab;
mod told;

use sarsen::app::{self, Running};
use sarsen::config::Settings;
use sarsen::games::{GameSettings, Games};
use sarsen::http::settings::ServerConfig;
use serde::Deserialize;
use tempfile::TempDir;

use crate::browser::tab::{Browsing, PHONE, Size, Tab, WIDE};

/// A service of its own and a browser.
struct World {
    running: Running,
    directory: TempDir,
    browsing: Browsing,
}

impl World {
    async fn start(size: Size) -> World {
        World::with(size, ServerConfig::default()).await
    }

    async fn with(size: Size, server: ServerConfig) -> World {
        let directory = tempfile::tempdir().unwrap();
        let server = ServerConfig { workers: Some(1), ..server };
        let settings = Settings { server, ..Settings::local(directory.path()) };
        let running = app::start(settings, Games::standard(GameSettings::default())).await.unwrap();
        World { running, directory, browsing: Browsing::start(size) }
    }

    async fn playground(&self) -> Tab {
        let tab = self.browsing.tab(&format!("http://{}/playground", self.running.addr)).await;
        tab.until("document.querySelector('#guests input')").await;
        tab
    }

    async fn stop(self) {
        self.browsing.close().await;
        self.running.stop().await.unwrap();
        self.directory.close().unwrap();
    }
}

/// The parts of its match that the page shows.
#[derive(Deserialize, Debug)]
struct Shown {
    status: String,
    outcome: String,
    /// The moves of the first seat that is to act.
    moves: Vec<String>,
}

const SHOWN: &str = "(() => ({
    status: document.getElementById('status').textContent,
    outcome: document.getElementById('outcome').textContent,
    moves: [...document.querySelector('.table.due')?.querySelectorAll('[data-move]') ?? []].map((move) => move.dataset.move),
}))()";

/// A game, how many seats, and options as they are typed.
type Wanted<'a> = (&'a str, u32, &'a [(&'a str, &'a str)]);

/// Chooses a game, so many seats and these options, and makes the match.
async fn make(tab: &Tab, game: &str, seats: u32, options: &[(&str, &str)]) {
    let change = |field: &str, value: &str| {
        format!(
            "(() => {{ const field = document.getElementById({field:?}); field.value = {value:?}; field.dispatchEvent(new Event('change')); }})()"
        )
    };
    tab.run(&change("game", game)).await;
    tab.until(&format!("document.getElementById('setup').dataset.game === {game:?}")).await;
    tab.run(&change("seats", &seats.to_string())).await;
    for (option, value) in options {
        tab.write(&format!("[name={option}]"), value).await;
    }
    tab.click("#create").await;
    tab.until("document.getElementById('status').textContent").await;
}

/// Clicks on legal moves until the match is over, and tells how often.
async fn play(tab: &Tab) -> usize {
    for made in 0..1000 {
        let shown: Shown = tab.ask(SHOWN).await;
        let Some(chosen) = shown.moves.get(made * 7 % shown.moves.len().max(1)) else {
            assert!(!shown.outcome.is_empty(), "nobody is to act: {shown:?}");
            return made;
        };
        tab.click_on(&format!("document.querySelector('.table.due [data-move={chosen:?}]')")).await;
        tab.until(&format!("document.getElementById('status').textContent !== {:?}", shown.status)).await;
    }
    panic!("a thousand moves have been made, and there is no end");
}

/// Orders the review of the match that is over, and reads it.
async fn reviewed(tab: &Tab) {
    tab.click_on("document.getElementById('order')").await;
    tab.until("document.getElementById('review-state').textContent.startsWith('Ann (seat 0): ')").await;
    tab.until("document.getElementById('chart').naturalWidth > 0").await;
    assert!(tab.ask::<String>("document.getElementById('chart').alt").await.len() > 20, "the chart is described");
    // As many verdicts as the sums say.
    let state: String = tab.ask("document.getElementById('review-state').textContent").await;
    let counted = state.split_whitespace().filter_map(|word| word.parse::<usize>().ok());
    let listed: usize = tab.ask("document.querySelectorAll('#verdicts li').length").await;
    assert_eq!(listed, counted.sum::<usize>(), "{state}");
    axe::nothing_serious(tab, &axe::script(), "the review").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_match_of_each_game_is_played_by_clicking() {
    let world = World::start(WIDE).await;
    let tab = world.playground().await;
    let games: [Wanted; 5] = [
        ("contiguity", 2, &[("turn_limit", "20")]),
        ("absolution", 2, &[]),
        ("sacrifice_roulette", 2, &[]),
        ("thief_of_the_sacred_fire", 1, &[]),
        ("henge", 1, &[]),
    ];
    for (game, seats, options) in games {
        make(&tab, game, seats, options).await;
        let made = play(&tab).await;
        assert!(made >= 2, "{game}: {made} moves");
        // Everybody was told of it as it happened, and each request can be looked at.
        tab.until("document.getElementById('events').lastElementChild.textContent.includes('match_ended')").await;
        let listed: usize = tab
            .ask("[...document.querySelectorAll('#requests .change')].filter((entry) => entry.textContent.includes('/moves')).length")
            .await;
        assert_eq!(listed, made, "{game}");
        if game == "thief_of_the_sacred_fire" {
            reviewed(&tab).await;
        }
        tab.click("#anew").await;
        tab.until("!document.getElementById('setup').hidden").await;
    }
    tab.close().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_on_in_another_tab_by_its_code() {
    let world = World::start(WIDE).await;
    let (one, two) = (world.playground().await, world.playground().await);
    one.show().await;
    make(&one, "contiguity", 2, &[("turn_limit", "20")]).await;
    one.click("#pair").await;
    one.until("document.getElementById('pair').dataset.code").await;
    let code: String = one.ask("document.getElementById('pair').dataset.code").await;
    two.show().await;
    two.until("!document.getElementById('pairing').hidden").await;
    for (code, works) in [("00000-00000", false), (code.as_str(), true)] {
        two.write("#code", code).await;
        two.click("#pairing button").await;
        let shown = if works { "status" } else { "failure" };
        two.until(&format!("document.getElementById({shown:?}).textContent")).await;
    }
    let tables = "document.querySelectorAll('#tables > *').length";
    assert_eq!((one.ask::<usize>(tables).await, two.ask::<usize>(tables).await), (2, 1));
    let links = "document.querySelector('.links code').textContent";
    assert_eq!(one.ask::<String>(links).await, two.ask::<String>(links).await, "the same match");
    one.close().await;
    let faults = two.close_with_faults().await;
    assert!(faults.len() == 1 && faults[0].contains("404"), "{faults:?}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_play_now_and_see_one_match() {
    const NARROW: Size = (360, 740);
    let world = World::start(NARROW).await;
    let (one, two) = (world.playground().await, world.playground().await);
    let waits = "document.getElementById('pool-state').textContent.includes('waits in contiguity-live')";
    let fits = async |tab: &Tab| assert!(tab.ask::<u32>("document.documentElement.scrollWidth").await <= NARROW.0);
    let play = async |tab: &Tab, name: &str| {
        tab.show().await;
        tab.until("document.querySelector('#pool option[value=contiguity-live]')").await;
        tab.run("document.getElementById('pool').value = 'contiguity-live'").await;
        tab.write("#pool-name", name).await;
        fits(tab).await;
        tab.click("#play-now").await;
    };
    // Who has taken the ticket back waits no more, and plays again.
    play(&one, "Rowan").await;
    one.until(waits).await;
    one.click("#cancel").await;
    one.until("document.getElementById('pool-state').textContent.includes('was taken back')").await;
    one.until("!document.getElementById('play-now').disabled").await;
    play(&one, "Rowan").await;
    one.until(waits).await;
    play(&two, "Hazel").await;
    // The match and its table, once it is there.
    let opened = async |tab: &Tab| -> [String; 2] {
        tab.until("document.querySelector('#tables h3') && document.getElementById('now').hidden").await;
        fits(tab).await;
        tab.ask("['.links code', '#tables h3'].map((part) => document.querySelector(part).textContent)").await
    };
    let ([id, table], [other_id, other_table]) = (opened(&one).await, opened(&two).await);
    assert_eq!(id, other_id, "one match");
    assert!(table.contains("Rowan") && other_table.contains("Hazel"), "{table} and {other_table}");
    one.close().await;
    two.close().await;
    world.stop().await;
}

/// The script's expression for a space in the picture of the seat to act.
fn space(id: &str) -> String {
    format!("document.querySelector('.table.due .picture').shadowRoot.querySelector('[data-space={id:?}]')")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_piece_is_moved_by_clicking_on_the_picture() {
    let world = World::start(WIDE).await;
    let tab = world.playground().await;
    make(&tab, "contiguity", 2, &[]).await;
    for _ in 0..4 {
        let before: Shown = tab.ask(SHOWN).await;
        let (from, to) = before.moves[0].split_once('-').unwrap();
        // The picture of this turn has come: until then a click may fall between two pictures.
        tab.until(&format!("{}.querySelector('.legal') && {0}.matches('.open')", space(from))).await;
        tab.click_on(&space(from)).await;
        // Only where this piece can go is open now, and the buttons say the same.
        tab.until(&format!("{}.matches('.chosen')", space(from))).await;
        let narrowed: Shown = tab.ask(SHOWN).await;
        assert!(narrowed.moves.len() < before.moves.len(), "{before:?} and {narrowed:?}");
        tab.until(&format!("{}.querySelector('.legal')", space(to))).await;
        tab.click_on(&space(to)).await;
        tab.until(&format!("document.getElementById('status').textContent !== {:?}", before.status)).await;
    }
    tab.close().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_is_made_by_clicking_on_where_it_leads_and_moves_are_told_in_words() {
    let world = World::start(WIDE).await;
    let tab = world.playground().await;
    make(&tab, "henge", 1, &[]).await;
    loop {
        let before: Shown = tab.ask(SHOWN).await;
        if before.moves.iter().any(|mv| mv.starts_with("rondel ")) {
            break;
        }
        tab.click_on(&format!("document.querySelector('.table.due [data-move={:?}]')", before.moves[0])).await;
        tab.until(&format!("document.getElementById('status').textContent !== {:?}", before.status)).await;
    }
    let walk = "document.querySelector('.table.due [data-move^=\"rondel 1 \"]')";
    let said: String = tab.ask(&format!("{walk}.textContent")).await;
    assert!(said.starts_with("Walk 1 step and take the "), "{said}");
    // The notation has the number of steps; the space that they lead to can be clicked on all the same.
    let before: Shown = tab.ask(SHOWN).await;
    let open: Vec<String> = tab
        .ask("[...document.querySelector('.table.due .picture').shadowRoot.querySelectorAll('[data-space].open')].map((space) => space.dataset.space)")
        .await;
    let to = open.iter().find(|id| id.starts_with("step.")).unwrap_or_else(|| panic!("no step in {open:?}"));
    tab.click_on(&space(to)).await;
    // If one move alone leads there, it is made.
    let made = format!("document.getElementById('status').textContent !== {:?}", before.status);
    tab.until(&format!("{made} || {}.matches('.chosen')", space(to))).await;
    if !tab.ask::<bool>(&made).await {
        let narrowed: Shown = tab.ask(SHOWN).await;
        let walks = |mv: &String| mv.starts_with("rondel ") || mv.starts_with("travel ");
        assert!(narrowed.moves.len() < before.moves.len() && narrowed.moves.iter().all(walks), "{narrowed:?}");
        tab.click_on("document.querySelector('.table.due [data-move]')").await;
        tab.until(&made).await;
    }
    tab.until(&format!("document.getElementById('events').textContent.includes('\"to\":\"{to}\"')")).await;
    tab.close().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_enlarged_by_a_click_beside_its_spaces() {
    let world = World::start(PHONE).await;
    let tab = world.playground().await;
    make(&tab, "contiguity", 2, &[]).await;
    let svg = "document.querySelector('.picture').shadowRoot.querySelector('svg')";
    tab.until(&format!("{svg}?.matches('.narrow')")).await;
    tab.click_on(&format!("{svg}.querySelector('.h')")).await;
    tab.until(&format!("document.querySelector('dialog[open] .picture') && {svg}.matches(':not(.narrow)')")).await;
    let wide: f64 = tab.ask(&format!("{svg}.getBoundingClientRect().width")).await;
    assert!(wide > 800.0, "{wide} pixels");
    tab.click("dialog[open] button").await;
    tab.until(&format!("!document.querySelector('dialog[open]') && {svg}.matches('.narrow')")).await;

    // A finger on an open space enlarges too; there it chooses.
    let open = "document.querySelector('.table.due .picture').shadowRoot.querySelector('.open')";
    let touch = format!(
        "{open}.dispatchEvent(new PointerEvent('click', {{ bubbles: true, composed: true, pointerType: 'touch' }}))"
    );
    tab.until(open).await;
    tab.run(&touch).await;
    tab.until("document.querySelector('dialog[open] .picture')").await;
    let enlarged = "document.querySelector('dialog[open] .picture').shadowRoot";
    assert!(!tab.ask::<bool>(&format!("!!{enlarged}.querySelector('.chosen')")).await);
    tab.until(&format!("{enlarged}.querySelector('svg:not(.narrow) .open')")).await;
    tab.run(&touch.replace(open, &format!("{enlarged}.querySelector('.open')"))).await;
    tab.until(&format!("{enlarged}.querySelector('.chosen')")).await;
    tab.close().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_have_written_stays_text() {
    let world = World::start(WIDE).await;
    let tab = world.playground().await;
    let hostile = "<img src=x onerror=alert(1)>";
    tab.write("#guests input", hostile).await;
    make(&tab, "sacrifice_roulette", 2, &[]).await;
    tab.until("document.querySelector('.table .moves button')").await;
    tab.until("document.getElementById('events').textContent.includes('onerror')").await;
    let shown: String = tab.ask("document.querySelector('.table h3').textContent").await;
    assert!(shown.contains(hostile), "{shown}");
    tab.until("document.querySelector('.picture').shadowRoot.textContent.includes('onerror')").await;
    // Neither in the page nor in the pictures has it become an element.
    let elements: usize = tab
        .ask(
            "[document, ...[...document.querySelectorAll('.picture')].map((picture) => picture.shadowRoot)]
            .flatMap((root) => [...root.querySelectorAll('img:not(#chart), image, script:not([src])')]).length",
        )
        .await;
    assert_eq!(elements, 0);
    tab.close().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_played_with_the_keyboard_and_outlives_a_reload() {
    let world = World::start(PHONE).await;
    let tab = world.playground().await;
    make(&tab, "absolution", 2, &[]).await;
    tab.until("document.activeElement.id === 'match-title'").await;
    tab.run("document.querySelector('.moves button').focus()").await;
    for _ in 0..3 {
        let before: Shown = tab.ask(SHOWN).await;
        tab.press("Enter").await;
        tab.until(&format!("document.getElementById('status').textContent !== {:?}", before.status)).await;
        // The focus has gone on to a move of a seat that is to act.
        tab.until("document.activeElement.matches('.table.due .moves button')").await;
    }
    tab.press("End").await;
    tab.until("document.activeElement.parentElement.lastElementChild === document.activeElement").await;

    let before: Shown = tab.ask(SHOWN).await;
    tab.reload().await;
    tab.until("document.querySelector('.table.due .moves button') && document.getElementById('status').textContent")
        .await;
    let after: Shown = tab.ask(SHOWN).await;
    assert_eq!(before.status, after.status);
    // On a phone nothing lies beside the page.
    let wide: u32 = tab.ask("document.documentElement.scrollWidth").await;
    assert!(wide <= PHONE.0, "{wide} pixels");
    tab.close().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_move_is_explained() {
    let world = World::start(WIDE).await;
    let tab = world.playground().await;
    make(&tab, "contiguity", 2, &[]).await;
    tab.write(".table.due .send input", "1a-2a").await;
    tab.press("Enter").await;
    tab.until("document.querySelector('.table.due .notice:not([hidden])')?.textContent.includes('CO-')").await;
    // The browser notes of its own accord that the answer was a failure.
    let faults = tab.close_with_faults().await;
    assert!(faults.len() == 1 && faults[0].contains("422"), "{faults:?}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documentation_keeps_a_token_over_a_reload() {
    let world = World::start(WIDE).await;
    let tab = world.browsing.tab(&format!("http://{}/docs/", world.running.addr)).await;
    let page: [String; 2] = tab.ask("[document.title, document.querySelector('meta[name=viewport]').content]").await;
    assert_eq!(page, ["Sarsen API documentation", "width=device-width, initial-scale=1"]);
    tab.until("document.querySelector('button.authorize') && !document.querySelector('.topbar')").await;
    tab.click("button.authorize").await;
    tab.write(".auth-container input", "a token").await;
    tab.click(".auth-container button[type=submit]").await;
    tab.reload().await;
    tab.until("document.querySelector('button.authorize.locked')").await;
    // What every service has stands in the fields of paths already.
    let game = "[id$=-getGame]";
    tab.click(&format!("{game} .opblock-summary-control")).await;
    tab.until(&format!("document.querySelector('{game} [data-param-name=game] input')?.value === 'contiguity'")).await;
    tab.click(&format!("{game} .execute")).await;
    tab.until(&format!(
        "document.querySelector('{game} .live-responses-table tbody .response-col_status')?.textContent.includes('200')"
    ))
    .await;
    tab.close().await;
    world.stop().await;
}
