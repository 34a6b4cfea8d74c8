//! Requests to servers of the tests' own on the loopback interface, and to names that lead where they should not.

use std::sync::Mutex;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::*;

const ROOT: &[u8] = include_bytes!("../../../tests/fixtures/outbound_root.pem");
/// The certificate of `keys.example`, made for these tests, and its key, which is of use for nothing else.
const CERTIFICATE: &[u8] = include_bytes!("../../../tests/fixtures/outbound_server.pem");
const KEY: &[u8] = include_bytes!("../../../tests/fixtures/outbound_server.key");

/// A resolver that gives each time the next list of addresses, and the last one for ever.
struct Names(Mutex<Vec<Vec<IpAddr>>>);

impl Names {
    fn leading(to: &[&[&str]]) -> Arc<Names> {
        let parsed = |list: &&[&str]| list.iter().map(|address| address.parse().unwrap()).collect();
        Arc::new(Names(Mutex::new(to.iter().map(parsed).collect())))
    }
}

#[async_trait]
impl Resolver for Names {
    async fn resolve(&self, _: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let mut lists = self.0.lock().unwrap();
        let list = if lists.len() > 1 { lists.remove(0) } else { lists[0].clone() };
        Ok(list.into_iter().map(|address| SocketAddr::new(address, port)).collect())
    }
}

fn rules(allow_http: bool, networks: &[&str]) -> OutboundRules {
    OutboundRules { allow_http, allow_networks: networks.iter().map(|network| network.parse().unwrap()).collect() }
}

fn client(rules: OutboundRules, names: Arc<Names>) -> Outbound {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(ROOT).unwrap()).unwrap();
    Outbound::with(rules, names, roots).unwrap()
}

fn local() -> Outbound {
    client(rules(true, &["127.0.0.0/8"]), Names::leading(&[&["127.0.0.1"]]))
}

/// A server that answers every request with these bytes; its port, and what it was asked.
async fn server(answer: Vec<u8>) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 4096];
            let read = stream.read(&mut head).await.unwrap();
            seen.lock().unwrap().push(String::from_utf8_lossy(&head[..read]).into_owned());
            // Whoever has read enough goes away.
            let _gone = stream.write_all(&answer).await;
        }
    });
    (port, asked)
}

fn plain(head: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
}

#[tokio::test]
async fn only_https_without_user_info_is_asked() {
    let strict = client(rules(false, &[]), Names::leading(&[&["8.8.8.8"]]));
    for url in
        ["https://keys.example/jwks", "https://keys.example:8443/a?b=c", "https://8.8.8.8/", "https://[2606:4700::1]/"]
    {
        assert_eq!(strict.check(url), Ok(()), "{url}");
    }
    for url in [
        "",
        "keys.example",
        "/jwks",
        "http://keys.example/",
        "ftp://keys.example/",
        "file:///etc/passwd",
        "https://user@keys.example/",
        "https://user:word@keys.example/",
        "https://",
        "https://:443/",
        "https://a b/",
        "https://keys.example:0/",
        "https://keys.example:/",
    ] {
        assert_eq!(strict.check(url).map_err(OutboundError::from), Err(OutboundError::Url), "{url}");
        assert_eq!(strict.get(url, 10).await.err(), Some(OutboundError::Url), "{url}");
    }
    for url in ["https://127.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://169.254.169.254/latest"]
    {
        assert_eq!(strict.check(url), Err(UrlFault::Address), "{url}");
        assert_eq!(strict.get(url, 10).await.err(), Some(OutboundError::Blocked), "{url}");
    }
    assert_eq!(client(rules(true, &[]), Names::leading(&[&[]])).check("http://keys.example/"), Ok(()));
}

#[tokio::test]
async fn every_address_of_a_name_has_to_be_allowed() {
    for addresses in [&["127.0.0.1"][..], &["8.8.8.8", "10.0.0.1"], &["fd00::1"], &["::ffff:8.8.8.8"], &["0.0.0.0"]] {
        let client = client(rules(true, &[]), Names::leading(&[addresses]));
        assert_eq!(client.get("http://keys.example/", 10).await.err(), Some(OutboundError::Blocked), "{addresses:?}");
    }
    let nowhere = client(rules(true, &[]), Names::leading(&[&[]]));
    assert_eq!(nowhere.get("http://keys.example/", 10).await.err(), Some(OutboundError::Dns));
}

