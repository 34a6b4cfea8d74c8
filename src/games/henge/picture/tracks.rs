//! The tracks of the mats, drawn once, with a marker of each person on each.

use super::desk::Desk;
use super::mats::level;
use crate::henge::observation::HengePlayer;
use crate::pictures::{Canvas, Hue, Outline, Point, glyphs, space};
use sarsen_rules::Place;

const LEFT: f64 = 24.0;

/// Returns how far a track has gone: the number of the last space reached.
fn reached(desk: &Desk<'_>, player: &HengePlayer, kind: &str) -> Option<u8> {
    let mat = player.mat.as_ref()?;
    match kind.parse().ok() {
        Some(privilege) => Some(level(mat, privilege)),
        None if kind == "druid_track" => Some(desk.set.params.druids_per_player.saturating_sub(player.druids_left)),
        None => Some(mat.luck_steps),
    }
}

/// Draws them from `top` on, as the board lists them, and answers where they end. The spaces that the player whose side
/// is down has reached are lit.
pub(crate) fn draw(canvas: &mut Canvas, desk: &Desk<'_>, top: f64) -> f64 {
    let (from, to, height) = if desk.ask.is_narrow() { (270.0, 984.0, 66.0) } else { (170.0, 1280.0, 36.0) };
    let players = desk.view.map_or(&[][..], |view| &view.players);
    let mut top = top + 6.0;
    for zone in desk.board.zones.iter().filter(|zone| zone.id.starts_with("mat_")) {
        let kind = zone.id.trim_start_matches("mat_");
        let places: Vec<&Place> = desk.board.places.iter().filter(|place| place.zone == zone.id).collect();
        let own = players.get(desk.below()).and_then(|player| reached(desk, player, kind));
        let title = zone.title.split(',').next().unwrap_or_default();
        canvas.label(Point::new(LEFT, top + height / 2.0), if desk.ask.is_narrow() { "u s" } else { "t s" }, title);
        let width = (to - from) / places.len().max(1) as f64;
        for (index, place) in places.iter().enumerate() {
            let centre = Point::new(from + width * (index as f64 + 0.5), top + height / 2.0);
            let outline = Outline::Box { centre, width: width - 5.0, height: height - 5.0 };
            let is_reached = place.number.is_some() && place.number <= own;
            space(canvas, desk.ask, &place.id, outline, if is_reached { "day" } else { "stone" }, |canvas| {
                let here = players.iter().filter(|player| reached(desk, player, kind) == place.number);
                let here: Vec<&HengePlayer> = here.collect();
                print(canvas, desk, place, centre, width, &here);
            });
        }
        top += height;
    }
    top
}

/// The number of a space, with the markers beside it or, on a narrow picture, below it.
fn print(canvas: &mut Canvas, desk: &Desk<'_>, place: &Place, centre: Point, width: f64, here: &[&HengePlayer]) {
    let number = place.number.unwrap_or_default().to_string();
    let (at, first, room) = match desk.ask.is_narrow() {
        true => (centre.by(0.0, -14.0), centre.by(0.0, 16.0), width - 22.0),
        false => (centre.by(12.0 - width / 2.0, 0.0), centre.by(6.0, 0.0), width - 44.0),
    };
    canvas.label(at, "u", &number);
    let step = (room / here.len().saturating_sub(1).max(1) as f64).min(22.0);
    let left = first.by(-step * here.len().saturating_sub(1) as f64 / 2.0, 0.0);
    for (index, player) in here.iter().enumerate() {
        let title = format!("{} of {}", place.id, desk.name(player.chair));
        canvas.piece(&title, |canvas| {
            glyphs::disk(canvas, left.by(step * index as f64, 0.0), 10.0, Hue::of_player(player.chair.index()));
        });
    }
}
