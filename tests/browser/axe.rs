//! Accessibility of the pages, by axe: nothing serious in either theme. Its version is in `axe/package-lock.json`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::browser::tab::{Scheme, Tab, WIDE};
use crate::browser::{World, make};

/// The script, installed once into the target folder.
pub fn script() -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/axe");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe");
    let script = dir.join("node_modules/axe-core/axe.min.js");
    let lock = fs::read_to_string(source.join("package-lock.json")).unwrap();
    if !script.exists() || fs::read_to_string(dir.join("package-lock.json")).ok() != Some(lock) {
        fs::create_dir_all(&dir).unwrap();
        for file in ["package.json", "package-lock.json"] {
            fs::copy(source.join(file), dir.join(file)).unwrap();
        }
        let quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        let made = Command::new("npm").arg("ci").args(quietly).current_dir(&dir).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    fs::read_to_string(script).unwrap()
}

const SERIOUS: &str = "axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)))";

/// Fails if the page has a serious fault in one of the themes.
pub async fn nothing_serious(tab: &Tab, axe: &str, page: &str) {
    for scheme in [Scheme::Light, Scheme::Dark] {
        tab.prefer(scheme).await;
        tab.run(&format!("{axe}; undefined")).await;
        let serious: Vec<String> = tab.ask(SERIOUS).await;
        assert!(serious.is_empty(), "{page}, {scheme:?}: {serious:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_serious_on_the_pages() {
    let (axe, world) = (script(), World::start(WIDE).await);
    let tab = world.playground().await;
    nothing_serious(&tab, &axe, "setup").await;
    let games = [
        ("contiguity", 2),
        ("absolution", 2),
        ("sacrifice_roulette", 2),
        ("thief_of_the_sacred_fire", 1),
        ("henge", 2),
    ];
    for (game, seats) in games {
        make(&tab, game, seats, &[]).await;
        tab.until("document.querySelector('.picture').shadowRoot.querySelector('svg')").await;
        nothing_serious(&tab, &axe, game).await;
        tab.run("document.querySelector('.picture').shadowRoot.querySelector('svg').dispatchEvent(new MouseEvent('click', { bubbles: true }))").await;
        tab.until("document.querySelector('dialog[open] .picture')").await;
        nothing_serious(&tab, &axe, &format!("{game}, enlarged")).await;
        tab.click("dialog[open] button").await;
        tab.click("#anew").await;
        tab.until("!document.getElementById('setup').hidden").await;
    }
    tab.close().await;
    let docs = world.browsing.tab(&format!("http://{}/docs/", world.running.addr)).await;
    docs.until("document.querySelector('button.authorize')").await;
    nothing_serious(&docs, &axe, "documentation").await;
    docs.close().await;
    world.stop().await;
}
