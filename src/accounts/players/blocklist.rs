//! Words that no player may have in a name, whichever look-alike letters they are written with.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

use super::name::PlayerName;

/// The mark in front of a word that is blocked within other words too.
const ANYWHERE: char = '*';
/// The mark in front of a line that is a comment.
const COMMENT: char = '#';

/// The blocked words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NameBlocklist(Vec<Blocked>);

/// One or several words in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Blocked {
    words: Vec<String>,
    anywhere: bool,
}

impl NameBlocklist {
    /// Reads a list: on each line a word or several, which are blocked as whole words, and behind a `*` within others too.
    /// Empty lines and those that begin with `#` say nothing.
    pub fn parse(text: &str) -> NameBlocklist {
        let lines = text.lines().map(str::trim).filter(|line| !line.starts_with(COMMENT));
        let blocked =
            lines.map(|line| Blocked { words: words(&skeleton_of_small(line)), anywhere: line.starts_with(ANYWHERE) });
        NameBlocklist(blocked.filter(|blocked| !blocked.words.is_empty()).collect())
    }

    /// Returns true if the name holds a blocked word.
    pub fn blocks(&self, name: &PlayerName) -> bool {
        if self.0.is_empty() {
            return false;
        }
        // A capital may look like another letter than its small one does: `PaypaI`.
        let forms = [skeleton_of_small(name.as_str()), small(&skeleton(name.as_str()).collect::<String>())];
        forms.iter().map(|form| words(form)).any(|words| self.0.iter().any(|blocked| blocked.is_in(&words)))
    }
}

impl Blocked {
    fn is_in(&self, words: &[String]) -> bool {
        if self.anywhere {
            return words.concat().contains(&self.words.concat());
        }
        words.windows(self.words.len()).any(|some| some == self.words)
    }
}

/// The text in small letters and without accents.
fn small(text: &str) -> String {
    let is_accent = |letter: &char| matches!(letter, '\u{300}'..='\u{36F}');
    text.to_lowercase().nfkd().filter(|letter| !is_accent(letter)).collect()
}

/// The skeleton (UTS #39) of the text in small letters: one for all texts that look like it.
fn skeleton_of_small(text: &str) -> String {
    small(&skeleton(&small(text)).collect::<String>())
}

/// The words of a text.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocked_words_are_found_in_whatever_letters() {
        let list = NameBlocklist::parse("# of the house\nadmin\n\n*paypal\n  Stone Circle\nдурак\n**\n");
        let blocks = |name: &str| list.blocks(&name.parse().unwrap());
        for name in [
            "admin",
            "Admin 7",
            "ADMIN!",
            "аdmin",
            "ａｄｍｉｎ",
            "ádmìn",
            "𝐚𝐝𝐦𝐢𝐧",
            "the-admin",
            "AdmIn",
            "PaypaI",
            "xPayPalx",
            "рауpal",
            "stone  circle",
            "Stone_Circle",
            "the stone-circle of Rowan",
            "Дурак",
            "дypaк",
        ] {
            assert!(blocks(name), "{name}");
        }
        for name in ["Rowan", "administrator", "badminton", "stone", "circle stone", "Дуракова", "pay", "花子"]
        {
            assert!(!blocks(name), "{name}");
        }
        assert!(!NameBlocklist::parse("# none\n \n*\n").blocks(&"admin".parse().unwrap()));
        assert_eq!(NameBlocklist::parse("# none\n \n*\n"), NameBlocklist::default());
    }
}
