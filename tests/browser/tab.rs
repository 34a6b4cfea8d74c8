//! A browser of its own for a test, and a tab in it that says what went wrong on the page.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::browser::{PermissionDescriptor, PermissionSetting, SetPermissionParams};
use chromiumoxide::cdp::browser_protocol::emulation::MediaFeature;
use chromiumoxide::cdp::browser_protocol::log::{EventEntryAdded, LogEntryLevel};
use chromiumoxide::cdp::browser_protocol::service_worker::{
    DeliverPushMessageParams, EnableParams, EventWorkerRegistrationUpdated, RegistrationId,
};
use chromiumoxide::cdp::browser_protocol::target::SetAutoAttachParams;
use chromiumoxide::cdp::js_protocol::runtime::{EventConsoleApiCalled, EventExceptionThrown};
use chromiumoxide::handler::viewport::Viewport;
use chromiumoxide::{Browser, BrowserConfig, Page};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

/// The longest time that a page may take for anything.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// The size of a window in pixels.
pub type Size = (u32, u32);
pub const WIDE: Size = (1400, 1000);
pub const PHONE: Size = (390, 844);

/// A browser without anything of another's, which is gone when the test is.
pub struct Browsing {
    browser: Browser,
    handler: JoinHandle<()>,
    profile: TempDir,
}

impl Browsing {
    pub async fn start((width, height): Size) -> Browsing {
        let profile = tempfile::tempdir().unwrap();
        let flags = ["disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"];
        let config = BrowserConfig::builder()
            .no_sandbox()
            .new_headless_mode()
            .viewport(Viewport { width, height, ..Viewport::default() })
            .window_size(width, height)
            .args(flags.into_iter().chain(["disable-component-update", "disable-sync"]))
            .user_data_dir(profile.path())
            .launch_timeout(DEADLINE)
            .build()
            .unwrap();
        let (browser, mut events) = Browser::launch(config).await.unwrap();
        let handler = tokio::spawn(async move { while events.next().await.is_some() {} });
        Browsing { browser, handler, profile }
    }

