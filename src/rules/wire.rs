//! Types on the wire, and the reading of options.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

use super::reading;

/// A value that is JSON on the wire and has a schema.
pub trait Wire: Serialize + DeserializeOwned + ToSchema + Clone + Debug + Send + Sync + 'static {}

impl<T: Serialize + DeserializeOwned + ToSchema + Clone + Debug + Send + Sync + 'static> Wire for T {}

/// Options that do not fit their schema.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{detail}")]
pub struct MalformedOptions {
    /// JSON path of the fault, `.` for the whole.
    pub path: String,
    /// One sentence.
    pub(crate) detail: String,
}

impl MalformedOptions {
    /// A fault at `path`.
    pub fn at(path: impl Into<String>, fault: impl ToString) -> MalformedOptions {
        MalformedOptions { path: path.into(), detail: fault.to_string() }
    }
}

/// Reads options whose defaults are those of their type; null means all defaults.
///
/// # Errors
/// The first fault, with its place.
pub fn read_options<T: DeserializeOwned + Default>(json: &Value) -> Result<T, MalformedOptions> {
    match json {
        Value::Null => Ok(T::default()),
        given => reading::read(given).map_err(|fault| MalformedOptions::at(fault.place(), &fault)),
    }
}
