//! A receiver of webhooks and push messages: a server of the tests' own on the loopback interface.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request as it was received.
#[derive(Clone, Debug)]
pub struct Received {
    /// The sender's port.
    pub from: u16,
    pub path: String,
    /// By names in lower case.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Received {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// The receiver's way of treating each request.
#[derive(Clone, Copy, Debug)]
pub enum Behaviour {
    /// Answers with this status.
    Status(u16),
    /// Answers with this status, and a header.
    With(u16, &'static str),
    /// Answers with the status and the header that this says of the request and the port.
    Judged(fn(&Received, u16) -> (u16, &'static str)),
    /// Says nothing for ever.
    Hang,
    /// Says nothing until it is to behave otherwise.
    Hold,
    /// Answers a success of 500 MB.
    Flood,
    /// Closes the connection.
    Close,
    /// Loses half of the requests and of the answers, by chance of the message's id, of each message the first five at most.
    LoseHalf,
}

/// A running receiver.
pub struct Receiver {
    pub port: u16,
    received: Arc<Mutex<Vec<Received>>>,
    behaviour: Arc<Mutex<Behaviour>>,
}

/// The most requests and answers of one message that are lost.
const LOST_MAX: usize = 5;

impl Receiver {
    pub async fn start(behaviour: Behaviour) -> Receiver {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let receiver = Receiver { port, received: Arc::default(), behaviour: Arc::new(Mutex::new(behaviour)) };
        let (received, behaviour) = (receiver.received.clone(), receiver.behaviour.clone());
        let attempts = Arc::<Mutex<HashMap<String, usize>>>::default();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (received, behaviour, attempts) = (received.clone(), behaviour.clone(), attempts.clone());
                tokio::spawn(async move {
                    // Whoever goes away in the middle is of no interest.
                    let _gone = served(stream, &received, &behaviour, &attempts).await;
                });
            }
        });
        receiver
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn behave(&self, behaviour: Behaviour) {
        *self.behaviour.lock().unwrap() = behaviour;
    }

    /// Everything that was received so far.
    pub fn all(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.received.lock().unwrap().len()
    }

    /// The messages of webhooks so far, in the order of their first arrival: one that comes again under its id is the same.
    pub fn messages(&self) -> Vec<Received> {
        let (mut all, mut ids) = (self.all(), HashSet::new());
        all.retain(|received| ids.insert(received.header("webhook-id").to_owned()));
        all
    }
}

async fn served(
    mut stream: TcpStream,
    received: &Mutex<Vec<Received>>,
    behaviour: &Mutex<Behaviour>,
    attempts: &Mutex<HashMap<String, usize>>,
) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let (end, length) = loop {
        let mut part = [0; 4096];
        let read = stream.read(&mut part).await?;
        if read == 0 {
            return Ok(());
        }
        bytes.extend_from_slice(&part[..read]);
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length:")).map_or("0", str::trim);
            break (end + 4, length.parse::<usize>().unwrap());
        }
    };
    while bytes.len() < end + length {
        let mut part = [0; 4096];
        let read = stream.read(&mut part).await?;
        bytes.extend_from_slice(&part[..read]);
    }
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let path = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    let latest = behaviour;
    let mut behaviour = *latest.lock().unwrap();
    let from = stream.peer_addr()?.port();
    let request = Received { from, path, headers, body: bytes[end..].to_vec() };
    if matches!(behaviour, Behaviour::LoseHalf) {
        let attempt = {
            let mut attempts = attempts.lock().unwrap();
            let attempt = attempts.entry(request.header("webhook-id").to_owned()).or_insert(0);
            *attempt += 1;
            *attempt
        };
        // An id ends in characters of a digest.
        let chance = request.header("webhook-id").bytes().rev().nth(attempt).map_or(2, |digit| digit % 4);
        match chance {
            0 if attempt <= LOST_MAX => return Ok(()),
            1 if attempt <= LOST_MAX => {}
            _ => behaviour = Behaviour::Status(204),
        }
    }
    if let Behaviour::Judged(judge) = behaviour {
        let (status, header) = judge(&request, stream.local_addr()?.port());
        behaviour = Behaviour::With(status, header);
    }
    received.lock().unwrap().push(request);
    while matches!(behaviour, Behaviour::Hold) {
        tokio::time::sleep(Duration::from_millis(5)).await;
        behaviour = *latest.lock().unwrap();
    }
    let answer = |status: u16, header: &str| format!("HTTP/1.1 {status} X\r\n{header}content-length: 0\r\n\r\n");
    match behaviour {
        Behaviour::Status(status) => stream.write_all(answer(status, "").as_bytes()).await,
        Behaviour::With(status, "") => stream.write_all(answer(status, "").as_bytes()).await,
        Behaviour::With(status, header) => stream.write_all(answer(status, &format!("{header}\r\n")).as_bytes()).await,
        Behaviour::Hang => {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            Ok(())
        }
        Behaviour::Flood => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 500000000\r\n\r\n").await?;
            loop {
                stream.write_all(&[b'x'; 65_536]).await?;
            }
        }
        Behaviour::Close | Behaviour::Hold | Behaviour::LoseHalf | Behaviour::Judged(_) => Ok(()),
    }
}
