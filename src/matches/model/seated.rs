//! A player at a table: [`Seated`] as it is stored with the match, [`PlayerRef`] as it is read.

use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use sarsen_accounts::auth::PlayerKind;
use sarsen_base::ids::PlayerId;

/// A player at the table, with the name they had when they sat down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seated {
    /// The player's id.
    pub id: PlayerId,
    /// The name they had when they sat down.
    pub name: String,
    /// The kind of player.
    #[serde(default, skip_serializing_if = "PlayerKind::is_person")]
    pub kind: PlayerKind,
}

impl Seated {
    /// A person.
    pub fn person(id: PlayerId, name: String) -> Seated {
        Seated { id, name, kind: PlayerKind::Person }
    }
}

/// A player at the table, by id and name.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerRef<'a> {
    /// The player's id.
    #[schema(value_type = String)]
    pub(crate) id: &'a PlayerId,
    /// The name they had when they sat down.
    pub name: &'a str,
    /// The kind of player.
    pub(crate) kind: PlayerKind,
    /// Four digits of the id that tell players of one name apart.
    #[schema(value_type = String, pattern = "^[0-9a-hjkmnp-tv-z]{4}$", examples("h8k4"))]
    pub(crate) tag: PlayerTag,
}

impl<'a> From<&'a Seated> for PlayerRef<'a> {
    fn from(Seated { id, name, kind }: &'a Seated) -> PlayerRef<'a> {
        PlayerRef { id, name, kind: *kind, tag: PlayerTag::of(id) }
    }
}

impl PlayerRef<'_> {
    /// Serializes a stored player as it is read.
    pub(crate) fn one<S: Serializer>(seated: &Seated, serializer: S) -> Result<S::Ok, S::Error> {
        PlayerRef::from(seated).serialize(serializer)
    }

    /// Serializes a stored player as it is read, if there is one.
    pub(crate) fn any<S: Serializer>(seated: &Option<Seated>, serializer: S) -> Result<S::Ok, S::Error> {
        seated.as_ref().map(PlayerRef::from).serialize(serializer)
    }
}

/// The last 20 bits of a player's id in Crockford's base 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerTag([u8; 4]);

impl PlayerTag {
    /// The tag of this player.
    pub fn of(id: &PlayerId) -> PlayerTag {
        PlayerTag(id.tag())
    }

    pub(crate) fn as_str(&self) -> &str {
        // Always text: each byte is a digit.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl Serialize for PlayerTag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_the_last_twenty_bits_of_the_id() {
        for (last, tag) in
            [("00000", "0000"), ("00001", "0001"), ("0001f", "000z"), ("fffff", "zzzz"), ("8a2c4", "h8p4")]
        {
            let id: PlayerId = format!("p_0190163d8694739ea2a3c9f1e7d{last}").parse().unwrap();
            let seated = Seated::person(id, "Rowan".to_owned());
            assert_eq!(PlayerRef::from(&seated).tag.as_str(), tag, "{last}");
        }
        let id = PlayerId::from_number(0x1f);
        let mut seated = Seated::person(id, "Rowan".to_owned());
        let read = serde_json::to_value(PlayerRef::from(&seated)).unwrap();
        assert_eq!((&read["kind"], &read["tag"]), (&"person".into(), &"000z".into()));
        assert!(!serde_json::to_string(&seated).unwrap().contains("kind"), "stored forms leave out a person's");
        seated.kind = PlayerKind::Bot;
        assert_eq!(serde_json::to_value(PlayerRef::from(&seated)).unwrap()["kind"], "bot");
        assert_eq!(serde_json::from_value::<Seated>(serde_json::to_value(&seated).unwrap()).unwrap(), seated);
    }
}
