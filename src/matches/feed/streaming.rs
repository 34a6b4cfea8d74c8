//! Players who have a stream open: here, and at other instances as far as streams here look for them.
//!
//! An instance asks all others every [`ASKED_EVERY`] for the players whom its streams look for, and each answers with those
//! who stream from it. Invariants: nothing is stored; where no stream looks, nothing is sent. An answer counts for
//! [`COUNTS_FOR`], so an instance that has died leaves nobody present for longer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use sarsen_base::ids::{InstanceId, PlayerId};
use sarsen_store::{Instances, Live, StreamsMessage};

/// The time between two questions for the same player.
const ASKED_EVERY: Duration = Duration::from_secs(5);
/// The time for which an answer counts: one may be lost.
const COUNTS_FOR: Duration = Duration::from_secs(12);
/// The time without a look after which a player is not asked for any more.
const LOOKED_WITHIN: Duration = Duration::from_secs(12);
/// The most players in one message.
const PLAYERS_MAX: usize = 200;

/// Returns true if a player has a stream open at this instance that others may learn of.
type StreamsHere = Box<dyn Fn(&PlayerId) -> bool + Send + Sync>;

/// The players who have a stream open.
pub struct StreamingPlayers {
    instance: InstanceId,
    here: OnceLock<StreamsHere>,
    sought: Mutex<HashMap<PlayerId, Sought>>,
    newly_sought: Notify,
}

/// A player whom streams here look for.
struct Sought {
    looked: Instant,
    asked: bool,
    /// The last answer that the player streams from another instance.
    told: Option<Instant>,
}

impl StreamingPlayers {
    /// Nobody yet. The id names this instance to others.
    pub fn new(instance: InstanceId) -> StreamingPlayers {
        let (here, sought, newly_sought) = Default::default();
        StreamingPlayers { instance, here, sought, newly_sought }
    }

    /// Goes by `here` for streams of this instance from now on: by the first that it is given.
    pub fn serve(&self, here: impl Fn(&PlayerId) -> bool + Send + Sync + 'static) {
        self.here.get_or_init(|| Box::new(here));
    }

    /// Returns true if the player has a stream open, as far as it is known just now. Others are asked from the first
    /// look on, for as long as looks follow each other within seconds.
    pub fn is_streaming(&self, player: &PlayerId) -> bool {
        self.is_streaming_at(player, Instant::now())
    }

    fn is_streaming_at(&self, player: &PlayerId, now: Instant) -> bool {
        let mut sought = self.sought();
        let known = sought.entry(player.clone()).or_insert_with(|| {
            self.newly_sought.notify_one();
            Sought { looked: now, asked: false, told: None }
        });
        known.looked = now;
        let elsewhere = known.told.is_some_and(|told| now - told < COUNTS_FOR);
        drop(sought);
        elsewhere || self.is_here(player)
    }

    /// Asks others and answers them, until cancelled. `live` brings at least the messages on streams.
    pub async fn run(
        self: Arc<StreamingPlayers>,
        instances: Arc<dyn Instances>,
        live: broadcast::Receiver<Live>,
        cancel: CancellationToken,
    ) {
        cancel.run_until_cancelled(self.exchange(instances.as_ref(), live)).await;
    }

