//! The deadline of a request.

use std::cell::Cell;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use tokio::time::Instant;

use crate::answer::problem::Problem;

/// The moment at which a request is given up. A handler that waits on purpose (a long poll) takes this as an argument
/// and says so. It bounds the time to the head of the answer: a stream's body may go on.
#[derive(Clone, Debug)]
pub(crate) struct Deadline(Rc<Times>);

#[derive(Debug)]
struct Times {
    at: Cell<Instant>,
    reading: Cell<bool>,
}

impl Deadline {
    /// So much from now.
    pub(crate) fn after(time: Duration) -> Deadline {
        Deadline(Rc::new(Times { at: Cell::new(Instant::now() + time), reading: Cell::new(false) }))
    }

    /// The moment, with all extensions so far.
    pub(crate) fn at(&self) -> Instant {
        self.0.at.get()
    }

    /// Grants the request `extra` time beyond what it has.
    pub(crate) fn extend(&self, extra: Duration) {
        self.0.at.set(self.0.at.get() + extra);
    }

    /// Reads the request's body: until that has ended, it is the client that the request waits for.
    pub(crate) async fn reading<T>(&self, body: impl Future<Output = T>) -> T {
        self.0.reading.set(true);
        let read = body.await;
        self.0.reading.set(false);
        read
    }

    /// Returns true while the request waits for its body.
    pub(crate) fn waits_for_body(&self) -> bool {
        self.0.reading.get()
    }
}

impl FromRequest for Deadline {
    type Error = Problem;
    type Future = Ready<Result<Deadline, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let known = request.extensions().get::<Deadline>().cloned();
        ready(known.ok_or_else(|| Problem::internal("a request has no deadline")))
    }
}
