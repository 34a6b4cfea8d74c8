//! The audience of events: a list that collects them, or nobody, where a search wants the state alone.
//!
//! Invariant: whether anybody listens changes nothing of what happens.

/// A receiver of events.
pub trait Audience<E> {
    /// Tells an event, which is made only if somebody listens.
    fn tell(&mut self, event: impl FnOnce() -> E);
}

impl<E> Audience<E> for Vec<E> {
    fn tell(&mut self, event: impl FnOnce() -> E) {
        self.push(event());
    }
}

/// Nobody listens.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl<E> Audience<E> for Nobody {
    #[inline]
    fn tell(&mut self, _event: impl FnOnce() -> E) {}
}
