//! When a request is given up.

use std::cell::Cell;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use tokio::time::Instant;

use crate::http::answer::problem::Problem;

/// The moment at which a request is given up. A handler that waits on purpose (a long poll) takes this as an argument and says so.
/// It bounds the time to the head of the answer: a stream's body may go on.
#[derive(Clone, Debug)]
pub struct Deadline(Rc<Cell<Instant>>);

impl Deadline {
    /// So much from now.
    pub fn after(time: Duration) -> Deadline {
        Deadline(Rc::new(Cell::new(Instant::now() + time)))
    }

    /// The moment, as it stands.
    pub fn at(&self) -> Instant {
        self.0.get()
    }

    /// Grants the request `extra` time beyond what it has.
    pub fn extend(&self, extra: Duration) {
        self.0.set(self.0.get() + extra);
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
