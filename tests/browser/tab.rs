//! A browser of its own for a test, and a tab in it that says what went wrong on the page.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::browser::protocol::Protocol;

/// The longest time that a page may take for anything.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// The size of a window in pixels.
pub type Size = (u32, u32);
pub const WIDE: Size = (1400, 1000);
pub const PHONE: Size = (390, 844);

/// A browser without anything of another's, which is gone when the test is.
pub struct Browsing {
    protocol: Arc<Protocol>,
    profile: TempDir,
    size: Size,
}

impl Browsing {
    pub fn start(size: Size) -> Browsing {
        let profile = tempfile::tempdir().unwrap();
        Browsing { protocol: Arc::new(Protocol::launch(profile.path(), size)), profile, size }
    }

    /// A tab that shows this address.
    pub async fn tab(&self, address: &str) -> Tab {
        let opened = self.protocol.call(None, "Target.createTarget", json!({ "url": "about:blank" })).await;
        let target = text(&opened["targetId"]);
        let attach = json!({ "targetId": target, "flatten": true });
        let attached = self.protocol.call(None, "Target.attachToTarget", attach).await;
        let tab = Tab { protocol: self.protocol.clone(), session: text(&attached["sessionId"]), target };
        for domain in ["Page", "Runtime", "Log"] {
            tab.call(&format!("{domain}.enable"), json!({})).await;
        }
        tab.call("Page.setLifecycleEventsEnabled", json!({ "enabled": true })).await;
        let (width, height) = self.size;
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        tab.call("Emulation.setDeviceMetricsOverride", screen).await;
        let shown = tab.call("Page.navigate", json!({ "url": address })).await;
        assert!(shown.get("errorText").is_none(), "{address}: {shown}");
        let is_loaded = |event: &Value| event["name"] == "load" && event["loaderId"] == shown["loaderId"];
        tab.shown_by("Page.lifecycleEvent", |events| events.iter().any(is_loaded).then_some(())).await;
        tab
    }

    /// Pages of this origin may show notifications.
    pub async fn allow_notifications(&self, origin: &str) {
        let allowed = json!({ "permission": { "name": "notifications" }, "setting": "granted", "origin": origin });
        self.protocol.call(None, "Browser.setPermission", allowed).await;
    }

