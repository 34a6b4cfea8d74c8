//! The example page that the README shows the way to, from another origin than the service's, in two tabs.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use sarsen::http::settings::{Cors, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

use crate::browser::tab::{DEADLINE, Tab, WIDE};
use crate::browser::{World, axe};

/// Moves that both tabs have to see.
const ENOUGH: usize = 8;

/// Serves a page at any path, as long as the test lasts.
async fn serve(page: String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (connection, _) = listener.accept().await.unwrap();
            tokio::spawn(answer(connection, page.clone()));
        }
    });
    addr
}

async fn answer(mut connection: TcpStream, page: String) {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        // Browsers open connections that they do not use.
        let Ok(1..) = connection.read_buf(&mut request).await else { return };
    }
    let head = format!("Content-Type: text/html\r\nContent-Length: {}\r\nConnection: close", page.len());
    connection.write_all(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{page}").as_bytes()).await.unwrap();
}

/// The tab that has a move to make.
async fn due(tabs: &[Tab; 2]) -> &Tab {
    let begun = Instant::now();
    loop {
        for tab in tabs {
            if tab.ask("document.querySelector('#moves button') !== null").await {
                return tab;
            }
        }
        assert!(begun.elapsed() < DEADLINE, "nobody has a move to make");
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_page_is_played_in_two_tabs() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/clients/page/index.html");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.lines().count() < 120, "it is short");
    let world = World::with(WIDE, ServerConfig { cors: Cors::Any, ..ServerConfig::default() }).await;
    let address = format!("http://{}/?at=http://{}", serve(page).await, world.running.addr);
    let one = world.browsing.tab(&address).await;
    one.until("location.hash.startsWith('#m_')").await;
    let invitation: String = one.ask("location.hash").await;
    let two = world.browsing.tab(&format!("{address}{invitation}")).await;

    two.until("document.querySelector('#board svg')").await;
    axe::nothing_serious(&two, &axe::script(), "the example").await;

    let tabs = [one, two];
    for seen in 1..=ENOUGH {
        let tab = due(&tabs).await;
        // A browser hands clicks to the tab that it shows.
        tab.show().await;
        let notation: String = tab.ask("document.querySelector('#moves button').textContent").await;
        let (from, to) = notation.split_once('-').unwrap();
        tab.until(&format!("document.querySelector('[data-space=\"{from}\"] .legal')")).await;
        tab.click_on(&format!("document.getElementById('space-{from}')")).await;
        tab.until(&format!("document.querySelector('[data-space=\"{to}\"] .legal')")).await;
        tab.click_on(&format!("document.getElementById('space-{to}')")).await;
        for tab in &tabs {
            tab.until(&format!("document.querySelectorAll('#log li').length === {seen}")).await;
        }
    }
    let [first, second]: [String; 2] = [
        tabs[0].ask("document.querySelector('#log').innerText").await,
        tabs[1].ask("document.querySelector('#log').innerText").await,
    ];
    assert_eq!(first, second);
    assert!(first.contains("Seat 0: ") && first.contains("Seat 1: "), "{first}");
    for tab in tabs {
        tab.close().await;
    }
    world.stop().await;
}