    async fn exchange(&self, instances: &dyn Instances, mut live: broadcast::Receiver<Live>) {
        let mut again = interval(ASKED_EVERY);
        again.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let messages = tokio::select! {
                message = live.recv() => match message {
                    Ok(Live::Streams(message)) => self.heard(message, Instant::now()).into_iter().collect(),
                    Ok(_) | Err(RecvError::Lagged(_)) => Vec::new(),
                    Err(RecvError::Closed) => return,
                },
                _ = again.tick() => self.questions(true, Instant::now()),
                () = self.newly_sought.notified() => self.questions(false, Instant::now()),
            };
            for message in messages {
                if let Err(error) = instances.announce_streams(&message).await {
                    tracing::debug!(%error, "other instances were not told of streams");
                }
            }
        }
    }

    /// Takes note of a message of another instance. Returns the answer to a question.
    fn heard(&self, message: StreamsMessage, now: Instant) -> Option<StreamsMessage> {
        let StreamsMessage { by, asks, mut players } = message;
        if by == self.instance {
            return None;
        }
        if asks {
            players.retain(|player| self.is_here(player));
            return (!players.is_empty()).then(|| self.message(false, players));
        }
        let mut sought = self.sought();
        for player in players {
            if let Some(known) = sought.get_mut(&player) {
                known.told = Some(now);
            }
        }
        None
    }

    /// The questions for all players who are looked for, or for those who have not been asked for yet.
    fn questions(&self, all: bool, now: Instant) -> Vec<StreamsMessage> {
        let mut sought = self.sought();
        sought.retain(|_, known| now - known.looked < LOOKED_WITHIN);
        let asked = sought.iter_mut().filter(|(_, known)| all || !known.asked);
        let asked: Vec<PlayerId> = asked
            .map(|(player, known)| {
                known.asked = true;
                player.clone()
            })
            .collect();
        asked.chunks(PLAYERS_MAX).map(|players| self.message(true, players.to_vec())).collect()
    }

    fn message(&self, asks: bool, players: Vec<PlayerId>) -> StreamsMessage {
        StreamsMessage { by: self.instance.clone(), asks, players }
    }

    fn is_here(&self, player: &PlayerId) -> bool {
        self.here.get().is_some_and(|here| here(player))
    }

    fn sought(&self) -> MutexGuard<'_, HashMap<PlayerId, Sought>> {
        self.sought.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(number: u128) -> PlayerId {
        PlayerId::from_number(number)
    }

    /// An instance from which these players stream.
    fn instance(number: u128, streaming: &'static [u128]) -> StreamingPlayers {
        let instance = StreamingPlayers::new(InstanceId::from_number(number));
        instance.serve(|player| streaming.contains(&player.number()));
        instance
    }

    /// Brings the messages of one to the other, and the answers back. Returns the number of players asked for.
    fn ask(one: &StreamingPlayers, other: &StreamingPlayers, all: bool, now: Instant) -> usize {
        let questions = one.questions(all, now);
        let asked = questions.iter().map(|question| question.players.len()).sum();
        for question in questions {
            assert_eq!(one.heard(question.clone(), now), None, "one's own question");
            if let Some(answer) = other.heard(question, now) {
                for instance in [one, other] {
                    assert_eq!(instance.heard(answer.clone(), now), None);
                }
            }
        }
        asked
    }

    #[test]
    fn instances_tell_each_other_who_streams_and_one_that_dies_is_forgotten_in_seconds() {
        let (one, other, start) = (instance(1, &[1]), instance(2, &[2]), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        let seen = |seconds| [1, 2, 3].map(|number| one.is_streaming_at(&player(number), at(seconds)));
        assert_eq!(one.questions(true, start), [], "nobody looks, nobody asks");
        assert_eq!(seen(0), [true, false, false], "nobody has been asked yet");
        assert_eq!(ask(&one, &other, false, start), 3);
        assert_eq!(seen(0), [true, true, false]);
        assert_eq!(ask(&one, &other, false, start), 0, "they are asked for already");
        assert!(!other.is_streaming_at(&player(1), start), "an answer counts for none but those who look");
        // The other dies: it answers no more.
        for seconds in [5, 10] {
            assert_eq!(seen(seconds), [true, true, false]);
            assert_eq!(one.questions(true, at(seconds))[0].players.len(), 3);
        }
        assert_eq!(seen(12), [true, false, false]);
        // It is there again.
        assert_eq!(ask(&one, &other, true, at(15)), 3);
        assert_eq!(seen(15), [true, true, false]);
        assert_eq!(one.questions(true, at(27)), [], "nobody looks any more");
        assert!(one.sought().is_empty());
    }

    #[test]
    fn a_question_names_a_bounded_number_of_players() {
        let (one, now) = (instance(1, &[]), Instant::now());
        for number in 0..=PLAYERS_MAX {
            one.is_streaming_at(&player(number as u128), now);
        }
        let asked: Vec<usize> = one.questions(true, now).iter().map(|question| question.players.len()).collect();
        assert_eq!(asked, [PLAYERS_MAX, 1]);
    }
}
