//! The board itself: rondel, areas, slots, druid paths, and in the middle the quarry.

use super::cards::{letter, stone_title};
use super::desk::Desk;
use crate::henge::components::words::action;
use crate::henge::components::{Area, SlotKind, SlotRow, SlotSize};
use crate::henge::observation::HengeBuilt;
use crate::pictures::{Canvas, Disc, Hue, Outline, Point, glyphs, space};
use sarsen_rules::Place;

const RADIUS: f64 = 484.0;
/// Half the height of a step, and the inner and outer rim of an area, of the unit disc.
const HALF_STEP: f64 = 0.058;
const AREA: [f64; 2] = [0.205, 0.75];
/// The position of an area's name.
const NAME: f64 = 0.305;

/// The distance of uprights from their lintel in larger type, as a multiple of the board's.
const SPREAD: f64 = 1.75;

/// Draws the board and its pieces from `top` on, and returns where the drawing ends.
pub(crate) fn draw(canvas: &mut Canvas, desk: &Desk<'_>, top: f64) -> f64 {
    let players = desk.view.map_or(1, |view| view.players.len().max(1));
    let centre = Point::new(500.0, top + RADIUS + 8.0);
    let disc = Disc::new(centre, RADIUS, desk.below(), players);
    canvas.circle(centre, RADIUS * 1.005, "plate");
    canvas.circle(centre, RADIUS * 0.878, "ground");
    for place in &desk.board.places {
        match &*place.zone {
            "areas" => draw_area(canvas, desk, place, disc),
            "rondel" => draw_step(canvas, desk, place, disc),
            "quarry" => draw_quarry(canvas, desk, place, centre),
            "slots" => draw_slot(canvas, desk, place, disc),
            zone if zone.starts_with("path_") => draw_path(canvas, desk, place, disc),
            // Tracks lie on the mats.
            _ => {}
        }
    }
    centre.y + RADIUS + 12.0
}

fn draw_area(canvas: &mut Canvas, desk: &Desk<'_>, place: &Place, disc: Disc) {
    let Some(area) = place.number.and_then(|number| Area::try_from(number).ok()) else { return };
    let steps = desk.set.rondel.steps.iter().filter(|step| step.area == area).count();
    let half = 180.0 * steps as f64 / f64::from(desk.set.rondel.len().max(1)) - 0.6;
    let row = &desk.set.areas[area.index()];
    space(canvas, desk.ask, &place.id, disc.sector(place, AREA, half), "stone", |canvas| {
        let apart = if desk.ask.is_narrow() { 28.0 } else { 8.5 };
        let at = name_point(desk, disc, place);
        canvas.label(at.by(0.0, -apart), "m b", &row.name);
        let icons = row.icons.map(|privilege| privilege.into_str());
        if desk.ask.is_narrow() {
            canvas.label(at, "c soft", icons[0]);
            canvas.label(at.by(0.0, apart), "c soft", icons[1]);
        } else {
            canvas.label(at.by(0.0, apart), "c soft", &icons.join(" · "));
        }
    });
}

/// The point of an area's name: where slots leave most room for it, the nearest to the middle of those alike.
fn name_point(desk: &Desk<'_>, disc: Disc, place: &Place) -> Point {
    let (first, [wide, high]) = if desk.ask.is_narrow() { (0.36, [105.0, 75.0]) } else { (NAME, [70.0, 37.0]) };
    let slots = desk.board.places.iter().filter(|place| place.zone == "slots");
    let slots: Vec<Point> = slots.map(|slot| slot_point(desk, slot, disc)).collect();
    let room = |at: &Point| {
        let from = slots.iter().map(|slot| ((slot.x - at.x).abs() / wide).max((slot.y - at.y).abs() / high));
        from.fold(1.0, f64::min)
    };
    // Outwards first, then to the sides.
    let turns = [0.0, 10.0, -10.0, 18.0, -18.0];
    let point = |(turn, step): (f64, u8)| {
        disc.centre.towards(disc.degrees(place) + turn, (first + 0.03 * f64::from(step)) * RADIUS)
    };
    let points = turns.into_iter().flat_map(|turn| (0..10).map(move |step| (turn, step))).map(point);
    let more = |best: Point, next: Point| if room(&next) > room(&best) { next } else { best };
    points.fold(point((0.0, 0)), more)
}

