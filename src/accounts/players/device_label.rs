//! The label by which a player knows a device again.

use std::str::FromStr;

use sarsen_base::text::{self, TextError};

/// The longest label, in characters (grapheme clusters).
pub(crate) const DEVICE_LABEL_MAX: usize = 40;

/// A label: cleaned text, for the player's own eyes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceLabel(String);

impl DeviceLabel {
    /// The text of it.
    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl FromStr for DeviceLabel {
    type Err = TextError;
    fn from_str(text: &str) -> Result<DeviceLabel, TextError> {
        text::clean(text, DEVICE_LABEL_MAX).map(DeviceLabel)
    }
}
