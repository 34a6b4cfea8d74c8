//! Query parameters of a picture.

use std::collections::BTreeSet;

use serde::Deserialize;

/// The most spaces that can be pointed out at once.
const MOST: usize = 20;
/// The longest that all of their ids can be together, in characters.
const LONGEST: usize = 400;

/// Ids of spaces, separated by commas. Whether the board has them, the game says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct SpaceList(BTreeSet<String>);

impl SpaceList {
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

/// The default of `coordinates`: a picture shows ids on the board unless the query says otherwise.
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
