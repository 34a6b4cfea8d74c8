//! The picture of a match: the rondel around the henge, the quarry and the chits beside it, a mat for each player, and
//! the tracks with everybody's markers.
//!
//! Cards, slots and steps come from the set that the view names; ids are those of the board.

mod cards;
mod desk;
mod henge;
mod mats;
mod supply;
mod tracks;

use desk::Desk;

use super::components::{Components, Privilege, Side};
use super::moves::Move;
use super::observation::{HengeStage, HengeView};
use super::{Henge, Options};
use crate::pictures::{Ask, Canvas, DrawnPart, Picture, Point, Sheet, Svg, Touched, cut, ending, wrapped};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Board, Catalogue, SeatCount};

/// The width of a wide picture, with the supply beside the board, and of a narrow one.
const WIDTHS: [f64; 2] = [1300.0, 1000.0];

impl Henge {
    /// The board of the set with this side up.
    fn board_with(&self, set: &Components, side: &str) -> Board {
        let mut boards = self.boards_of(set);
        let up = boards.iter().position(|board| board.side.as_deref() == Some(side));
        boards.swap_remove(up.unwrap_or(0))
    }

    fn set_of(&self, view: &HengeView) -> Components {
        self.sets.find(&view.set).unwrap_or_else(|_| self.sets.offered())
    }
}

impl Picture for Henge {
    fn board_of(&self, view: &HengeView) -> Board {
        self.board_with(&self.set_of(view), &view.side)
    }

    fn board_for(&self, options: &Options, seats: SeatCount) -> Board {
        let (_, equipment) = options.played(seats);
        self.board_with(&options.set, equipment.side().key)
    }

    fn draw(&self, view: &HengeView, board: &Board, ask: &Ask) -> Svg {
        let set = self.set_of(view);
        let Some(side) = set.sides.iter().find(|side| side.key == view.side).or(set.sides.last()) else {
            return crate::pictures::plain::draw(Self::INFO.title, board, ask);
        };
        let desk = Desk { set: &set, side, board, view: Some(view), ask };
        let (standing, headline) = words(&desk, view);
        let aside = format!("round {}", view.round);
        sheet(&desk, standing, description(&desk, view), &headline, &aside)
    }

    fn draw_empty(&self, board: &Board, ask: &Ask) -> Svg {
        let digest = board.edition.as_ref().map(|edition| &*edition.digest);
        let of_edition = |set: &&Components| Some(&*self.sets.edition(set).digest) == digest;
        let set = self.sets.all().find(of_edition).cloned().unwrap_or_else(|| self.sets.offered());
        let lies_up = |side: &&Side| Some(side.key) == board.side.as_deref();
        let Some(side) = set.sides.iter().find(lies_up).or(set.sides.last()) else {
            return crate::pictures::plain::draw(Self::INFO.title, board, ask);
        };
        let desk = Desk { set: &set, side, board, view: None, ask };
        let description = format!(
            "{}: a rondel of {} steps around five areas with {} slots for stones, five druid paths and the quarry.",
            side.name,
            set.rondel.len(),
            side.slots.len()
        );
        sheet(&desk, "the board".to_owned(), description, Self::INFO.title, &side.name)
    }

    fn touched(&self, view: &HengeView, mv: &Move) -> Vec<Touched> {
        let steps = self.set_of(view).rondel.len().max(1);
        let ahead = |number: u8| {
            let step = (u16::from(view.pawn) + u16::from(number) - 1) % u16::from(steps) + 1;
            vec![Touched::space(format_args!("step.{step}"))]
        };
        match mv {
            Move::Rondel(walk) => ahead(walk.steps.get()),
            Move::Travel(travel) => ahead(travel.steps.get()),
            other => named(other),
        }
    }

    fn touched_last(&self, view: &HengeView, mv: &Move) -> Vec<Touched> {
        match mv {
            // The pawn is still on the step to which it went.
            Move::Rondel(_) | Move::Travel(_) => vec![Touched::space(format_args!("step.{}", view.pawn))],
            other => named(other),
        }
    }
}

