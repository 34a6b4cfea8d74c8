//! Live messages: this process is the only writer, so it publishes all changes itself.

use tokio::sync::broadcast;

use crate::Live;

/// The number of live messages that a slow receiver may lag behind before it has to read the store itself.
const LIVE_KEPT: usize = 4096;

/// Makes the channel, without receivers.
pub(super) fn channel() -> broadcast::Sender<Live> {
    broadcast::Sender::new(LIVE_KEPT)
}

pub(super) fn announce(listeners: &broadcast::Sender<Live>, messages: Vec<Live>) {
    for message in messages {
        // Without receivers nobody misses the message.
        let _ = listeners.send(message);
    }
}
