//! The tools that tell of games: which there are, and their rules.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::agent::Agent;
use super::answer::{Refusal, Told};
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use sarsen_games::AnyGame;
use sarsen_rules::{Chance, Mode};

/// No arguments.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentNoArguments)]
pub(super) struct NoArguments {}

/// A game on offer.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentGame)]
struct GameLine {
    /// The id, for `create_match` and `get_rules`.
    id: &'static str,
    /// The title.
    title: &'static str,
    /// The fewest seats.
    min_seats: u8,
    /// The most seats.
    max_seats: u8,
    /// The mode: the seats play alone, together or against each other.
    mode: Mode,
    /// Indicates whether anything is hidden from any seat.
    hidden_information: bool,
    /// The phases that involve chance.
    chance: Chance,
    /// Indicates whether seats may agree on a draw.
    draws: bool,
    /// Indicates whether bots can hold seats.
    bots: bool,
}

/// The games on offer.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentGameMenu)]
pub(super) struct GameMenu {
    /// The games.
    games: Vec<GameLine>,
}

impl Told for GameMenu {
    fn text(&self) -> String {
        let line = |game: &GameLine| {
            let GameLine { id, title, min_seats, max_seats, hidden_information, bots, .. } = game;
            let seats = if min_seats == max_seats { min_seats.to_string() } else { format!("{min_seats}-{max_seats}") };
            let hidden = if *hidden_information { "hidden information" } else { "open information" };
            let bots = if *bots { "bots easy, medium, hard" } else { "no bots" };
            format!("{id}: {title}; seats {seats}; {hidden}; {bots}.")
        };
        self.games.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Lists the games.
pub(super) async fn list_games(agent: &Agent, _: NoArguments) -> Result<GameMenu, Refusal> {
    let line = |game: &dyn AnyGame| {
        let info = game.info();
        GameLine {
            id: info.id,
            title: info.title,
            min_seats: info.min_seats,
            max_seats: info.max_seats,
            mode: info.mode,
            hidden_information: info.hidden_information,
            chance: info.chance,
            draws: info.draws,
            bots: agent.service.matches.bots_of(info.id).flatten().is_some(),
        }
    };
    Ok(GameMenu { games: agent.catalogue.all().map(line).collect() })
}

/// A question on rules.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentRulesQuestion)]
pub(super) struct RulesQuestion {
    /// The game's id.
    game: String,
    /// A section (`4.7`), a ruling (`CO-07`), an entry of the glossary, or `all`; left out for an overview.
    #[serde(default)]
    section: Option<String>,
}

/// A section of a rulebook.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentRulesSection)]
pub(super) struct SectionLine {
    /// The id to pass as `section`.
    id: &'static str,
    /// The heading.
    title: &'static str,
}

/// An answer on rules.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentRulesText)]
pub(super) struct RulesText {
    /// The game's id.
    game: &'static str,
    /// The text, in Markdown.
    text: String,
    /// The sections of the rulebook; empty where one was asked for.
    sections: Vec<SectionLine>,
}

impl Told for RulesText {
    fn text(&self) -> String {
        let mut text = self.text.clone();
        if !self.sections.is_empty() {
            text.push_str("\n\nSections:\n");
            self.sections.iter().for_each(|section| text.push_str(&format!("{} {}\n", section.id, section.title)));
        }
        text
    }
}

/// Answers a question on rules.
pub(super) async fn get_rules(agent: &Agent, asked: RulesQuestion) -> Result<RulesText, Refusal> {
    let game = agent.catalogue.find(&asked.game)?.game();
    let (info, book) = (game.info(), game.rulebook().text());
    let answer = |text| RulesText { game: info.id, text, sections: Vec::new() };
    let Some(section) = asked.section.filter(|section| !section.is_empty()) else {
        let text = format!("{}\n\n## Notation of moves\n\n{}", info.summary.trim_end(), info.notation);
        return Ok(RulesText { sections: sections(book).map(|(line, _)| line).collect(), ..answer(text) });
    };
    if section == "all" {
        return Ok(answer(book.to_owned()));
    }
    if let Some(text) = section_of(book, &section).map(str::to_owned).or_else(|| component(game, &section)) {
        return Ok(answer(text));
    }
    let detail =
        "there is no such section, ruling or entry of the glossary; without `section` the answer lists the sections";
    Err(Problem::new(Code::InvalidRequest).path("section").detail(detail).into())
}

/// The headings of a rulebook that have an id, each with its place in the text.
fn sections(book: &'static str) -> impl Iterator<Item = (SectionLine, usize)> {
    headings(book).filter_map(|(at, heading)| {
        let (id, title) = heading.trim_start_matches('#').trim_start().split_once(' ')?;
        let is_id = id.bytes().any(|byte| byte.is_ascii_digit());
        is_id.then_some((SectionLine { id, title }, at))
    })
}

/// The lines of headings below the title, each with its place in the text.
fn headings(book: &'static str) -> impl Iterator<Item = (usize, &'static str)> {
    let mut at = 0;
    let lines = book.split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line.trim_end())
    });
    lines.filter(|(_, line)| line.starts_with("## ") || line.starts_with("### "))
}

/// The section or ruling of this id with what is below it: up to the next heading that is no lower.
pub(super) fn section_of(book: &'static str, id: &str) -> Option<&'static str> {
    let (_, begin) = sections(book).find(|(section, _)| section.id.eq_ignore_ascii_case(id))?;
    let low = book.get(begin..)?.starts_with("### ");
    let end = headings(book).find(|(at, line)| *at > begin && (low || line.starts_with("## ")));
    book.get(begin..end.map_or(book.len(), |(at, _)| at)).map(str::trim_end)
}

/// The entry of the glossary of new matches with this id.
fn component(game: &dyn AnyGame, id: &str) -> Option<String> {
    let glossary = game.glossaries().into_iter().find(|glossary| glossary.offered)?;
    let entries = glossary.entries.iter().filter(|entry| entry.id.eq_ignore_ascii_case(id));
    let line =
        |entry: &sarsen_rules::GlossaryEntry| format!("{} {}, {}: {}", entry.kind, entry.id, entry.name, entry.text);
    let lines: Vec<String> = entries.map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: &str = "# Ford\n\nBy nobody.\n\n## 1 Board\nNine squares.\n\n### 1.1 Corners\n\nFour.\n\n## Notes\n\n\
                        None.\n\n## 2 Rulings\n\n### FO-01 Who begins?\nCrosses.\n";

    #[test]
    fn a_section_reaches_to_the_next_heading_that_is_no_lower() {
        let ids: Vec<&str> = sections(BOOK).map(|(section, _)| section.id).collect();
        assert_eq!(ids, ["1", "1.1", "2", "FO-01"]);
        assert_eq!(section_of(BOOK, "1"), Some("## 1 Board\nNine squares.\n\n### 1.1 Corners\n\nFour."));
        assert_eq!(section_of(BOOK, "1.1"), Some("### 1.1 Corners\n\nFour."));
        assert_eq!(section_of(BOOK, "fo-01"), Some("### FO-01 Who begins?\nCrosses."));
        assert_eq!(section_of(BOOK, "3"), None);
    }
}
