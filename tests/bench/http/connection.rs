//! A connection of a client, which costs the machine as little as it can: what the load takes, the servers lack.
//!
//! It reads answers of known length only, for it asks for no compression, and ends the run at an answer that is not as it
//! should be.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends a request over a connection of its own. The connection is answered, from which the rest can be read however long it
/// is, once the answer has begun.
pub async fn open_ended(addr: SocketAddr, request: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut begin = [0; b"HTTP/1.1 200".len()];
    stream.read_exact(&mut begin).await.unwrap();
    assert_eq!(&begin, b"HTTP/1.1 200");
    stream
}

/// Reads what is still to come.
pub async fn drain(mut stream: TcpStream) {
    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await.unwrap();
}

/// A connection that is kept alive.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub async fn open(addr: SocketAddr) -> Connection {
        let stream = TcpStream::connect(addr).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Connection { stream, buffer: Vec::with_capacity(64 * 1024) }
    }

    /// Sends a request and answers the body that came back.
    pub async fn exchange(&mut self, request: &[u8], status: u16) -> &[u8] {
        self.stream.write_all(request).await.unwrap();
        self.buffer.clear();
        let head = loop {
            self.more().await;
            if let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let text = std::str::from_utf8(&self.buffer[..head]).unwrap();
        let length = text.split_once("content-length: ").and_then(|(_, rest)| rest.split("\r\n").next());
        let length: usize = length.and_then(|length| length.parse().ok()).expect("an answer of known length");
        let right = text[9..12].parse() == Ok(status);
        while self.buffer.len() < head + length {
            self.more().await;
        }
        let body = &self.buffer[head..];
        assert!(right, "expected {status}: {}", String::from_utf8_lossy(&self.buffer));
        body
    }

    async fn more(&mut self) {
        let read = self.stream.read_buf(&mut self.buffer).await.unwrap();
        assert!(read > 0, "the server has closed the connection");
    }
}
