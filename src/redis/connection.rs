//! A connection in use, and the validity of the answers on it.

use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;

use redis::aio::MultiplexedConnection;
use redis::{Cmd, Pipeline, RedisResult, Value};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::script::{in_full, unknown_script};
use crate::sentinels::Tenure;
use crate::wait_pool::WaitPool;

/// A connection, for as long as it leads to the right server.
pub struct Connection {
    pub(crate) multiplexed: MultiplexedConnection,
    pub(crate) pool: Option<Arc<WaitPool>>,
    pub(crate) standing: ConnectionStanding,
    /// Cancelled as soon as its driver knows that it has ended.
    pub(crate) ended: CancellationToken,
    /// Notified when an answer on it took too long.
    pub(crate) doubted: Notify,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Suspicion {
    /// An answer took too long: ping the server.
    Slow,
    /// The server may not be the master any more: check its role.
    Wrong,
}

/// The validity of the server's answers.
#[derive(Clone)]
pub(crate) struct ConnectionStanding {
    pub(crate) given_up: CancellationToken,
    /// The tenure that the Sentinels report, which can end before the connection is given up for it.
    pub(crate) tenure: Option<Tenure>,
}

impl ConnectionStanding {
    /// Returns the outcome of a trip, if it is valid when it arrives. The trip is pinned, since it would be held twice
    /// otherwise.
    async fn of<T>(&self, trip: Pin<&mut impl Future<Output = RedisResult<T>>>) -> RedisResult<T> {
        let outcome = self.given_up.run_until_cancelled(trip).await;
        outcome.filter(|_| !self.is_over()).unwrap_or_else(gone)
    }

    /// Returns true if no answer is valid any more. A positive answer is final, even if the Sentinels take back their
    /// report: the keeper then gives the connection up, so no waiter waits in vain.
    pub(crate) fn is_over(&self) -> bool {
        if self.tenure.as_ref().is_some_and(Tenure::is_over) {
            self.given_up.cancel();
        }
        self.given_up.is_cancelled()
    }

    /// Returns when no answer is valid any more.
    pub(crate) async fn over(&self) {
        match &self.tenure {
            Some(tenure) => {
                let mut tenure = tenure.clone();
                tokio::select! {
                    () = self.given_up.cancelled() => {}
                    () = tenure.over() => {}
                }
            }
            None => self.given_up.cancelled().await,
        }
    }
}

impl Connection {
    /// Sends a command.
    ///
    /// # Errors
    /// The server's, or the loss of the connection.
    pub async fn send(&self, command: &Cmd) -> RedisResult<Value> {
        let mut connection = self.multiplexed.clone();
        self.standing.of(pin!(connection.send_packed_command(command))).await
    }

    /// Sends several commands in one trip.
    async fn send_all(&self, commands: &Pipeline) -> RedisResult<Vec<Value>> {
        let mut connection = self.multiplexed.clone();
        self.standing.of(pin!(connection.send_packed_commands(commands, 0, commands.len()))).await
    }

    /// Sends several commands in one trip, each with an outcome of its own.
    ///
    /// # Errors
    /// If the connection is lost.
    pub async fn send_each(&self, commands: Vec<Cmd>) -> RedisResult<Vec<RedisResult<Value>>> {
        let mut pipeline = Pipeline::with_capacity(commands.len());
        for command in commands {
            pipeline.add_command(command);
        }
        let answers = self.send_all(&pipeline).await?;
        let mut outcomes: Vec<RedisResult<Value>> = answers.into_iter().map(Value::extract_error).collect();
        // The server refused a script that is new to it: nothing happened, and a call in full loads it.
        let refused: Vec<(usize, Cmd)> = pipeline
            .cmd_iter()
            .enumerate()
            .filter(|&(place, _)| matches!(outcomes.get(place), Some(Err(error)) if unknown_script(error)))
            .map(|(place, command)| (place, in_full(command)))
            .collect();
        for (place, command) in refused {
            let outcome = self.send(&command).await.and_then(Value::extract_error);
            if let Some(refusal) = outcomes.get_mut(place) {
                *refusal = outcome;
            }
        }
        Ok(outcomes)
    }

    /// Sends several commands in one trip that waits for replicas too, where the store waits for them.
    ///
    /// # Errors
    /// If the connection is lost, or too few replicas have the writes in time.
    pub async fn keep_each(&self, commands: Vec<Cmd>) -> RedisResult<Vec<RedisResult<Value>>> {
        let Some(pool) = &self.pool else { return self.send_each(commands).await };
        self.standing.of(pin!(pool.carry(false, &commands))).await
    }
}

/// Returns the error of a trip whose answer would not be valid.
fn gone<T>() -> RedisResult<T> {
    Err(io::Error::new(io::ErrorKind::ConnectionAborted, "it was the wrong server").into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quorum::tests::says;
    use crate::sentinels::tests::tenure_beside;

    #[tokio::test]
    async fn an_answer_counts_only_while_the_server_is_the_right_one() {
        let given_up = CancellationToken::new();
        let standing = |tenure| ConnectionStanding { given_up: given_up.clone(), tenure };
        let (mine, newer) = (says(5, 2), says(6, 3));
        assert_eq!(standing(None).of(pin!(async { Ok(1) })).await, Ok(1));
        assert_eq!(standing(Some(tenure_beside([mine.clone()]))).of(pin!(async { Ok(1) })).await, Ok(1));
        // The Sentinels have said so, and the connection is about to be given up for it.
        assert!(standing(Some(tenure_beside([mine, newer]))).of(pin!(async { Ok(1) })).await.is_err());
        assert!(given_up.is_cancelled(), "and stays given up, whatever they say then");
        // It is given up in the moment in which the answer is there.
        let given_up = CancellationToken::new();
        let answer = async {
            given_up.cancel();
            Ok(1)
        };
        let standing = ConnectionStanding { given_up: given_up.clone(), tenure: None };
        assert!(standing.of(pin!(answer)).await.is_err());
    }
}
