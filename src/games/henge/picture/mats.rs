//! A mat for each player, below the board; the viewer's own is the last.

use super::cards::{Cut, back, named, stone};
use super::desk::Desk;
use crate::henge::components::{Id, Privilege};
use crate::henge::observation::{HengeMat, HengePlayer};
use crate::pictures::{Canvas, DrawnPart, Hue, Point, cut, glyphs};
use sarsen_rules::phrases::counted;

const LEFT: f64 = 14.0;

/// The arrangement of a mat.
struct Form {
    right: f64,
    /// The left edge of the cards, and from the upper edge of the mat to them.
    cards: [f64; 2],
    /// The least height.
    head: f64,
    /// From line to line.
    line: f64,
}

const WIDE: Form = Form { right: 1286.0, cards: [330.0, 7.0], head: 94.0, line: 19.0 };
const NARROW: Form = Form { right: 986.0, cards: [24.0, 162.0], head: 164.0, line: 35.0 };

impl Desk<'_> {
    fn form(&self) -> &'static Form {
        if self.ask.is_narrow() { &NARROW } else { &WIDE }
    }
}

/// Draws the mats from `top` on, and answers where they end.
pub(crate) fn draw(canvas: &mut Canvas, desk: &Desk<'_>, top: f64) -> f64 {
    let Some(view) = desk.view else { return top };
    let count = view.players.len();
    let first = if desk.ask.shows(DrawnPart::Mats) { 1 } else { count };
    let mut top = top;
    for offset in first..=count {
        let Some(player) = view.players.get((desk.below() + offset) % count) else { continue };
        top = mat(canvas, desk, player, top);
    }
    top
}

fn mat(canvas: &mut Canvas, desk: &Desk<'_>, player: &HengePlayer, top: f64) -> f64 {
    let acts = desk.view.is_some_and(|view| view.turn == player.chair) && desk.ask.outcome.is_none();
    let cards = player.mat.as_ref().map(Shown::of).unwrap_or_default();
    let held = player.mat.as_ref().map_or(0, |mat| mat.stones.len());
    let (form, cut) = (desk.form(), desk.cut());
    let [left, below] = form.cards;
    let per_row = ((form.right + cut.gap - left) / (cut.card[0] + cut.gap)).floor() as usize;
    // Backs are narrow, and tell no more than which deck they are of.
    let shown = held + cards.open.len();
    let rows = (shown + cards.hidden.len().div_ceil(Cut::BACKS)).div_ceil(per_row);
    let height = form.head.max(below + (cut.card[1] + cut.gap) * rows as f64 + 5.0);
    let middle = Point::new((LEFT + form.right) / 2.0, top + height / 2.0);
    canvas.rect(middle, form.right - LEFT, height - 4.0, 10.0, if acts { "turn" } else { "line dim" });
    head(canvas, desk, player, top);
    let spot = |index: usize| cut.spot(left, top + below, per_row, index);
    if let Some(mat) = &player.mat {
        for (index, held) in mat.stones.iter().enumerate() {
            let Some(row) = desk.set.stones.iter().find(|row| row.id == held.stone) else { continue };
            let way = match held.delivered {
                true => "delivered".to_owned(),
                false => format!("transport {} of {}", held.at, row.transport),
            };
            stone(canvas, desk, spot(index), row, [if held.carved { "carved" } else { "not carved" }, &way]);
        }
    }
    for (index, (id, kind)) in cards.open.iter().enumerate() {
        named(canvas, desk, spot(held + index), *id, kind, "card");
    }
    for (index, kind) in cards.hidden.iter().enumerate() {
        back(canvas, desk, cut.back(spot(shown + index / Cut::BACKS), index), kind);
    }
    top + height
}

/// The cards of a mat with the word for their kind: those that the viewer may know, and the kinds of all others.
#[derive(Default)]
struct Shown {
    open: Vec<(Id, &'static str)>,
    hidden: Vec<&'static str>,
}

impl Shown {
    fn of(mat: &HengeMat) -> Shown {
        let hands = [
            (&mat.hand, mat.hand_count, "Luck", "Luck"),
            (&mat.offer, mat.offer_count, "Spring", "Spring"),
            (&mat.end_of_game_cards, mat.end_of_game_count, "end of game", "End"),
        ];
        let mut shown = Shown::default();
        for (cards, count, kind, on_back) in hands {
            match cards {
                Some(cards) => shown.open.extend(cards.iter().map(|id| (*id, kind))),
                None => shown.hidden.extend(std::iter::repeat_n(on_back, usize::from(count))),
            }
        }
        let known = mat.spring.filter(|spring| !shown.open.iter().any(|(id, _)| id == spring));
        shown.open.extend(known.map(|id| (id, "Spring")));
        shown
    }
}

/// The player's name and figures.
fn head(canvas: &mut Canvas, desk: &Desk<'_>, player: &HengePlayer, top: f64) {
    let step = desk.form().line;
    let sign = Point::new(LEFT + 26.0, top + 2.0 * step);
    glyphs::disk(canvas, sign, 16.0, Hue::of_player(player.chair.index()));
    let line = |number: f64| Point::new(LEFT + 54.0, top + 2.0 + step * (number + 0.9));
    canvas.label(line(0.0), "m b s", &cut(&desk.name(player.chair), 24));
    let druids = counted(player.druids_left, "druid", "druids");
    match &player.mat {
        None => {
            let token = if player.carve_token_up == Some(true) { "up" } else { "down" };
            canvas.label(line(1.0), "t s soft", &format!("{druids} left"));
            canvas.label(line(2.0), "t s soft", &format!("Carve token {token}"));
        }
        Some(mat) => {
            let points = counted(points(desk, player, mat), "point", "points");
            let coins = counted(mat.coins, "coin", "coins");
            let tokens = counted(mat.travel_tokens, "token", "tokens");
            canvas.label(line(1.0), "t s", &format!("{points} · {coins} · {tokens}"));
            let levels = Privilege::ALL.map(|which| format!("{} {}", which.into_str(), level(mat, which)));
            canvas.label(line(2.0), "u s soft", &levels.join(" · "));
            let pieces = format!("{druids} left · {} installed", mat.installed.len());
            canvas.label(line(if desk.ask.is_narrow() { 3.0 } else { 2.85 }), "u s soft", &pieces);
        }
    }
}

/// A person's level of a privilege, 0 at the start.
pub(crate) fn level(mat: &HengeMat, privilege: Privilege) -> u8 {
    match privilege {
        Privilege::Rondel => mat.levels.rondel,
        Privilege::Coin => mat.levels.coin,
        Privilege::Luck => mat.levels.luck,
        Privilege::Stone => mat.levels.stone,
        Privilege::Druid => mat.levels.druid,
    }
}

/// Those of play, or at the end all of them.
fn points(desk: &Desk<'_>, player: &HengePlayer, mat: &HengeMat) -> u32 {
    let scores = desk.view.and_then(|view| view.scores.as_ref());
    let own = scores.and_then(|scores| scores.iter().find(|score| Some(score.who.seat) == player.seat));
    own.map_or(u32::from(mat.victory_points), |score| score.total)
}