    /// A tab that shows this address.
    pub async fn tab(&self, address: &str) -> Tab {
        let page = self.browser.new_page("about:blank").await.unwrap();
        let faults = Arc::default();
        hear(&page, &faults, |thrown: &EventExceptionThrown| Some(format!("{:?}", thrown.exception_details))).await;
        hear(&page, &faults, |called: &EventConsoleApiCalled| Some(format!("{:?}: {:?}", called.r#type, called.args)))
            .await;
        hear(&page, &faults, |added: &EventEntryAdded| {
            let entry = &added.entry;
            let is_fault = matches!(entry.level, LogEntryLevel::Error | LogEntryLevel::Warning);
            is_fault.then(|| format!("{} {:?}", entry.text, entry.url))
        })
        .await;
        page.enable_log().await.unwrap();
        page.goto(address).await.unwrap();
        Tab { page, faults }
    }

    /// Pages of this origin may show notifications.
    pub async fn allow_notifications(&self, origin: &str) {
        let permission = PermissionDescriptor::new("notifications");
        let allowed = SetPermissionParams::builder().permission(permission).setting(PermissionSetting::Granted);
        self.browser.execute(allowed.origin(origin).build().unwrap()).await.unwrap();
    }

    pub async fn close(mut self) {
        self.browser.close().await.unwrap();
        self.browser.wait().await.unwrap();
        self.handler.await.unwrap();
        // Its other processes end after it, and write until then.
        let begun = Instant::now();
        while std::fs::remove_dir_all(self.profile.path()).is_err() && begun.elapsed() < DEADLINE {
            sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Notes what these events say, until the tab is closed.
async fn hear<E>(page: &Page, faults: &Arc<Mutex<Vec<String>>>, of: impl Fn(&E) -> Option<String> + Send + 'static)
where
    E: chromiumoxide::cdp::IntoEventKind + Unpin + Send + Sync,
{
    let mut events = page.event_listener::<E>().await.unwrap();
    let faults = faults.clone();
    tokio::spawn(async move {
        while let Some(event) = events.next().await {
            faults.lock().unwrap().extend(of(&event));
        }
    });
}

/// The colours that the reader's device prefers.
#[derive(Clone, Copy, Debug)]
pub enum Scheme {
    Light,
    Dark,
}

/// A tab.
pub struct Tab {
    page: Page,
    faults: Arc<Mutex<Vec<String>>>,
}

impl Tab {
    /// Returns the value of a script in the page.
    pub async fn ask<T: DeserializeOwned + Debug>(&self, script: &str) -> T {
        let answer = self.page.evaluate(script).await.unwrap_or_else(|why| panic!("{script}: {why}"));
        answer.into_value().unwrap_or_else(|why| panic!("{script}: {why}"))
    }

    /// Does something on the page.
    pub async fn run(&self, script: &str) {
        self.page.evaluate(script).await.unwrap_or_else(|why| panic!("{script}: {why}"));
    }

    /// Waits until this is so.
    pub async fn until(&self, condition: &str) {
        let begun = Instant::now();
        while !self.ask::<bool>(&format!("Boolean({condition})")).await {
            if begun.elapsed() > DEADLINE {
                let page: String = self.ask("document.body.innerText").await;
                panic!("never: {condition}\nfaults: {:?}\n{page}", self.faults.lock().unwrap());
            }
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Prefers these colours.
    pub async fn prefer(&self, scheme: Scheme) {
        let value = format!("{scheme:?}").to_lowercase();
        let feature = MediaFeature { name: "prefers-color-scheme".to_owned(), value };
        self.page.emulate_media_features(vec![feature]).await.unwrap();
    }

    /// Has the page register a service worker, and answers how the browser calls it.
    pub async fn registers_worker(&self, script: &str) -> RegistrationId {
        let mut updates = self.page.event_listener::<EventWorkerRegistrationUpdated>().await.unwrap();
        self.page.execute(EnableParams::default()).await.unwrap();
        // The driver has new workers wait for a debugger, and this one would wait for ever.
        self.page.execute(SetAutoAttachParams::new(false, false)).await.unwrap();
        // What is pushed to one that is not active yet is lost.
        self.run(&format!(
            "navigator.serviceWorker.register({script:?}).then(() => navigator.serviceWorker.ready).then(({{ active }}) => \
             active.state === 'activated' ? 0 : new Promise((done) => {{ active.onstatechange = () => done(0); }}))"
        ))
        .await;
        let registered = async {
            loop {
                let update = updates.next().await.unwrap();
                if let Some(registration) = update.registrations.iter().find(|it| !it.is_deleted) {
                    return registration.registration_id.clone();
                }
            }
        };
        timeout(DEADLINE, registered).await.unwrap()
    }

    /// Hands a push message to a service worker, as the browser's push service would.
    pub async fn push(&self, origin: &str, registration: RegistrationId, message: &str) {
        self.page.execute(DeliverPushMessageParams::new(origin, registration, message)).await.unwrap();
    }

    /// Brings it before the other tabs.
    pub async fn show(&self) {
        self.page.bring_to_front().await.unwrap();
    }

    /// Clicks with the mouse on the middle of what the selector finds.
    pub async fn click(&self, selector: &str) {
        self.until(&format!("document.querySelector({selector:?})")).await;
        self.page.find_element(selector).await.unwrap().click().await.unwrap();
    }

    /// Clicks with the mouse on the middle of what a script finds, wherever it is in the page.
    pub async fn click_on(&self, script: &str) {
        let middle = format!(
            "(() => {{ const found = {script}; found.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const {{ x, y, width, height }} = found.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }})()"
        );
        let [x, y]: [f64; 2] = self.ask(&middle).await;
        self.page.click(chromiumoxide::layout::Point { x, y }).await.unwrap();
    }

    /// Presses a key where the focus is.
    pub async fn press(&self, key: &str) {
        self.page.find_element(":focus").await.unwrap().press_key(key).await.unwrap();
    }

    /// Replaces what stands in a field by typing.
    pub async fn write(&self, selector: &str, text: &str) {
        self.until(&format!("document.querySelector({selector:?})")).await;
        self.run(&format!("document.querySelector({selector:?}).value = ''")).await;
        self.page.find_element(selector).await.unwrap().focus().await.unwrap().type_str(text).await.unwrap();
    }

    pub async fn reload(&self) {
        self.page.reload().await.unwrap();
    }

    /// The page is as it should be if nothing has been said in its console.
    pub async fn close(self) {
        let faults = self.close_with_faults().await;
        assert!(faults.is_empty(), "{faults:#?}");
    }

    /// Closes the page, and returns the faults that were said in the console.
    pub async fn close_with_faults(self) -> Vec<String> {
        self.page.close().await.unwrap();
        std::mem::take(&mut *self.faults.lock().unwrap())
    }
}
