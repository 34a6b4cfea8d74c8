//! Pairs: two servers that are loaded in turns, and how the second compares with the first.
//!
//! Other work of the machine touches both samples of a pair alike, or so it is hoped; the middle of the pairs is quoted
//! with the least and the most.

use std::fmt;
use std::time::Duration;

use super::client::Client;
use super::sample::Sample;
use super::server::Server;

/// A server with the clients that load it.
pub struct Side {
    /// The server.
    pub server: Server,
    /// The clients, a connection each.
    pub clients: Vec<Client>,
}

impl Side {
    /// A server that nobody loads yet.
    pub fn new(server: Server) -> Side {
        Side { server, clients: Vec::new() }
    }

    async fn sample(&mut self, window: Duration) -> Sample {
        Sample::take(&self.server, &mut self.clients, window).await
    }
}

/// The samples of two sides.
pub struct Pairs(Vec<[Sample; 2]>);

impl Pairs {
    /// The text above the lines.
    pub const HEAD: &str = "rate: requests a second, second over first. cpu, cpu_all: processor time a request, first over second, of the\n\
         server and with that of Redis. p50, p99: latency of a move, first over second. More is better for the second.\n\
         Then for each its requests a second, and microseconds of processor time a request of server + Redis.";

    /// Loads both in turns. Which of them is first changes, so that being second favours neither.
    pub async fn take(sides: [&mut Side; 2], pairs: usize, window: Duration) -> Pairs {
        let [one, other] = sides;
        let mut taken = Vec::with_capacity(pairs);
        for number in 0..pairs {
            taken.push(match number % 2 {
                0 => {
                    let first = one.sample(window).await;
                    [first, other.sample(window).await]
                }
                _ => {
                    let second = other.sample(window).await;
                    [one.sample(window).await, second]
                }
            });
        }
        Pairs(taken)
    }

    /// The middle of what `of` makes of each pair, between the least and the most.
    pub fn middle(&self, of: impl Fn(&[Sample; 2]) -> f64) -> Middle {
        let mut values: Vec<f64> = self.0.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        Middle { least: values[0], middle: values[values.len() / 2], most: values[values.len() - 1] }
    }

    /// The middle of the ratio of requests a second.
    pub fn rate(&self) -> Middle {
        self.middle(|[one, other]| other.rate() / one.rate())
    }

    /// The middle of the ratio of processor time a request, that of Redis included.
    pub fn cpu_all(&self) -> Middle {
        self.middle(|[one, other]| (one.server() + one.redis()) / (other.server() + other.redis()))
    }
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rate {}  ", self.rate())?;
        write!(f, "cpu {}  ", self.middle(|[one, other]| one.server() / other.server()))?;
        write!(f, "cpu_all {}  ", self.cpu_all())?;
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            let ratio = self.middle(|[one, other]| one.percentile(share) / other.percentile(share));
            write!(f, "{name} {ratio}  ")?;
        }
        for side in 0..2 {
            let [rate, server, redis] =
                [Sample::rate, Sample::server, Sample::redis].map(|of| self.middle(|pair| of(&pair[side])).middle);
            write!(f, "| {rate:>6.0}/s {server:>4.0} + {redis:>3.0} us ")?;
        }
        Ok(())
    }
}

/// A value of several pairs.
pub struct Middle {
    least: f64,
    /// The middle one; of an even number the upper.
    pub middle: f64,
    most: f64,
}

impl fmt::Display for Middle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Where no move was made there is none.
        match self.middle.is_nan() {
            true => f.write_str("-"),
            false => write!(f, "{:.2} [{:.2}-{:.2}]", self.middle, self.least, self.most),
        }
    }
}
