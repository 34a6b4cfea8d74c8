//! The refusal of a setting.

/// A setting that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("--{flag} ({variable}) {fault}")]
pub struct WrongSetting {
    flag: &'static str,
    variable: String,
    fault: String,
}

pub(super) fn wrong(flag: &'static str, fault: impl Into<String>) -> WrongSetting {
    let variable = format!("SARSEN_{}", flag.replace('-', "_").to_uppercase());
    WrongSetting { flag, variable, fault: fault.into() }
}