fn draw_step(canvas: &mut Canvas, desk: &Desk<'_>, place: &Place, disc: Disc) {
    let half = 180.0 / f64::from(desk.set.rondel.len().max(1)) - 0.25;
    let distance = place.x.hypot(place.y);
    let outline = disc.sector(place, [distance - HALF_STEP, distance + HALF_STEP], half);
    let row = desk.set.rondel.steps.iter().find(|step| Some(step.step) == place.number);
    let class = if row.is_some_and(|row| row.area.get() % 2 == 1) { "day" } else { "night" };
    space(canvas, desk.ask, &place.id, outline, class, |canvas| {
        let at = disc.point(place);
        let actions: Vec<&str> = row.map(|row| row.actions.iter().map(|of| action(*of)).collect()).unwrap_or_default();
        print_actions(canvas, desk, at, disc.degrees(place), &actions);
        if desk.ask.writes_ids()
            && let Some(number) = place.number
        {
            canvas.label(disc.point(place).towards(disc.degrees(place) + 90.0, 58.0), "v soft", &number.to_string());
        }
        if place.kind.as_deref() == Some("step_before_transport") {
            let border = disc.centre.towards(disc.degrees(place) + half + 0.25, distance * RADIUS);
            canvas.group("still", |canvas| {
                canvas.circle(border, 9.0, "card");
                let tip = border.towards(disc.degrees(place) + half + 90.0, 5.0);
                let back = border.towards(disc.degrees(place) + half - 90.0, 5.0);
                glyphs::arrow_head(canvas, back, tip);
            });
        }
        if desk.view.is_some_and(|view| Some(view.pawn) == place.number) {
            canvas.piece(&format!("the pawn on {}", place.id), |canvas| {
                let (aside, size) = if desk.ask.is_narrow() { (59.0, 17.0) } else { (44.0, 20.0) };
                let at = at.towards(disc.degrees(place) - 90.0, aside);
                glyphs::pawn(canvas, at, size, Hue::Black);
            });
        }
    });
}

/// The actions of a step. Larger type has room along the rim alone.
fn print_actions(canvas: &mut Canvas, desk: &Desk<'_>, at: Point, degrees: f64, actions: &[&str]) {
    let below = f64::from(u8::try_from(actions.len()).unwrap_or(1)) - 1.0;
    if !desk.ask.is_narrow() {
        for (line, word) in actions.iter().enumerate() {
            canvas.label(at.by(0.0, 14.0 * line as f64 - 7.0 * below), "c", word);
        }
        return;
    }
    let turn = (degrees.rem_euclid(360.0) + 90.0).rem_euclid(180.0) - 90.0;
    for (line, word) in actions.iter().enumerate() {
        canvas.turned_label(at.towards(turn + 180.0, 25.0 * line as f64 - 12.5 * below), turn, "u", word);
    }
}

fn draw_quarry(canvas: &mut Canvas, desk: &Desk<'_>, place: &Place, middle: Point) {
    let centre = middle.by(place.x * RADIUS, -place.y * RADIUS);
    let outline = Outline::Box { centre, width: 43.0, height: 56.0 };
    let position = usize::from(place.number.unwrap_or(1)).saturating_sub(1);
    let stone = desk.view.and_then(|view| view.quarry.get(position).copied().flatten());
    space(canvas, desk.ask, &place.id, outline, if stone.is_some() { "slate" } else { "plate" }, |canvas| {
        let row = stone.and_then(|id| desk.set.stones.iter().find(|row| row.id == id));
        if let Some(row) = row {
            canvas.piece(&stone_title(row), |canvas| {
                let lines: &[String] = &match desk.ask.is_narrow() {
                    false => vec![row.id.to_string(), letter(row.size).to_owned(), format!("{} ¢", row.cost)],
                    true => vec![letter(row.size).to_owned(), format!("{}¢", row.cost)],
                };
                let apart = if desk.ask.is_narrow() { 26.0 } else { 16.0 };
                let top = centre.by(0.0, -apart / 2.0 * (lines.len() as f64 - 1.0));
                for (line, text) in lines.iter().enumerate() {
                    canvas.label(top.by(0.0, apart * line as f64), if line == 0 { "u b" } else { "u" }, text);
                }
            });
        } else if desk.ask.writes_ids() {
            canvas.label(centre, "v soft", &(position + 1).to_string());
        }
    });
}

fn draw_slot(canvas: &mut Canvas, desk: &Desk<'_>, place: &Place, disc: Disc) {
    let Some(row) = desk.side.slots.iter().find(|row| row.id.as_str() == place.id) else { return };
    let is_narrow = desk.ask.is_narrow();
    let centre = slot_point(desk, place, disc);
    let outline = match (row.kind, is_narrow) {
        (SlotKind::Upright, false) => Outline::Box { centre, width: 27.0, height: 34.0 },
        (SlotKind::Lintel, false) => Outline::Box { centre, width: 36.0, height: 25.0 },
        (SlotKind::Monolith, false) => Outline::Disc { centre, radius: 19.0 },
        (SlotKind::Upright, true) => Outline::Box { centre, width: 38.0, height: 44.0 },
        (SlotKind::Lintel, true) => Outline::Box { centre, width: 64.0, height: 34.0 },
        (SlotKind::Monolith, true) => Outline::Disc { centre, radius: 33.0 },
    };
    let built = desk.view.and_then(|view| view.built.iter().find(|built| built.slot == row.id));
    space(
        canvas,
        desk.ask,
        &place.id,
        outline,
        if built.is_some() { "slate" } else { "plate" },
        |canvas| match built {
            Some(built) => draw_built(canvas, desk, place, built, centre),
            None => draw_free(canvas, desk, row, centre),
        },
    );
}