    pub async fn close(self) {
        let protocol = Arc::into_inner(self.protocol).unwrap();
        protocol.close().await;
        // Its other processes end after it, and write until then.
        let begun = Instant::now();
        while std::fs::remove_dir_all(self.profile.path()).is_err() && begun.elapsed() < DEADLINE {
            sleep(Duration::from_millis(50)).await;
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The colours that the reader's device prefers.
#[derive(Clone, Copy, Debug)]
pub enum Scheme {
    Light,
    Dark,
}

/// A tab.
pub struct Tab {
    protocol: Arc<Protocol>,
    session: String,
    target: String,
}

impl Tab {
    async fn call(&self, method: &str, params: Value) -> Value {
        self.protocol.call(Some(&self.session), method, params).await
    }

    /// The parameters of the tab's events of one kind so far.
    fn events(&self, method: &str) -> Vec<Value> {
        self.protocol.events(&self.session, method)
    }

    /// Waits until the tab's events of one kind show something, and returns that.
    async fn shown_by<T>(&self, method: &str, show: impl Fn(&[Value]) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(shown) = show(&self.events(method)) {
                return shown;
            }
            assert!(begun.elapsed() < DEADLINE, "never: {method}");
            sleep(Duration::from_millis(10)).await;
        }
    }

    async fn evaluate(&self, script: &str, by_value: bool) -> Value {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": by_value });
        let mut answer = self.call("Runtime.evaluate", params).await;
        assert!(answer.get("exceptionDetails").is_none(), "{script}: {answer}");
        answer["result"]["value"].take()
    }

    /// Returns the value of a script in the page.
    pub async fn ask<T: DeserializeOwned + Debug>(&self, script: &str) -> T {
        let value = self.evaluate(script, true).await;
        serde_json::from_value(value).unwrap_or_else(|why| panic!("{script}: {why}"))
    }

    /// Does something on the page.
    pub async fn run(&self, script: &str) {
        self.evaluate(script, false).await;
    }

    /// Waits until this is so.
    pub async fn until(&self, condition: &str) {
        let begun = Instant::now();
        while !self.ask::<bool>(&format!("Boolean({condition})")).await {
            if begun.elapsed() > DEADLINE {
                let page: String = self.ask("document.body.innerText").await;
                panic!("never: {condition}\nfaults: {:?}\n{page}", self.faults());
            }
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Exceptions, and entries of the console and of the browser's log, that the page has caused.
    fn faults(&self) -> Vec<String> {
        let is_fault = |entry: &Value| entry["entry"]["level"] == "error" || entry["entry"]["level"] == "warning";
        let logged = self.events("Log.entryAdded").into_iter().filter(is_fault);
        let said = self.events("Runtime.exceptionThrown").into_iter().chain(self.events("Runtime.consoleAPICalled"));
        said.chain(logged).map(|fault| fault.to_string()).collect()
    }

    /// Prefers these colours.
    pub async fn prefer(&self, scheme: Scheme) {
        let value = format!("{scheme:?}").to_lowercase();
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.call("Emulation.setEmulatedMedia", features).await;
    }

    /// Has the page register a service worker, and returns the browser's id of the registration.
    pub async fn registers_worker(&self, script: &str) -> String {
        self.call("ServiceWorker.enable", json!({})).await;
        // What is pushed to one that is not active yet is lost.
        self.run(&format!(
            "navigator.serviceWorker.register({script:?}).then(() => navigator.serviceWorker.ready).then(({{ active }}) => \
             active.state === 'activated' ? 0 : new Promise((done) => {{ active.onstatechange = () => done(0); }}))"
        ))
        .await;
        let registered = |update: &Value| {
            let registration = update["registrations"].as_array()?.iter().find(|it| it["isDeleted"] == false)?;
            Some(text(&registration["registrationId"]))
        };
        self.shown_by("ServiceWorker.workerRegistrationUpdated", |updates| updates.iter().find_map(registered)).await
    }

    /// Hands a push message to a service worker, as the browser's push service would.
    pub async fn push(&self, origin: &str, registration: &str, message: &str) {
        let delivery = json!({ "origin": origin, "registrationId": registration, "data": message });
        self.call("ServiceWorker.deliverPushMessage", delivery).await;
    }

    /// Brings it before the other tabs.
    pub async fn show(&self) {
        self.call("Page.bringToFront", json!({})).await;
    }

    /// Clicks with the mouse on the middle of what the selector finds.
    pub async fn click(&self, selector: &str) {
        let found = format!("document.querySelector({selector:?})");
        self.until(&found).await;
        self.click_on(&found).await;
    }

    /// Clicks with the mouse on the middle of what a script finds, wherever it is in the page.
    pub async fn click_on(&self, script: &str) {
        let middle = format!(
            "(() => {{ const found = {script}; found.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const {{ x, y, width, height }} = found.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }})()"
        );
        let [x, y]: [f64; 2] = self.ask(&middle).await;
        for (kind, button, count) in
            [("mouseMoved", "none", 0), ("mousePressed", "left", 1), ("mouseReleased", "left", 1)]
        {
            let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": count });
            self.call("Input.dispatchMouseEvent", event).await;
        }
    }

    /// Presses a key where the focus is: `Enter` or `End`.
    pub async fn press(&self, key: &str) {
        match key {
            "Enter" => self.key(key, 13, "\r").await,
            "End" => self.key(key, 35, "").await,
            other => panic!("no code for {other}"),
        }
    }

    /// Presses and releases a key. `code` is that of a key without a character of its own, 0 for others.
    async fn key(&self, key: &str, code: u32, text: &str) {
        for (kind, text) in [("keyDown", text), ("keyUp", "")] {
            let event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text });
            self.call("Input.dispatchKeyEvent", event).await;
        }
    }

    /// Replaces what is in a field by typing.
    pub async fn write(&self, selector: &str, text: &str) {
        let field = format!("document.querySelector({selector:?})");
        self.until(&field).await;
        self.run(&format!("{field}.value = ''; {field}.focus()")).await;
        for character in text.chars() {
            let character = character.to_string();
            self.key(&character, 0, &character).await;
        }
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        let before = self.events("Page.loadEventFired").len();
        self.call("Page.reload", json!({})).await;
        self.shown_by("Page.loadEventFired", |loads| (loads.len() > before).then_some(())).await;
    }

    /// The page is as it should be if nothing has been said in its console.
    pub async fn close(self) {
        let faults = self.close_with_faults().await;
        assert!(faults.is_empty(), "{faults:#?}");
    }

    /// Closes the page, and returns the faults that were said in the console.
    pub async fn close_with_faults(self) -> Vec<String> {
        self.protocol.call(None, "Target.closeTarget", json!({ "targetId": self.target })).await;
        self.faults()
    }
}
