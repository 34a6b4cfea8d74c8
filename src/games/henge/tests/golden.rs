//! Golden playthroughs: one random match for each mixture of people and Hengebots. After each move stand the events as
//! a spectator sees them, with what some seat sees beyond that; then what has changed in the open part of the view; then
//! what has changed of the hidden part, for each seat and a spectator. `SARSEN_GOLDEN=write` rewrites them.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;
use test_kit::golden;

use super::super::components::{Action, Id};
use super::super::observation::{HengeHeld, HengeMat, HengePlayer, HengeStage, HengeView};
use super::*;
use sarsen_rules::{Status, Viewer, play, settle};

/// By total and people; in some a Hengebot sits between people.
const TABLES: [&str; 12] =
    ["hbb", "hbh", "hhh", "hbbb", "hhbb", "hhhb", "hhhh", "hbbbb", "hbhbb", "hhhbb", "hhbhh", "hhhhh"];

/// The type first, then the other properties without quotes.
fn brief(event: &Event) -> String {
    let json = serde_json::to_value(event).unwrap();
    let mut text = json["type"].as_str().unwrap().to_owned();
    let is_told = |name: &str| name != "type" && (name != "chair" || json["seat"].is_null());
    for (name, value) in json.as_object().unwrap().iter().filter(|(name, _)| is_told(name)) {
        // Null is written as what is hidden where a card may be, and as nothing elsewhere.
        let is_hidden = value.is_null() && (name == "card" || name == "cards");
        write!(text, " {name}={}", if is_hidden { "?".to_owned() } else { plain(value) }).unwrap();
    }
    text
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(" ")),
        Value::Object(map) => {
            let parts: Vec<String> = map.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
            format!("({})", parts.join(" "))
        }
        other => other.to_string(),
    }
}

fn name(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => seat.to_string(),
        Viewer::Spectator => "spectator".to_owned(),
        Viewer::Omniscient => "all".to_owned(),
    }
}

/// Returns what only some may see, by chair, as a viewer sees it: cards hidden from this one are written as `?`, one each.
/// In the view it is blotted out, so that what is left is the open part.
fn take_hidden(view: &mut HengeView) -> Vec<Parts> {
    let cards = |cards: Option<Vec<Id>>, count: u8| match cards {
        None if count == 0 => "-".to_owned(),
        None => "?".repeat(usize::from(count)),
        Some(cards) if cards.is_empty() => "-".to_owned(),
        Some(cards) => cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    };
    let of = |mat: &mut HengeMat| {
        let returned = mat.returned.take();
        let spring = match mat.spring.take() {
            Some(card) => card.to_string(),
            None if mat.has_spring => "?".to_owned(),
            None => "-".to_owned(),
        };
        vec![
            ("luck", cards(mat.hand.take(), mat.hand_count)),
            ("offer", cards(mat.offer.take(), mat.offer_count)),
            ("spring", spring),
            ("refused", cards(mat.refused.take(), mat.refused_count)),
            ("end_of_game", cards(mat.end_of_game_cards.take(), mat.end_of_game_count)),
            ("dropped", cards(mat.dropped.take(), mat.dropped_count)),
            ("returned", returned.map_or("?".to_owned(), |cards_back| cards(Some(cards_back), 0))),
        ]
    };
    view.players.iter_mut().map(|player| player.mat.as_mut().map_or_else(Vec::new, of)).collect()
}

