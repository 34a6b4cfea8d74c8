//! A game's published rules, read from the Markdown text beside its code.
//!
//! Invariant: what refusals may cite is a heading of the text: a section by its number (`4.7`) or a ruling by its id
//! (`CO-07`). A ruling's heading goes on with the question; the paragraph right below is the decision.
//!
//! Deliberately absent: Markdown. This module reads headings only; the service serves the text unchanged.

use serde::Serialize;
use utoipa::ToSchema;

/// A decision on a point that the printed rules leave open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Ruling {
    /// Stable id, such as `CO-07`; refusals name it.
    pub id: &'static str,
    /// The point that the printed rules leave open.
    pub(crate) question: &'static str,
    /// The decision of this service.
    pub(crate) decision: &'static str,
}

/// The complete rules of a game, and what can be cited of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rulebook {
    text: &'static str,
    sections: Vec<&'static str>,
    rulings: Vec<Ruling>,
}

impl Rulebook {
    /// Reads the rules of a game. A heading without an id cannot be cited.
    pub fn read(text: &'static str) -> Rulebook {
        let mut book = Rulebook { text, sections: Vec::new(), rulings: Vec::new() };
        for (heading, below) in headings(text) {
            match heading.split_once(' ') {
                Some((id, _)) if is_section(id) => book.sections.push(id),
                Some((id, question)) if is_ruling(id) => book.rulings.push(Ruling { id, question, decision: below }),
                _ => {}
            }
        }
        book
    }

    /// The whole, as Markdown.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// Returns how this service decides what the printed rules leave open, in the order of the text.
    pub fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// The ids of sections and rulings: what refusals may cite.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        self.sections.iter().copied().chain(self.rulings.iter().map(|ruling| ruling.id))
    }
}

/// Every heading below the title, without its marks, and the text up to the next empty line.
pub(super) fn headings(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.split("\n\n").filter_map(|block| {
        let (line, below) = block.trim().split_once('\n').unwrap_or((block.trim(), ""));
        let (marks, heading) = line.split_once(' ')?;
        matches!(marks, "##" | "###").then_some((heading, below))
    })
}

/// Numbers with points between them.
fn is_section(id: &str) -> bool {
    id.split('.').all(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Capitals, a hyphen, and at least two figures, so that ids of one game have one length.
fn is_ruling(id: &str) -> bool {
    id.split_once('-').is_some_and(|(game, number)| {
        let of =
            |text: &str, least, wanted: fn(&u8) -> bool| text.len() >= least && text.bytes().all(|byte| wanted(&byte));
        of(game, 1, u8::is_ascii_uppercase) && of(number, 2, u8::is_ascii_digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Naughts

By **Nobody**. See section 2.

## 1 Board
Nine squares.

### 1.1 Corners

There are four.

## 2 Rulings

### NA-01 Who begins?
Crosses, who are
drawn.

### NA-2 Is this one cited?
No: its id is too short.
";

    #[test]
    fn headings_give_what_can_be_cited() {
        let book = Rulebook::read(TEXT);
        assert_eq!(book.ids().collect::<Vec<_>>(), ["1", "1.1", "2", "NA-01"]);
        assert_eq!(
            book.rulings(),
            [Ruling { id: "NA-01", question: "Who begins?", decision: "Crosses, who are\ndrawn." }]
        );
        assert_eq!(book.text(), TEXT);
        assert_eq!(headings(TEXT).count(), 5);
    }
}
