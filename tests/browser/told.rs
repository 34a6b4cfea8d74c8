//! Notifications in a real browser: a message of the service is shown by the example's service worker and leads to its match,
//! and the playground lists what was sent.
//!
//! Two things cannot be had from a headless browser. It subscribes at the push service of its maker alone, which is on the
//! internet; so keys of the tests' own stand for the browser's, and the decrypted message is handed to it through its
//! debugging protocol, as its push service would. And nobody clicks on what the desktop shows; so the worker is given a click
//! of the test's, and the address that it would open is noted.

use std::net::SocketAddr;
use std::path::Path;

use sarsen::app;
use sarsen::config::{NotificationSettings, Settings};
use sarsen::games::{GameSettings, Games};
use sarsen::http::settings::{Cors, ServerConfig};
use sarsen::notifications::VapidKey;
use sarsen::outbound::OutboundRules;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

use crate::browser::push_browser::PushBrowser;
use crate::browser::receiver::{Behaviour, Receiver};
use crate::browser::tab::{Browsing, DEADLINE, Size, Tab, WIDE};
use crate::browser::{World, axe, make};

/// A small phone.
const NARROW: Size = (360, 740);

/// A service that may send to this machine, with a page of a match.
async fn world(size: Size, match_url: Option<String>, cors: Cors) -> World {
    let directory = tempfile::tempdir().unwrap();
    let key: VapidKey = VapidKey::new_key_text(&sarsen::ambient::Ambient::system()).parse().unwrap();
    let settings = Settings {
        server: ServerConfig { workers: Some(1), cors, ..ServerConfig::default() },
        outbound: OutboundRules { allow_http: true, allow_networks: vec!["127.0.0.0/8".parse().unwrap()] },
        notifications: NotificationSettings { match_url, vapid: Some((key, "mailto:push@example.org".to_owned())) },
        ..Settings::local(directory.path())
    };
    let running = app::start(settings, Games::standard(GameSettings::default())).await.unwrap();
    World { running, directory, browsing: Browsing::start(size) }
}

/// The example's worker, which is given a click when a page asks for it.
const CLICKED: &str = "importScripts('worker.js');
addEventListener('message', async ({ source }) => {
    clients.openWindow = async (address) => source.postMessage(address);
    const [notification] = await registration.getNotifications();
    const click = new NotificationEvent('notificationclick', { notification });
    // A click of a script keeps no worker alive.
    click.waitUntil = () => {};
    dispatchEvent(click);
});";

/// Serves the example at an address of its own, as long as the test lasts.
async fn serve_example() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (connection, _) = listener.accept().await.unwrap();
            tokio::spawn(answer(connection));
        }
    });
    addr
}

async fn answer(mut connection: TcpStream) {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        // Browsers open connections that they do not use.
        let Ok(1..) = connection.read_buf(&mut request).await else { return };
    }
    let request = String::from_utf8(request).unwrap();
    let example = |file: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/clients/examples/push");
        std::fs::read_to_string(folder.join(file)).unwrap()
    };
    let (kind, body) = match request.split(' ').nth(1).unwrap() {
        "/worker.js" => ("text/javascript", example("worker.js")),
        "/clicked.js" => ("text/javascript", CLICKED.to_owned()),
        _ => ("text/html", example("index.html")),
    };
    let head = format!("Content-Type: {kind}\r\nContent-Length: {}\r\nConnection: close", body.len());
    connection.write_all(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}").as_bytes()).await.unwrap();
}

/// Does a request of a player and answers what it got.
async fn post(base: &str, token: &str, path: &str, body: Value) -> Value {
    let request = reqwest::Client::builder().no_proxy().build().unwrap().post(format!("{base}{path}")).json(&body);
    let answer = request.bearer_auth(token).send().await.unwrap().error_for_status().unwrap();
    answer.json().await.unwrap()
}

