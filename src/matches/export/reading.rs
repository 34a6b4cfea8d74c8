//! Reading a record from its text.
//!
//! Invariant: the result holds all that the text says. A property that no record has is refused wherever it is. So is a
//! value that would be written otherwise (a player's tag that is not that of the id).

use serde_json::Value;

use super::format::MatchExport;

/// The reason why a text is no record.
#[derive(Debug, thiserror::Error)]
pub enum NoRecord {
    /// It is not of the schema.
    #[error(transparent)]
    Malformed(#[from] serde_json::Error),
    /// It says something besides.
    #[error("{0} is not as a record has it")]
    Foreign(String),
}

impl MatchExport {
    /// Reads a record with its properties in any order and any white space between them.
    ///
    /// # Errors
    /// [`NoRecord`], with the place.
    pub fn read(text: &[u8]) -> Result<MatchExport, NoRecord> {
        let record: MatchExport = serde_json::from_slice(text)?;
        let (said, meant): (Value, Value) = (serde_json::from_slice(text)?, serde_json::to_value(&record)?);
        match difference(&said, &meant) {
            None => Ok(record),
            Some(place) => Err(NoRecord::Foreign(place)),
        }
    }
}

/// The JSON pointer of the first place in which two values differ.
fn difference(said: &Value, meant: &Value) -> Option<String> {
    match (said, meant) {
        (Value::Object(said), Value::Object(meant)) => {
            let missing = meant.keys().find(|name| !said.contains_key(*name)).map(|name| format!("/{name}"));
            let other = |(name, value): (&String, &Value)| {
                let below = meant.get(name).map_or(Some(String::new()), |meant| difference(value, meant))?;
                Some(format!("/{name}{below}"))
            };
            missing.or_else(|| said.iter().find_map(other))
        }
        (Value::Array(said), Value::Array(meant)) if said.len() == meant.len() => {
            let mut both = said.iter().zip(meant).enumerate();
            both.find_map(|(index, (said, meant))| Some(format!("/{index}{}", difference(said, meant)?)))
        }
        _ => (said != meant).then(String::new),
    }
}