#[tokio::test]
async fn a_name_that_changes_its_mind_gains_nothing() {
    let (port, asked) = server(plain("200 OK", b"inside")).await;
    // The vetted address is connected to; the next answer of the resolver would lead elsewhere.
    let names = Names::leading(&[&["127.0.0.2"], &["127.0.0.1"]]);
    let client = client(rules(true, &["127.0.0.2"]), names.clone());
    assert_eq!(client.get(&format!("http://keys.example:{port}/"), 10).await.err(), Some(OutboundError::Connect));
    assert!(asked.lock().unwrap().is_empty());
    assert_eq!(names.0.lock().unwrap().len(), 1, "the name was resolved once");
}

#[tokio::test]
async fn an_answer_is_read_up_to_its_bound() {
    let (port, asked) = server(plain("200 OK\r\ncache-control: max-age=60", b"{\"keys\":[]}")).await;
    let answer = local().get(&format!("http://keys.example:{port}/jwks?v=1"), 11).await.unwrap();
    assert_eq!((answer.body.as_slice(), answer.cache_control.as_deref()), (&b"{\"keys\":[]}"[..], Some("max-age=60")));
    let head = asked.lock().unwrap()[0].to_ascii_lowercase();
    assert!(head.starts_with("get /jwks?v=1 http/1.1\r\n") && head.contains(&format!("host: keys.example:{port}\r\n")));
    assert_eq!(local().get(&format!("http://keys.example:{port}/"), 10).await.err(), Some(OutboundError::TooLong));
    let endless = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nabcde\r\n".to_vec();
    let (port, _) = server(endless).await;
    assert_eq!(local().get(&format!("http://keys.example:{port}/"), 9).await.err(), Some(OutboundError::TooLong));
    assert_eq!(local().get(&format!("http://keys.example:{port}/"), 99).await.err(), Some(OutboundError::Broken));
}

#[tokio::test]
async fn redirects_and_failures_are_no_answers() {
    for (head, status) in [
        ("302 Found\r\nlocation: http://127.0.0.1:1/", 302),
        ("301 Moved Permanently\r\nlocation: /elsewhere", 301),
        ("404 Not Found", 404),
        ("500 Internal Server Error", 500),
        ("304 Not Modified", 304),
    ] {
        let (port, asked) = server(plain(head, b"x")).await;
        let refused = local().get(&format!("http://keys.example:{port}/"), 10).await.err();
        assert_eq!((refused, asked.lock().unwrap().len()), (Some(OutboundError::Status(status)), 1), "{head}");
    }
    for broken in [b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc".to_vec(), b"no HTTP\r\n\r\n".to_vec(), Vec::new()]
    {
        let (port, _) = server(broken).await;
        assert_eq!(local().get(&format!("http://keys.example:{port}/"), 10).await.err(), Some(OutboundError::Broken));
    }
}

#[tokio::test]
async fn the_other_side_has_to_prove_that_it_is_that_host() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let chain = vec![CertificateDer::from_pem_slice(CERTIFICATE).unwrap()];
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let config = config.with_no_client_auth().with_single_cert(chain, key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let _read = stream.read(&mut [0; 4096]).await;
            let _gone = stream.write_all(&plain("200 OK", b"keys")).await;
        }
    });
    let rules = || rules(false, &["127.0.0.0/8"]);
    let names = || Names::leading(&[&["127.0.0.1"]]);
    let trusting = client(rules(), names());
    assert_eq!(trusting.get(&format!("https://keys.example:{port}/"), 10).await.unwrap().body, b"keys");
    let other = trusting.get(&format!("https://other.example:{port}/"), 10).await;
    assert_eq!(other.err(), Some(OutboundError::Tls), "the certificate is of another name");
    let by_address = trusting.get(&format!("https://127.0.0.1:{port}/"), 10).await;
    assert_eq!(by_address.err(), Some(OutboundError::Tls));
    let distrusting = Outbound::with(rules(), names(), RootCertStore::empty()).unwrap();
    let unknown = distrusting.get(&format!("https://keys.example:{port}/"), 10).await;
    assert_eq!(unknown.err(), Some(OutboundError::Tls), "nobody vouches for it");
}