/// The open part: what is being decided and why, the decks, and what lies before each player. What stands on the board
/// is told by the events.
fn open(view: &HengeView) -> Vec<Parts> {
    let mut lines = vec![vec![("due", due(view))]];
    lines.push(vec![
        ("luck_cards_left", view.luck_cards_left.to_string()),
        ("luck_spent", view.luck_spent.len().to_string()),
        ("luck_discards", view.luck_discards.len().to_string()),
        ("luck_held", view.luck_held.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")),
        ("end_of_game_cards_left", view.end_of_game_cards_left.to_string()),
        ("stones_left", view.stones_left.to_string()),
        ("hengebot_cards_left", view.hengebot_cards_left.to_string()),
        ("travel_supply", view.travel_supply.to_string()),
    ]);
    for player in &view.players {
        let mut parts = vec![("druids_left", player.druids_left.to_string())];
        if let Some(is_up) = player.carve_token_up {
            parts.push(("carve_token_up", is_up.to_string()));
        }
        if let Some(mat) = &player.mat {
            let levels = &mat.levels;
            let levels = [levels.rondel, levels.coin, levels.luck, levels.stone, levels.druid];
            let stone = |held: &HengeHeld| {
                let place = if held.delivered { "=".to_owned() } else { held.at.to_string() };
                format!("{}@{place}{}", held.stone, if held.carved { "c" } else { "" })
            };
            parts.extend([
                ("coins", mat.coins.to_string()),
                ("victory_points", mat.victory_points.to_string()),
                ("travel_tokens", mat.travel_tokens.to_string()),
                ("levels", levels.map(|level| level.to_string()).concat()),
                ("luck_steps", mat.luck_steps.to_string()),
                ("marks", mat.marks.to_string()),
                ("held", mat.held_count.to_string()),
                ("stones", mat.stones.iter().map(stone).collect::<Vec<_>>().join(",")),
            ]);
        }
        lines.push(parts);
    }
    lines
}

fn whose(player: &HengePlayer) -> String {
    player.seat.map_or_else(|| format!("hengebot at {}", player.chair), |seat| format!("seat {seat}"))
}

/// Returns who is to decide what, and what has asked for it.
fn due(view: &HengeView) -> String {
    let Some(top) = view.stack.last() else {
        return match (&view.stage, view.upgrading) {
            (HengeStage::Upgrade, Some(seat)) => format!("seat {seat} upgrade"),
            (stage, _) => plain(&serde_json::to_value(stage).unwrap()),
        };
    };
    let word = |value: Value| plain(&value);
    let mut text = format!(
        "{} {}",
        whose(&view.players[view.turn.index()]),
        word(serde_json::to_value(top).unwrap()["type"].take())
    );
    if let HengeFrame::Action(act) = top {
        let limit = act.limit.map_or(String::new(), |limit| format!("/{limit}"));
        let kind = if act.is_sub_action { "sub_action " } else { "" };
        write!(text, " {kind}{} {}{limit}", word(serde_json::to_value(act.action).unwrap()), act.units).unwrap();
        let numbers = [
            ("less", act.discount),
            ("adjacent", act.adjacent.into()),
            ("remote", act.remote.into()),
            ("storage", act.storage.into()),
            ("start", act.start.into()),
            ("unit_victory_points", act.unit_victory_points),
            ("as_carved", act.as_carved.into()),
            ("any_level", act.any_level.into()),
        ];
        for (name, number) in numbers.into_iter().filter(|(_, number)| *number > 0) {
            write!(text, " {name} {number}").unwrap();
        }
    }
    let left = match top {
        HengeFrame::Discard(HengeDiscardFrame { left }) | HengeFrame::Drop(HengeDropFrame { left }) => Some(left),
        HengeFrame::LuckDraws(HengeLuckDrawsFrame { left }) | HengeFrame::BonusDraws(HengeBonusDrawsFrame { left }) => {
            Some(left)
        }
        _ => None,
    };
    if let Some(left) = left {
        write!(text, " {left}").unwrap();
    }
    let source = |frame: &HengeFrame| match frame {
        HengeFrame::Choose(choose) => Some(choose.source),
        HengeFrame::Effects(effects) => Some(effects.source),
        _ => None,
    };
    if let Some(source) = view.stack.iter().rev().find_map(source) {
        write!(text, " from {}", word(serde_json::to_value(source).unwrap())).unwrap();
    }
    text
}

/// Named parts of a view, as text.
type Parts = Vec<(&'static str, String)>;

/// Returns what is different from the last time.
fn changed(now: &Parts, before: Option<&Parts>) -> String {
    let is_new = |(at, part): &(usize, &(&str, String))| before.and_then(|before| before.get(*at)) != Some(part);
    let new = now.iter().enumerate().filter(is_new);
    new.map(|(_, (name, value))| format!("{name} {value}")).collect::<Vec<_>>().join(" ")
}

/// The public facts so far.
struct Sights {
    viewers: Vec<Viewer>,
    open: Vec<Parts>,
    /// By viewer, then by chair.
    hidden: Vec<Vec<Parts>>,
}

impl Sights {
    /// Writes what has changed: the open part, then what each player hides, viewers who see the same together.
    fn write(&mut self, text: &mut String, state: &State) {
        let mut views: Vec<HengeView> = self.viewers.iter().map(|viewer| state.view(*viewer)).collect();
        let hidden: Vec<Vec<Parts>> = views.iter_mut().map(take_hidden).collect();
        assert!(views.windows(2).all(|pair| pair[0] == pair[1]), "more than what is written here is hidden");
        let open = open(&views[0]);
        for (at, parts) in open.iter().enumerate() {
            let new = changed(parts, self.open.get(at));
            if !new.is_empty() {
                let whose = at.checked_sub(2).map_or(String::new(), |chair| whose(&views[0].players[chair]) + ": ");
                writeln!(text, "  {whose}{new}").unwrap();
            }
        }
        for chair in 0..usize::from(state.equipment.total) {
            let mut seen: Vec<(String, Vec<String>)> = Vec::new();
            for (at, viewer) in self.viewers.iter().enumerate() {
                let before = self.hidden.get(at).map(|chairs| &chairs[chair]);
                let new = changed(&hidden[at][chair], before);
                match seen.iter_mut().find(|(other, _)| *other == new) {
                    _ if new.is_empty() => {}
                    Some((_, names)) => names.push(name(*viewer)),
                    None => seen.push((new, vec![name(*viewer)])),
                }
            }
            for (new, names) in seen {
                writeln!(text, "  to {}: {} has {new}", names.join(" "), whose(&views[0].players[chair])).unwrap();
            }
        }
        (self.open, self.hidden) = (open, hidden);
    }
}

fn told(text: &mut String, events: &[Event], viewers: &[Viewer]) {
    for event in events.iter().filter(|event| !matches!(event, Event::DecisionDue(_))) {
        let public = Henge::default().redact(event, Viewer::Spectator).unwrap();
        writeln!(text, "    {}", brief(&public)).unwrap();
        for viewer in viewers {
            let seen = Henge::default().redact(event, *viewer).unwrap();
            if seen != public {
                writeln!(text, "      to {}: {}", name(*viewer), brief(&seen)).unwrap();
            }
        }
    }
}

fn playthrough(table: &str, number: u8) -> String {
    let (mut dice, mut choice) = (dice(number), super::dice(number + 100));
    let (mut state, mut events) = Henge::default().setup(&options(table), people(table), &mut dice);
    settle(&Henge::default(), &mut state, &mut dice, &mut events);
    let viewers: Vec<Viewer> = state.count().seats().map(Viewer::Seat).chain([Viewer::Spectator]).collect();
    let mut sights = Sights { viewers: viewers.clone(), open: Vec::new(), hidden: Vec::new() };
    let mut text = format!("{table}\n");
    told(&mut text, &events, &viewers);
    sights.write(&mut text, &state);
    while let Status::ToAct(seats) = state.status() {
        let acting: Vec<Seat> = seats.iter().collect();
        let actor = acting[choice.index(acting.len()).unwrap()];
        let moves = state.legal(actor);
        let mut mv = moves[choice.index(moves.len()).unwrap()];
        if is_idle(&mv) {
            mv = moves[choice.index(moves.len()).unwrap()];
        }
        let told_to = shown_to(&mv, actor, &viewers);
        writeln!(text, "{actor} {} (of {}{told_to})", Henge::default().notation(&mv), moves.len()).unwrap();
        let events = play(&Henge::default(), &mut state, actor, mv, &mut dice).unwrap().events;
        told(&mut text, &events, &viewers);
        sights.write(&mut text, &state);
    }
    text
}

/// Returns who is shown a move, if not everybody.
fn shown_to(mv: &Move, actor: Seat, viewers: &[Viewer]) -> String {
    let shown = |viewer: &&Viewer| match Henge::default().redact_move(mv, actor, **viewer) {
        None => false,
        Some(seen) => seen == *mv || panic!("a move is shown in part"),
    };
    let names: Vec<String> = viewers.iter().filter(shown).map(|viewer| name(*viewer)).collect();
    if names.len() == viewers.len() { String::new() } else { format!(", told to {} only", names.join(" ")) }
}

/// Stops that bring the end no nearer: such a move is drawn a second time.
fn is_idle(mv: &Move) -> bool {
    let action = match mv {
        Move::Rondel(walk) => walk.action,
        Move::Travel(travel) => travel.action,
        _ => return false,
    };
    matches!(action, Action::Income | Action::Luck | Action::Arrive)
}

#[test]
fn matches_go_as_recorded() {
    for (number, table) in TABLES.into_iter().enumerate() {
        golden::compare(Henge::INFO.id, table, &playthrough(table, number as u8 + 1));
    }
}

#[test]
fn every_mixture_of_people_and_hengebots_is_recorded() {
    let mixtures: BTreeSet<(usize, usize)> =
        TABLES.iter().map(|table| (table.matches('h').count(), table.matches('b').count())).collect();
    let all = (3..=5).flat_map(|total| (1..=total).map(move |people| (people, total - people)));
    assert_eq!(mixtures, all.collect());
}