async fn guest(base: &str, name: &str) -> String {
    let made = reqwest::Client::builder().no_proxy().build().unwrap().post(format!("{base}/v1/players"));
    let made: Value = made.json(&json!({"name": name})).send().await.unwrap().json().await.unwrap();
    made["access_token"].as_str().unwrap().to_owned()
}

/// Waits until the worker of the page shows so many notifications, and answers them.
async fn shown(tab: &Tab, count: usize) -> Vec<Value> {
    const SHOWN: &str = "navigator.serviceWorker.ready.then((it) => it.getNotifications())
        .then((all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, data })))";
    let begun = Instant::now();
    loop {
        let shown: Vec<Value> = tab.ask(SHOWN).await;
        if shown.len() == count {
            return shown;
        }
        assert!(begun.elapsed() < DEADLINE, "{shown:#?}");
        sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_worker_shows_a_message_and_its_click_opens_the_match() {
    let page = serve_example().await;
    let world = world(WIDE, Some(format!("http://{page}/?match={{id}}")), Cors::Off).await;
    let base = format!("http://{}", world.running.addr);
    let (push_service, browser) = (Receiver::start(Behaviour::Status(201)).await, PushBrowser::new());
    let (ann, ben) = (guest(&base, "Ann").await, guest(&base, "Ben").await);
    let terms = browser.terms(&push_service.url("/send"), &["match.started"]);
    post(&base, &ann, "/v1/me/push-subscriptions", terms).await;
    let made = post(&base, &ann, "/v1/matches", json!({"game": "contiguity"})).await;
    let id = made["match"]["id"].as_str().unwrap();
    post(&base, &ben, &format!("/v1/matches/{id}/join"), json!({})).await;
    let begun = Instant::now();
    while push_service.count() == 0 {
        assert!(begun.elapsed() < DEADLINE, "nothing was pushed");
        sleep(std::time::Duration::from_millis(10)).await;
    }
    let message = String::from_utf8(browser.decrypt(&push_service.all()[0].body)).unwrap();

    world.browsing.allow_notifications(&format!("http://{page}")).await;
    let tab = world.browsing.tab(&format!("http://{page}/")).await;
    let registered = tab.registers_worker("clicked.js").await;
    // The debugging protocol drops a message, and does not say so, until the browser has written the registration to its
    // disk. The tag makes those that come twice one.
    let handing_over = async {
        loop {
            tab.push(&format!("http://{page}"), &registered, &message).await;
            sleep(std::time::Duration::from_millis(500)).await;
        }
    };
    let notification = tokio::select! {
        mut shown = shown(&tab, 1) => shown.pop().unwrap(),
        () = handing_over => unreachable!("it goes on until something is shown"),
    };
    let [title, body, tag] = ["title", "body", "tag"].map(|name| notification[name].as_str().unwrap());
    assert_eq!((title, body, tag), ("Match started", "Your match has started. (contiguity)", id));
    let address = format!("http://{page}/?match={id}");
    assert_eq!((&notification["data"]["navigate"], &notification["data"]["match_id"]), (&json!(address), &json!(id)));

    tab.run("navigator.serviceWorker.onmessage = ({ data }) => { globalThis.opened = data; }; undefined").await;
    tab.run("navigator.serviceWorker.ready.then(({ active }) => active.postMessage('click'))").await;
    tab.until("globalThis.opened").await;
    let opened: String = tab.ask("globalThis.opened").await;
    assert_eq!(opened, address);
    shown(&tab, 0).await;
    let opened = world.browsing.tab(&opened).await;
    opened.until(&format!("document.getElementById('said').textContent.includes({id:?})")).await;
    axe::nothing_serious(&opened, &axe::script(), "the page that subscribes").await;
    opened.close().await;
    tab.close().await;
    world.stop().await;
}

/// The buttons of the example, with keys of the tests' own in the browser's place.
#[tokio::test(flavor = "multi_thread")]
async fn the_example_page_subscribes_tests_and_stops() {
    let page = serve_example().await;
    let world = world(WIDE, None, Cors::Origins(vec![format!("http://{page}")])).await;
    let (push_service, browser) = (Receiver::start(Behaviour::Status(201)).await, PushBrowser::new());
    let tab = world.browsing.tab(&format!("http://{page}/")).await;
    let mut terms = browser.terms(&push_service.url("/send"), &[]);
    terms.as_object_mut().unwrap().remove("events");
    let stub = format!(
        "PushManager.prototype.subscribe = async ({{ applicationServerKey }}) =>
            {{ globalThis.key = applicationServerKey; return {{ toJSON: () => ({terms}) }}; }};
         PushManager.prototype.getSubscription = async () =>
            ({{ unsubscribe: async () => {{ globalThis.unsubscribed = true; }} }}); undefined"
    );
    tab.run(&stub).await;
    tab.registers_worker("worker.js").await;
    let said = async |text: &str| {
        tab.until(&format!("document.getElementById('said').textContent.startsWith({text:?})")).await;
    };
    tab.write("#service", &format!("http://{}", world.running.addr)).await;
    tab.click("#guest").await;
    said("You are ").await;
    tab.click("#on").await;
    said("This device is told.").await;
    assert_eq!(tab.ask::<String>("globalThis.key").await.len(), 87);
    tab.click("#test").await;
    said("A test is on its way.").await;
    let begun = Instant::now();
    while push_service.count() == 0 {
        assert!(begun.elapsed() < DEADLINE, "nothing was pushed");
        sleep(std::time::Duration::from_millis(10)).await;
    }
    let message: Value = serde_json::from_slice(&browser.decrypt(&push_service.all()[0].body)).unwrap();
    assert_eq!(message["notification"]["title"], "Notifications work");
    tab.click("#off").await;
    said("This device is not told any more.").await;
    assert!(tab.ask::<bool>("globalThis.unsubscribed && document.getElementById('off').disabled").await);
    tab.close().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_playground_lists_what_was_sent_to_its_guests() {
    let world = world(NARROW, None, Cors::Off).await;
    let receiver = Receiver::start(Behaviour::Status(204)).await;
    let tab = world.playground().await;
    make(&tab, "contiguity", 2, &[]).await;
    tab.click_on("document.querySelector('#deliveries summary')").await;
    tab.until("document.querySelector('#hook-guest option')").await;
    tab.write("#hook-url", &receiver.url("/a-long-address-of-a-receiver-that-does-not-fit-on-a-phone")).await;
    tab.click_on("document.querySelector('#hook button')").await;
    tab.until("document.querySelector('#deliveries-list li')").await;
    tab.click_on("document.querySelector('#auto')").await;
    tab.until("document.querySelectorAll('#deliveries-list [data-state=delivered]').length > 1").await;
    let sent: String = tab.ask("document.querySelector('#deliveries-list [data-state=delivered]').textContent").await;
    assert!(sent.starts_with("match.turn_started delivered, 1 attempt, status 204"), "{sent}");
    tab.click_on("document.querySelector('#auto')").await;
    let wide: u32 = tab.ask("document.documentElement.scrollWidth").await;
    assert!(wide <= NARROW.0, "{wide} pixels");
    axe::nothing_serious(&tab, &axe::script(), "the list of deliveries").await;
    // What makes a receiver sure of the sender is not shown beside the requests.
    tab.run("document.querySelectorAll('#requests details').forEach((request) => { request.open = true; }); undefined")
        .await;
    tab.until("document.querySelector('#requests').textContent.includes('whsec_')").await;
    let shown: String = tab.ask("document.querySelector('#requests').textContent").await;
    assert!(shown.split("whsec_").skip(1).all(|secret| secret.chars().nth(2) == Some('…')), "{shown}");
    tab.close().await;
    world.stop().await;
}
