//! A cable that can be cut: a proxy on the loopback interface before a server.
//!
//! A cut connection hangs and does not end, as with cables: it carries nothing more, and nobody hears new ones.
//! The cut can depend on the address that a connection comes from.

use std::net::{IpAddr, Ipv4Addr};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The address from which servers connect that are told apart from everyone else.
pub const SERVERS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// The clients that are cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Nobody.
    Nobody,
    /// Clients that come from [`SERVERS`].
    Servers,
    /// Everybody.
    Everybody,
}

/// The proxy. It ends when it is dropped.
pub struct Proxy {
    /// The port on which it listens.
    pub port: u16,
    cut: watch::Sender<Cut>,
    listening: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy before a port.
    pub async fn before(port: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (cut, cuts) = watch::channel(Cut::Nobody);
        let listening = tokio::spawn(async move {
            while let Ok((client, from)) = listener.accept().await {
                let cuts = cuts.clone();
                tokio::spawn(async move { carry(client, from.ip(), port, cuts).await });
            }
        });
        Proxy { port: address.port(), cut, listening }
    }

    /// Cuts off, or heals.
    pub fn cut(&self, cut: Cut) {
        self.cut.send_replace(cut);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn carry(mut client: TcpStream, from: IpAddr, port: u16, mut cuts: watch::Receiver<Cut>) {
    let is_cut = move |cut: &Cut| match cut {
        Cut::Nobody => false,
        Cut::Servers => from == SERVERS,
        Cut::Everybody => true,
    };
    if cuts.wait_for(|cut| !is_cut(cut)).await.is_err() {
        return;
    }
    let Ok(mut server) = TcpStream::connect(("127.0.0.1", port)).await else { return };
    client.set_nodelay(true).and(server.set_nodelay(true)).ok();
    let ended = tokio::select! {
        _ = copy_bidirectional(&mut client, &mut server) => true,
        cut = cuts.wait_for(is_cut) => cut.is_err(),
    };
    if !ended {
        // Both ends go on believing in the connection for as long as the cable is cut.
        cuts.wait_for(|cut| !is_cut(cut)).await.ok();
    }
}