/// The point of a slot; in larger type uprights stand farther from the lintel that they carry.
fn slot_point(desk: &Desk<'_>, place: &Place, disc: Disc) -> Point {
    let at = disc.point(place);
    if !desk.ask.is_narrow() {
        return at;
    }
    let is_lintel = |id: &str| desk.side.slots.iter().any(|row| row.id.as_str() == id && row.kind == SlotKind::Lintel);
    let ends = desk.board.edges.iter().map(|edge| [&edge.from, &edge.to]);
    let carried = ends.filter(|ends| ends.contains(&&place.id)).flatten().find(|id| **id != place.id && is_lintel(id));
    match carried.and_then(|id| desk.board.places.iter().find(|other| other.id == **id)) {
        Some(lintel) if !is_lintel(&place.id) => {
            let from = disc.point(lintel);
            from.by((at.x - from.x) * SPREAD, (at.y - from.y) * SPREAD)
        }
        _ => at,
    }
}

fn draw_built(canvas: &mut Canvas, desk: &Desk<'_>, place: &Place, built: &HengeBuilt, centre: Point) {
    let stone = desk.set.stones.iter().find(|row| row.id == built.stone);
    let name = stone.map_or_else(|| built.stone.to_string(), stone_title);
    let title = format!("{name}, in {}, built by {}", place.id, desk.name(built.chair));
    canvas.piece(&title, |canvas| {
        glyphs::disk(
            canvas,
            centre,
            if desk.ask.is_narrow() { 16.0 } else { 11.5 },
            Hue::of_player(built.chair.index()),
        )
    });
}

/// An empty slot says which stones fit, and what it scores.
fn draw_free(canvas: &mut Canvas, desk: &Desk<'_>, row: &SlotRow, centre: Point) {
    let size = match row.size {
        SlotSize::Large => "L",
        SlotSize::Small => "S",
        SlotSize::Either => "LS",
    };
    if desk.ask.is_narrow() && row.kind == SlotKind::Monolith {
        canvas.label(centre.by(0.0, -12.0), "u b", size);
        canvas.label(centre.by(0.0, 13.0), "u b", &format!("+{}", row.vp));
        return;
    }
    let text = if row.vp > 0 { format!("{size}+{}", row.vp) } else { size.to_owned() };
    let lower = if desk.ask.writes_ids() { 5.0 } else { 0.0 };
    canvas.label(centre.by(0.0, -lower), "u b", &text);
    if desk.ask.writes_ids() {
        canvas.label(centre.by(0.0, 7.0), "w soft", row.id.as_str());
    }
}

fn draw_path(canvas: &mut Canvas, desk: &Desk<'_>, place: &Place, disc: Disc) {
    let centre = disc.point(place);
    let mut ends = place.id.rsplit('.');
    let at = ends.next().and_then(|text| text.parse::<usize>().ok()).unwrap_or(1);
    let area = ends.next().and_then(|text| text.parse::<u8>().ok());
    let path = desk.view.and_then(|view| view.paths.iter().find(|path| Some(path.area.get()) == area));
    let druid = path.and_then(|path| path.druids.get(at - 1));
    let is_narrow = desk.ask.is_narrow();
    let radius = if is_narrow { 23.0 } else { 16.5 };
    space(canvas, desk.ask, &place.id, Outline::Disc { centre, radius }, "stone", |canvas| {
        let colour = place.colour.as_deref().unwrap_or_default();
        let dark = colour == "black";
        if dark {
            canvas.circle(centre, radius - 2.0, "black");
        }
        if let Some(chair) = druid {
            let title = format!("druid of {} on {}", desk.name(*chair), place.id);
            let hue = Hue::of_player(chair.index());
            canvas.piece(&title, |canvas| {
                glyphs::druid(canvas, centre.by(0.0, -3.0), if is_narrow { 20.0 } else { 15.0 }, hue)
            });
            return;
        }
        let number = place.number.unwrap_or_default().to_string();
        canvas.label(
            centre.by(0.0, if is_narrow || dark { 0.0 } else { -3.5 }),
            if dark { "u b on-black" } else { "u b" },
            &number,
        );
        let cost =
            desk.side.paths.get(usize::from(area.unwrap_or(1)).saturating_sub(1)).and_then(|path| path.get(at - 1));
        if let Some(cost) = cost.and_then(|space| space.cost).filter(|_| !is_narrow) {
            canvas.label(centre.by(0.0, 7.5), "w soft", &format!("{cost}¢"));
        }
    });
}
