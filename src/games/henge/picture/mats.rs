//! A mat for each player, below the board; the viewer's own is the last, with its tracks.

use super::cards::{CARD, back, named, stone};
use super::desk::Desk;
use crate::henge::components::{Id, Privilege};
use crate::henge::observation::{HengeMat, HengePlayer};
use crate::pictures::{Canvas, Hue, Outline, Point, cut, glyphs, space};
use sarsen_rules::Place;

const LEFT: f64 = 14.0;
const RIGHT: f64 = 1286.0;
/// The left edge of cards.
const CARDS: f64 = 330.0;
const ROW: f64 = 68.0;
const HEAD: f64 = 94.0;
/// The number of backs that take the room of a face.
const BACKS: usize = 3;
/// The row of a track, how wide it is, and where its first space begins.
const TRACK: f64 = 34.0;
const TRACKS: [f64; 2] = [170.0, 1280.0];

/// Draws the mats from `top` on, and answers where they end.
pub(crate) fn draw(canvas: &mut Canvas, desk: &Desk<'_>, top: f64) -> f64 {
    let Some(view) = desk.view else { return tracks(canvas, desk, None, top) };
    let count = view.players.len();
    let below = desk.below();
    let mut top = top;
    for offset in 1..=count {
        let Some(player) = view.players.get((below + offset) % count) else { continue };
        top = mat(canvas, desk, player, top, offset == count);
    }
    top
}

fn mat(canvas: &mut Canvas, desk: &Desk<'_>, player: &HengePlayer, top: f64, own: bool) -> f64 {
    let acts = desk.view.is_some_and(|view| view.turn == player.chair) && desk.ask.outcome.is_none();
    let cards = player.mat.as_ref().map(Shown::of).unwrap_or_default();
    let held = player.mat.as_ref().map_or(0, |mat| mat.stones.len());
    let per_row = ((RIGHT - CARDS) / (CARD[0] + 6.0)).floor() as usize;
    // Backs are narrow, and tell nothing.
    let shown = held + cards.open.len();
    let rows = (shown + cards.hidden.div_ceil(BACKS)).div_ceil(per_row).max(1);
    let height = (ROW * rows as f64 + 10.0).max(HEAD);
    let middle = Point::new((LEFT + RIGHT) / 2.0, top + height / 2.0);
    canvas.rect(middle, RIGHT - LEFT, height - 4.0, 10.0, if acts { "turn" } else { "line dim" });
    head(canvas, desk, player, top);
    let spot = |index: usize| {
        let (column, row) = ((index % per_row) as f64, (index / per_row) as f64);
        Point::new(CARDS + CARD[0] / 2.0 + (CARD[0] + 6.0) * column, top + 38.0 + ROW * row)
    };
    if let Some(mat) = &player.mat {
        for (index, held) in mat.stones.iter().enumerate() {
            let Some(row) = desk.set.stones.iter().find(|row| row.id == held.stone) else { continue };
            let way = if held.delivered { "here".to_owned() } else { format!("{}/{}", held.at, row.transport) };
            let carved = if held.carved { ", carved" } else { "" };
            stone(canvas, desk, spot(index), row, &format!("{way}{carved}"));
        }
    }
    for (index, id) in cards.open.iter().enumerate() {
        named(canvas, desk, spot(held + index), *id, "card");
    }
    for index in 0..cards.hidden {
        let beside = (index % BACKS) as f64 * 40.0 - 40.0;
        back(canvas, spot(shown + index / BACKS).by(beside, 0.0));
    }
    let bottom = top + height;
    if own { tracks(canvas, desk, Some(player), bottom) } else { bottom }
}

/// The cards of a mat: those that the viewer may know, and how many others.
#[derive(Default)]
struct Shown {
    open: Vec<Id>,
    hidden: usize,
}

