//! The audience of events: a list that collects them, or nobody, where a search wants the state alone.
//!
//! Invariant: a game goes the same way with a listener and without one.

/// A receiver of events.
pub trait Audience<E> {
    /// Returns whether somebody listens.
    fn listens(&self) -> bool {
        true
    }

    /// Passes on an event, which is built only if somebody listens.
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
    fn listens(&self) -> bool {
        false
    }

    #[inline]
    fn tell(&mut self, _event: impl FnOnce() -> E) {}
}