/// Returns what a move names that does not move the pawn.
fn named(mv: &Move) -> Vec<Touched> {
    match mv {
        Move::Spring(spring) => vec![Touched::card(spring.card.as_str())],
        Move::Luck(luck) => vec![Touched::card(luck.card.as_str())],
        Move::Discard(discard) => vec![Touched::card(discard.card.as_str())],
        Move::Drop(drop) => vec![Touched::card(drop.card.as_str())],
        Move::Track(track) => vec![Touched::card(track.card.as_str())],
        Move::Reward(reward) => vec![Touched::card(reward.tile.as_str())],
        Move::Carve(carve) => vec![Touched::card(carve.stone.as_str())],
        Move::Quarry(quarry) => vec![Touched::space(format_args!("quarry.{}", quarry.position.get()))],
        Move::Druid(druid) => vec![Touched::space(format_args!("area.{}", druid.area.get()))],
        Move::Install(install) => {
            vec![Touched::space(install.slot.as_str()), Touched::card(install.stone.as_str())]
        }
        _ => Vec::new(),
    }
}

fn sheet(desk: &Desk<'_>, standing: String, description: String, headline: &str, aside: &str) -> Svg {
    let (ask, mut canvas) = (desk.ask, Canvas::new());
    let width = WIDTHS[usize::from(ask.is_narrow())];
    let mut bottom = 40.0;
    for line in if ask.is_narrow() { wrapped(headline, 30, 2) } else { vec![cut(headline, 64)] } {
        canvas.label(Point::new(24.0, bottom), "h s", &line);
        bottom += 50.0;
    }
    canvas.label(Point::new(width - 24.0, 40.0), "m e soft", aside);
    bottom -= 20.0;
    if ask.shows(DrawnPart::Board) {
        let board_top = bottom;
        bottom = henge::draw(&mut canvas, desk, board_top);
        let supply = supply::draw(&mut canvas, desk, if ask.is_narrow() { bottom } else { board_top + 8.0 });
        bottom = bottom.max(supply);
    }
    if ask.shows(DrawnPart::Mats) || ask.shows(DrawnPart::Hand) {
        bottom = mats::draw(&mut canvas, desk, bottom);
    }
    if ask.shows(DrawnPart::Tracks) {
        bottom = tracks::draw(&mut canvas, desk, bottom);
    }
    let sheet =
        Sheet { title: format!("{}, {standing}", Henge::INFO.title), description, width, height: bottom + 12.0 };
    sheet.finish(ask, canvas)
}

fn words(desk: &Desk<'_>, view: &HengeView) -> (String, String) {
    if let Some(outcome) = &desk.ask.outcome {
        return (ending(desk.ask, outcome), ending(desk.ask, outcome));
    }
    match (view.stage, view.upgrading) {
        (HengeStage::Spring, _) => ("the choice of Spring cards".to_owned(), "All choose a Spring card".to_owned()),
        (HengeStage::Upgrade, Some(seat)) => {
            let name = cut(&desk.ask.name(seat), 20);
            (format!("{name} takes a First Upgrade"), format!("{name} takes a First Upgrade"))
        }
        (HengeStage::Over, _) => ("over".to_owned(), "Over".to_owned()),
        _ => {
            let name = desk.name(view.turn);
            (format!("round {}, {name} to play", view.round), format!("{name} to play"))
        }
    }
}

fn description(desk: &Desk<'_>, view: &HengeView) -> String {
    let built: Vec<String> = view.built.iter().map(|built| format!("{}@{}", built.stone, built.slot)).collect();
    let quarry: Vec<&str> = view.quarry.iter().map(|stone| stone.as_ref().map_or("-", |id| id.as_str())).collect();
    let mut text = format!(
        "The pawn is on step {}. Stones that stand: {}. Quarry: {}.",
        view.pawn,
        if built.is_empty() { "none".to_owned() } else { built.join(" ") },
        quarry.join(" ")
    );
    for path in view.paths.iter().filter(|path| !path.druids.is_empty()) {
        let druids: Vec<String> = path.druids.iter().map(|chair| chair.to_string()).collect();
        text += &format!(" Druids in area {}: {}.", path.area.get(), druids.join(" "));
    }
    for player in &view.players {
        let Some(mat) = &player.mat else { continue };
        let levels: Vec<String> =
            Privilege::ALL.iter().map(|which| format!("{} {}", which.into_str(), mats::level(mat, *which))).collect();
        text += &format!(
            " {}: {}, {}, {}, levels {}.",
            desk.name(player.chair),
            counted(mat.coins, "coin", "coins"),
            counted(mat.victory_points, "point", "points"),
            counted(mat.hand_count, "Luck card", "Luck cards"),
            levels.join(", ")
        );
    }
    text
}