impl Shown {
    fn of(mat: &HengeMat) -> Shown {
        let hands = [
            (&mat.hand, mat.hand_count),
            (&mat.offer, mat.offer_count),
            (&mat.end_of_game_cards, mat.end_of_game_count),
        ];
        let mut shown = Shown::default();
        for (cards, count) in hands {
            match cards {
                Some(cards) => shown.open.extend(cards),
                None => shown.hidden += usize::from(count),
            }
        }
        let known = mat.spring.filter(|spring| !shown.open.contains(spring));
        shown.open.extend(known);
        shown
    }
}

/// The player's name and figures.
fn head(canvas: &mut Canvas, desk: &Desk<'_>, player: &HengePlayer, top: f64) {
    let sign = Point::new(LEFT + 26.0, top + 40.0);
    glyphs::disk(canvas, sign, 16.0, Hue::of_player(player.chair.index()));
    let line = |number: f64| Point::new(LEFT + 54.0, top + 20.0 + 19.0 * number);
    canvas.label(line(0.0), "m b s", &cut(&desk.name(player.chair), 24));
    match &player.mat {
        None => {
            let token = if player.carve_token_up == Some(true) { "up" } else { "down" };
            canvas.label(line(1.0), "t s soft", &format!("{} druids left", player.druids_left));
            canvas.label(line(2.0), "t s soft", &format!("Carve token {token}"));
        }
        Some(mat) => {
            let points = points(desk, player, mat);
            let stand = format!("{points} points · {} coins · {} tokens", mat.coins, mat.travel_tokens);
            canvas.label(line(1.0), "t s", &stand);
            let levels = Privilege::ALL.map(|which| format!("{} {}", which.word(), level(mat, which)));
            canvas.label(line(2.0), "u s soft", &levels.join(" · "));
            let pieces = format!("{} druids left · {} installed", player.druids_left, mat.installed.len());
            canvas.label(line(2.85), "u s soft", &pieces);
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

/// Returns how far a track has gone: the number of the last space reached.
fn reached(desk: &Desk<'_>, player: &HengePlayer, kind: &str) -> Option<u8> {
    let mat = player.mat.as_ref()?;
    match Privilege::of(kind) {
        Some(privilege) => Some(level(mat, privilege)),
        None if kind == "druid_track" => Some(desk.set.params.druids_per_player.saturating_sub(player.druids_left)),
        None => Some(mat.luck_steps),
    }
}

/// The tracks of a mat, as the board lists them.
fn tracks(canvas: &mut Canvas, desk: &Desk<'_>, player: Option<&HengePlayer>, top: f64) -> f64 {
    let mut top = top + 6.0;
    for zone in desk.board.zones.iter().filter(|zone| zone.id.starts_with("mat_")) {
        let kind = zone.id.trim_start_matches("mat_");
        let places: Vec<&Place> = desk.board.places.iter().filter(|place| place.zone == zone.id).collect();
        let at = player.and_then(|player| reached(desk, player, kind));
        let title = zone.title.split(',').next().unwrap_or_default();
        canvas.label(Point::new(LEFT + 10.0, top + TRACK / 2.0), "t s", title);
        let width = (TRACKS[1] - TRACKS[0]) / places.len().max(1) as f64;
        for (index, place) in places.iter().enumerate() {
            let centre = Point::new(TRACKS[0] + width * (index as f64 + 0.5), top + TRACK / 2.0);
            let outline = Outline::Box { centre, width: width - 5.0, height: TRACK - 5.0 };
            let is_reached = place.number.is_some() && place.number <= at;
            space(canvas, desk.ask, &place.id, outline, if is_reached { "day" } else { "stone" }, |canvas| {
                let text = place.number.unwrap_or_default().to_string();
                canvas.label(centre.by(-12.0, 0.0), "u", &text);
                if let Some(player) = player
                    && place.number == at
                {
                    let title = format!("{} of {}", place.id, desk.name(player.chair));
                    canvas.piece(&title, |canvas| {
                        glyphs::disk(canvas, centre.by(12.0, 0.0), 10.0, Hue::of_player(player.chair.index()));
                    });
                }
            });
        }
        top += TRACK;
    }
    top
}
