//! Live messages: the process that writes is the only one, so whatever becomes true is told from here.

use tokio::sync::broadcast;

use crate::Live;

/// How many live messages a slow listener may be behind before it has to look for itself.
const LIVE_KEPT: usize = 4096;

/// A way to tell, with nobody listening yet.
pub(super) fn channel() -> broadcast::Sender<Live> {
    broadcast::Sender::new(LIVE_KEPT)
}

/// Tells what has become true.
pub(super) fn announce(listeners: &broadcast::Sender<Live>, messages: Vec<Live>) {
    for message in messages {
        // Nobody listens: nobody misses it.
        let _ = listeners.send(message);
    }
}
