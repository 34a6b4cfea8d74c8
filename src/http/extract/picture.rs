//! Query parameters of a picture.

use std::collections::BTreeSet;

use serde::Deserialize;
use utoipa::ToSchema;

use sarsen_games::pictures::Theme;

/// How many spaces can be pointed out at once.
const MOST: usize = 20;
/// How long all of their ids can be together, in characters.
const LONGEST: usize = 400;

/// Which colours a picture has.
///
/// - `auto`: Those that the reader's device prefers.
/// - `light`: Dark on light.
/// - `dark`: Light on dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PictureTheme {
    /// Those that the reader's device prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl From<PictureTheme> for Theme {
    fn from(theme: PictureTheme) -> Theme {
        match theme {
            PictureTheme::Auto => Theme::Auto,
            PictureTheme::Light => Theme::Light,
            PictureTheme::Dark => Theme::Dark,
        }
    }
}

/// Ids of spaces, separated by commas. Whether the board has them, the game says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct SpaceList(BTreeSet<String>);

impl SpaceList {
    /// The ids.
    pub(crate) fn ids(&self) -> BTreeSet<String> {
        self.0.clone()
    }
}

impl TryFrom<String> for SpaceList {
    type Error = String;
    fn try_from(text: String) -> Result<SpaceList, String> {
        let ids: BTreeSet<String> = text.split(',').map(str::to_owned).collect();
        match ids.len() <= MOST && text.chars().count() <= LONGEST {
            true => Ok(SpaceList(ids)),
            false => Err(format!("at most {MOST} spaces are pointed out, their ids with {LONGEST} characters in all")),
        }
    }
}

/// What a query leaves out is drawn with ids on the board.
pub(crate) const fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut_at_its_commas_and_bounded() {
        let list = |text: &str| SpaceList::try_from(text.to_owned());
        assert_eq!(list("29b,5b,29b").unwrap().ids(), ["29b", "5b"].map(str::to_owned).into());
        assert!(list(&(1..=20).map(|at| at.to_string()).collect::<Vec<_>>().join(",")).is_ok());
        assert!(list(&(1..=21).map(|at| at.to_string()).collect::<Vec<_>>().join(",")).is_err());
        assert!(list(&"1".repeat(401)).is_err());
    }
}
