//! The debugging protocol of a browser (CDP) over a pipe: JSON messages, each ended by a zero byte.
//!
//! Invariant: one thread reads them in order, so every event of a tab that came before an answer is in [`Protocol::events`]
//! when the answer is returned. Types for the protocol are left out on purpose: the crate that was here had them for all of
//! its methods, of which the tests call a dozen, and took 110 s to build and 80 s to check (units of `--timings`, two cores).

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::browser::tab::{DEADLINE, Size};

/// The shell gives the browser its two pipes under the numbers that it expects.
const ON_PIPES: &str = r#"exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#;

/// Arguments of every browser: alone, without a network of its own, and as quick in a tab behind another as in front.
const ARGUMENTS: [&str; 14] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// Messages that have come.
#[derive(Default)]
struct Inbox {
    /// Who waits for the answer to a call.
    callers: HashMap<u64, oneshot::Sender<Value>>,
    calls: u64,
    /// The events of each tab, oldest first.
    events: HashMap<String, Vec<Value>>,
}

/// A running browser.
pub struct Protocol {
    browser: Child,
    calls: Mutex<ChildStdin>,
    inbox: Arc<Mutex<Inbox>>,
}

impl Protocol {
    /// Starts a browser with this profile.
    pub fn launch(profile: &Path, (width, height): Size) -> Protocol {
        let mut browser = Command::new("sh")
            .args(["-c", ON_PIPES, "sh", "chromium"])
            .args(ARGUMENTS)
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (calls, answers) = (browser.stdin.take().unwrap(), browser.stdout.take().unwrap());
        let inbox = Arc::default();
        thread::spawn({
            let inbox = Arc::clone(&inbox);
            move || read(answers, &inbox)
        });
        Protocol { browser, calls: Mutex::new(calls), inbox }
    }

    /// Calls a method of the browser, or of the tab that has this session, and returns its result.
    pub async fn call(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        let (sender, answer) = oneshot::channel();
        let id = {
            let mut inbox = self.inbox.lock().unwrap();
            inbox.calls += 1;
            let id = inbox.calls;
            inbox.callers.insert(id, sender);
            id
        };
        let mut call = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            call["sessionId"] = session.into();
        }
        let mut line = serde_json::to_vec(&call).unwrap();
        line.push(0);
        self.calls.lock().unwrap().write_all(&line).unwrap();
        let answer = timeout(DEADLINE, answer).await;
        let mut answer = answer.unwrap_or_else(|_| panic!("no answer to {call}")).unwrap();
        assert!(answer.get("error").is_none(), "{call}: {answer}");
        answer["result"].take()
    }

    /// Returns the parameters of a tab's events of one kind so far, oldest first.
    pub fn events(&self, session: &str, method: &str) -> Vec<Value> {
        let inbox = self.inbox.lock().unwrap();
        let events = inbox.events.get(session).into_iter().flatten();
        events.filter(|event| event["method"] == method).map(|event| event["params"].clone()).collect()
    }

    /// Closes the browser, and waits for its first process to end.
    pub async fn close(mut self) {
        self.call(None, "Browser.close", json!({})).await;
        self.browser.wait().unwrap();
    }
}

impl Drop for Protocol {
    /// Ends the browser of a test that has failed.
    fn drop(&mut self) {
        // One that has ended is not there to be killed.
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}

fn read(answers: ChildStdout, inbox: &Mutex<Inbox>) {
    for message in BufReader::new(answers).split(0) {
        let message: Value = serde_json::from_slice(&message.unwrap()).unwrap();
        let mut inbox = inbox.lock().unwrap();
        if let Some(id) = message["id"].as_u64() {
            // A caller that has given up does not wait any more.
            let _ = inbox.callers.remove(&id).map(|caller| caller.send(message));
        } else if let Some(session) = message["sessionId"].as_str() {
            inbox.events.entry(session.to_owned()).or_default().push(message);
        }
    }
    // The browser has ended: nobody is answered.
    inbox.lock().unwrap().callers.clear();
}
