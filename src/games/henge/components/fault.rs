//! Faults of a component file.

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {what}")]
pub(crate) struct Fault {
    /// The place: a table, a card with its id, a slot with its side.
    pub(crate) at: String,
    /// The fault, as a sentence without its subject.
    pub(crate) what: String,
}

/// All faults of a file, in its order; never empty as an error.
#[derive(Clone, PartialEq, Eq, Debug, Default, thiserror::Error)]
#[error("{}", .0.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Faults(Vec<Fault>);

impl Faults {
    pub(super) fn add(&mut self, at: impl Into<String>, what: impl Into<String>) {
        self.0.push(Fault { at: at.into(), what: what.into() });
    }

    /// Adds a fault unless `sound`.
    pub(super) fn demand(&mut self, sound: bool, at: &str, what: impl FnOnce() -> String) {
        if !sound {
            self.add(at, what());
        }
    }

    /// Returns every fault.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Fault> {
        self.0.iter()
    }

    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