#[tokio::test]
async fn every_refused_url_names_its_rule() {
    let strict = client(rules(false, &[]), Names::leading(&[&["8.8.8.8"]]));
    let long = format!("https://keys.example/{}", "a".repeat(URL_MAX));
    for (url, word) in [
        ("keys.example", "malformed"),
        ("https://a b/", "malformed"),
        (long.as_str(), "length"),
        ("http://keys.example/", "scheme"),
        ("ftp://keys.example/", "scheme"),
        ("https://user:word@keys.example/", "user_info"),
        ("https://:443/", "host"),
        ("https://keys.example:0/", "port"),
        ("https://127.0.0.1/", "address"),
        ("https://[fd00::1]/", "address"),
    ] {
        assert_eq!(strict.check(url).map_err(UrlFault::name), Err(word), "{url}");
    }
}

#[tokio::test]
async fn a_message_is_sent_once_and_little_of_the_answer_is_read() {
    let endless = [b"HTTP/1.1 200 OK\r\ncontent-length: 500000000\r\n\r\n".to_vec(), vec![b'x'; 70_000]].concat();
    for (answer, status, retry_after_seconds) in [
        (plain("204 No Content", b""), 204, None),
        (plain("410 Gone", b"away"), 410, None),
        (plain("302 Found\r\nlocation: http://127.0.0.1:1/", b""), 302, None),
        (plain("429 Too Many Requests\r\nretry-after: 7", b""), 429, Some(7)),
        (plain("503 Busy\r\nretry-after: Wed, 21 Oct 2026 07:28:00 GMT", b""), 503, None),
        (endless, 200, None),
    ] {
        let (port, asked) = server(answer).await;
        let headers = [("webhook-id", "msg_1".to_owned()), ("content-type", "application/json".to_owned())];
        let url = format!("http://hook.example:{port}/in?x=1");
        let receipt = local().post(&url, &headers, b"{}".to_vec()).await.unwrap();
        assert_eq!(receipt, OutboundReceipt { status, retry_after_seconds });
        let asked = asked.lock().unwrap();
        let head = asked[0].to_ascii_lowercase();
        assert!(head.starts_with("post /in?x=1 http/1.1\r\n") && head.contains("webhook-id: msg_1\r\n"), "{head}");
        assert_eq!(asked.len(), 1, "{status}");
    }
}

/// A resolver that never answers.
struct Silent;

#[async_trait]
impl Resolver for Silent {
    async fn resolve(&self, _: &str, _: u16) -> io::Result<Vec<SocketAddr>> {
        std::future::pending().await
    }
}

/// A listener that accepts no connection, with the connections that fill its queue.
fn full_listener() -> (tokio::net::TcpListener, SocketAddr, Vec<std::net::TcpStream>) {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let connect = || std::net::TcpStream::connect_timeout(&address, Duration::from_millis(200));
    let filling = std::iter::from_fn(|| connect().ok()).collect();
    (listener, address, filling)
}

/// Each part of a request has its time: otherwise its end would be that of the whole.
#[tokio::test]
async fn nothing_takes_longer_than_its_time() {
    let silent = Outbound::with(rules(true, &[]), Arc::new(Silent), RootCertStore::empty()).unwrap();
    let (_listener, full, _filling) = full_listener();
    // It is connected to, and says nothing.
    let mute = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let there = mute.local_addr().unwrap();
    let local = local();
    let took = async |outbound: &Outbound, url: String, within: Duration, error: OutboundError| {
        let begun = tokio::time::Instant::now();
        assert_eq!(outbound.post(&url, &[], Vec::new()).await, Err(error), "{url}");
        assert!(begun.elapsed() >= within, "{url}: {:?}", begun.elapsed());
    };
    tokio::join!(
        took(&silent, "https://keys.example/".to_owned(), RESOLVE_WITHIN, OutboundError::Dns),
        took(&local, format!("http://{full}/"), CONNECT_WITHIN, OutboundError::Connect),
        took(&local, format!("https://{there}/"), CONNECT_WITHIN, OutboundError::Tls),
        took(&local, format!("http://{there}/"), DONE_WITHIN, OutboundError::Timeout),
    );
}
