//! The board as data, one for each side: rondel, areas, quarry, slots and druid paths, and the tracks of a mat.
//!
//! Layout: the rondel runs round the rim, clockwise, the seam before its first step at 12 o'clock; an area is the
//! sector of its steps, a border slot lies on the border of its sectors, a lintel between its uprights. A mat has a track
//! in each row, from left to right: the five privileges, the druid track, the Luck track. Ids are those of moves, events and
//! views: `1a` for a slot, `area.1`, `step.1`, `quarry.1`; `path.1.1` for the spaces of paths, by area and place from 1;
//! `coin.0` for levels, `druid_track.1`, `luck_track.1`. Edges: the round of the rondel, steps and slots with their areas,
//! lintels with their uprights, and along paths and tracks.

use sarsen_rules::{Board, Edge, Edition, Place, Zone};

use super::components::place_ids::{area, druid_track, luck_track, place_id, quarry, step};
use super::components::{Area, Privilege, Side, Slot, SlotKind, Tables};

const RONDEL_RADIUS: f64 = 0.94;
const PATH_RADIUS: f64 = 0.8;
const AREA_RADIUS: f64 = 0.71;
/// The outermost and the innermost group of slots at one place.
const SLOT_RADII: [f64; 2] = [0.62, 0.22];
/// From a lintel to each of its uprights.
const UPRIGHT_OFFSET: f64 = 0.07;
/// Width of the quarry's row, in the middle.
const QUARRY_WIDTH: f64 = 0.3;
/// Half the width and half the height of what lies on a mat.
const MAT: (f64, f64) = (0.75, 0.6);

/// The boards of a set, one for each side; that for the fewest players first.
pub(crate) fn boards(set: &Tables, edition: &Edition) -> Vec<Board> {
    let mut sides: Vec<&Side> = set.sides.iter().collect();
    sides.sort_by_key(|side| side.totals.iter().min().copied().unwrap_or(u8::MAX));
    sides.into_iter().map(|side| board(set, side, edition.clone())).collect()
}

fn board(set: &Tables, side: &Side, edition: Edition) -> Board {
    let (edition, side_up) = (Some(edition), Some(side.key.to_owned()));
    let board = Board { edition, side: side_up, zones: Vec::new(), places: Vec::new(), edges: Vec::new() };
    let mut drawing = Drawing { set, board };
    drawing.areas();
    drawing.rondel();
    drawing.quarry();
    drawing.slots(side);
    drawing.paths(side);
    drawing.mat();
    drawing.board
}

/// A point by its angle, in degrees clockwise from 12 o'clock, and distance from the centre.
#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

impl Point {
    fn at(degrees: f64, radius: f64) -> Point {
        Point { x: radius * degrees.to_radians().sin(), y: radius * degrees.to_radians().cos() }
    }

    /// Moved sideways, clockwise as seen from the centre when this point lies at `degrees`.
    fn aside(self, degrees: f64, distance: f64) -> Point {
        let way = Point::at(degrees + 90.0, distance);
        Point { x: self.x + way.x, y: self.y + way.y }
    }
}

struct Drawing<'a> {
    set: &'a Tables,
    board: Board,
}

fn area_id(number: Area) -> String {
    place_id(area::KIND, number.get())
}

fn step_id(number: u8) -> String {
    place_id(step::KIND, number)
}

impl Drawing<'_> {
    fn zone(&mut self, id: impl Into<String>, title: impl Into<String>) {
        self.board.zones.push(Zone::of_board(id, title));
    }

    fn place(&mut self, id: String, zone: &str, kind: Option<&str>, number: Option<u8>, at: Point) -> &mut Place {
        // Rounded, so that every platform's sine gives the same text.
        let round = |value: f64| (value * 1e6).round() / 1e6 + 0.0;
        let (zone, kind) = (zone.to_owned(), kind.map(str::to_owned));
        let places = &mut self.board.places;
        places.push(Place { id, zone, kind, number, colour: None, x: round(at.x), y: round(at.y) });
        let last = places.len() - 1;
        &mut places[last]
    }

    fn edge(&mut self, from: impl Into<String>, to: impl Into<String>) {
        self.board.edges.push(Edge { from: from.into(), to: to.into(), cost: None });
    }

    fn step_degrees(&self) -> f64 {
        360.0 / f64::from(self.set.rondel.len().max(1))
    }

    /// Returns where the area's sector begins, and how wide it is.
    fn sector(&self, area: Area) -> (f64, f64) {
        let steps = self.set.rondel.steps.iter().filter(|step| step.area == area).count();
        let first = self.set.rondel.first_of(area).map_or(0, |step| step.0);
        (f64::from(first) * self.step_degrees(), steps as f64 * self.step_degrees())
    }

    /// The middle of an area, or the border of two: where the clockwise one of them begins.
    fn middle(&self, areas: &[Area]) -> f64 {
        match areas {
            [one, other] if one.next() == *other => self.sector(*other).0,
            [one, _] => self.sector(*one).0,
            [one, ..] => {
                let (begin, width) = self.sector(*one);
                begin + width / 2.0
            }
            [] => 0.0,
        }
    }

    fn areas(&mut self) {
        self.zone("areas", "The five areas of the henge");
        for area in Area::ALL {
            let at = Point::at(self.middle(&[area]), AREA_RADIUS);
            self.place(area_id(area), "areas", Some("area"), Some(area.get()), at);
        }
    }

    fn rondel(&mut self) {
        self.zone("rondel", "The rondel, clockwise");
        let set = self.set;
        for (at, step) in (0_u8..).zip(&set.rondel.steps) {
            let degrees = (f64::from(at) + 0.5) * self.step_degrees();
            let last = set.rondel.transport_after.contains(&step.step);
            let kind = if last { "step_before_transport" } else { "step" };
            self.place(step_id(step.step), "rondel", Some(kind), Some(step.step), Point::at(degrees, RONDEL_RADIUS));
            self.edge(step_id(step.step), area_id(step.area));
        }
        for (step, next) in set.rondel.steps.iter().zip(set.rondel.steps.iter().cycle().skip(1)) {
            self.edge(step_id(step.step), step_id(next.step));
        }
    }

    fn quarry(&mut self) {
        self.zone("quarry", "The quarry");
        let positions = self.set.params.quarry_size;
        let gap = QUARRY_WIDTH / f64::from(positions.saturating_sub(1).max(1));
        for position in 1..=positions {
            let x = (f64::from(position) - f64::from(positions + 1) / 2.0) * gap;
            self.place(
                place_id(quarry::KIND, position),
                "quarry",
                Some("position"),
                Some(position),
                Point { x, y: 0.0 },
            );
        }
    }

    fn slots(&mut self, side: &Side) {
        self.zone("slots", format!("Slots, {}", side.name));
        for (number, slot) in side.all() {
            let number_shown = u8::try_from(slot.vp).ok().filter(|vp| *vp > 0);
            let (id, at) = (slot.id.as_str(), self.slot_point(side, number));
            self.place(id.to_owned(), "slots", Some(slot.kind.into_str()), number_shown, at);
            for area in &slot.areas {
                self.edge(id, area_id(*area));
            }
            for under in &slot.on {
                self.edge(id, side[*under].id.as_str());
            }
        }
    }

    /// Lintels and monoliths of one area or border lie one behind the other, from the outside; uprights beside their
    /// lintel.
    fn slot_point(&self, side: &Side, slot: Slot) -> Point {
        let row = &side[slot];
        let lintel = side.all().find(|(_, other)| other.on.contains(&slot));
        if let (SlotKind::Upright, Some((lintel, over))) = (row.kind, lintel) {
            let way = if over.on.first() == Some(&slot) { -UPRIGHT_OFFSET } else { UPRIGHT_OFFSET };
            return self.slot_point(side, lintel).aside(self.middle(&row.areas), way);
        }
        let same_place = |other: &&Slot| {
            let other = &side[**other];
            other.kind != SlotKind::Upright && self.middle(&other.areas) == self.middle(&row.areas)
        };
        let all: Vec<Slot> = side.all().map(|(other, _)| other).collect();
        let group: Vec<&Slot> = all.iter().filter(same_place).collect();
        let rank = group.iter().position(|other| **other == slot).unwrap_or(0);
        let inwards = (SLOT_RADII[0] - SLOT_RADII[1]) * rank as f64 / group.len().max(1) as f64;
        Point::at(self.middle(&row.areas), SLOT_RADII[0] - inwards)
    }

    fn paths(&mut self, side: &Side) {
        for (area, path) in Area::ALL.into_iter().zip(&side.paths) {
            let zone = format!("path_{}", area.get());
            self.zone(&zone, format!("Druid path of {}", self.set.areas[area.index()].name));
            let (begin, width) = self.sector(area);
            let id = |place: usize| format!("path.{}.{place}", area.get());
            for (place, space) in (1..).zip(path) {
                let degrees = begin + width * place as f64 / (path.len() + 1) as f64;
                let kind = if space.cost.is_some() { "space" } else { "last_space" };
                let at = Point::at(degrees, PATH_RADIUS);
                self.place(id(place), &zone, Some(kind), Some(space.value), at).colour = Some(space.colour.clone());
                if place > 1 {
                    self.edge(id(place - 1), id(place));
                }
            }
        }
    }

    fn mat(&mut self) {
        let set = self.set;
        let privileges = Privilege::ALL.map(|privilege| {
            let title = format!("{}, levels of the privilege", set.privileges.name(privilege));
            (privilege.into_str(), title, "level", 0, set.privileges.levels(privilege))
        });
        let druids = (druid_track::KIND, "Druid track".to_owned(), "space", 1, set.druid_track.len());
        let luck = (luck_track::KIND, "Luck track".to_owned(), "step", 1, set.luck_track.len());
        let rows: Vec<_> = privileges.into_iter().chain([druids, luck]).collect();
        let (width, height) = MAT;
        for (row, (kind, title, what, first, count)) in rows.iter().enumerate() {
            let zone = format!("mat_{kind}");
            self.board.zones.push(Zone::of_mat(&zone, title));
            let y = height - 2.0 * height * row as f64 / (rows.len() - 1) as f64;
            for (at, number) in (*first..).take(*count).enumerate() {
                let x = 2.0 * width * (at as f64 + 0.5) / *count as f64 - width;
                self.place(place_id(kind, number), &zone, Some(*what), Some(number), Point { x, y });
                if at > 0 {
                    self.edge(place_id(kind, number - 1), place_id(kind, number));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Henge;
    use super::super::components::testing::{changed, sets};
    use super::super::components::{Components, reference};
    use super::*;
    use sarsen_rules::Catalogue;

    /// The board for four and five players.
    fn side_45() -> Board {
        let mut boards = Henge::default().boards();
        boards.retain(|board| board.side.as_deref() == Some("45"));
        boards.swap_remove(0)
    }

    fn find<'a>(board: &'a Board, id: &str) -> &'a Place {
        board.places.iter().find(|place| place.id == id).unwrap_or_else(|| panic!("no place {id}"))
    }

    fn neighbours(board: &Board, id: &str) -> BTreeSet<String> {
        let ends = board.edges.iter().filter_map(|edge| match (&edge.from, &edge.to) {
            (from, to) if from == id => Some(to),
            (from, to) if to == id => Some(from),
            _ => None,
        });
        ends.cloned().collect()
    }

    fn distance(a: &Place, b: &Place) -> f64 {
        (a.x - b.x).hypot(a.y - b.y)
    }

    #[test]
    fn everything_on_the_board_is_there_once() {
        let board = Henge::default().board();
        let count = |zone: &str| board.places.iter().filter(|place| place.zone == zone).count();
        assert_eq!(["areas", "rondel", "quarry"].map(count), [5, 20, 4]);
        assert_eq!(["slots", "path_1"].map(count), [20, 6]);
        assert_eq!(["mat_rondel", "mat_coin", "mat_luck_track"].map(|zone| count(zone) > 1), [true; 3]);
        let ids: BTreeSet<&str> = board.places.iter().map(|place| place.id.as_str()).collect();
        assert_eq!(ids.len(), board.places.len());
        assert!(board.places.iter().all(|place| board.zones.iter().any(|zone| zone.id == place.zone)));
        assert!(board.edges.iter().all(|edge| ids.contains(&*edge.from) && ids.contains(&*edge.to)));
        assert_eq!(board.zones.len(), 3 + 6 + 7);
        let other = side_45();
        let count = |zone: &str| other.places.iter().filter(|place| place.zone == zone).count();
        assert_eq!(["slots", "path_5"].map(count), [29, 8]);
    }

    #[test]
    fn a_match_with_another_set_finds_its_own_board() {
        let other = changed("other sides", |json| {
            json["boards"]["45"]["name"] = "Midsummer side".into();
            json["boards"]["45"]["slots"][0]["id"] = "1z".into();
            json["boards"]["45"]["slots"][2]["on"][0] = "1z".into();
        });
        let sets = sets(&[&other]);
        let game = Henge::new(sets.clone());
        let boards = game.boards();
        let of = |set: &Components| {
            let edition = sets.edition(set);
            let own: Vec<&Board> = boards.iter().filter(|board| board.edition.as_ref() == Some(&edition)).collect();
            assert_eq!(own.iter().map(|board| board.side.as_deref()).collect::<Vec<_>>(), [Some("3"), Some("45")]);
            own[1]
        };
        let edition = of(&other).edition.as_ref().unwrap();
        assert_eq!((&*edition.name, &*edition.version, edition.offered), ("other sides", "1.0", true));
        assert_eq!(edition.digest, other.id().digest);
        let zones = |board: &Board| board.zones.iter().filter(|zone| zone.title.contains("Midsummer side")).count();
        assert_eq!([of(&other), of(&reference())].map(zones), [1, 0]);
        let has = |board: &Board, id: &str| board.places.iter().any(|place| place.id == id);
        assert_eq!([of(&other), of(&reference())].map(|board| has(board, "1z")), [true, false]);
        assert_eq!(game.board(), boards[0], "that of new matches is first");
        assert_eq!(game.board().edition, of(&other).edition);
        assert!(!of(&reference()).edition.as_ref().unwrap().offered);
        assert!(Henge::default().board().edition.unwrap().offered);
    }

    #[test]
    fn places_lie_apart_on_the_unit_disc_of_their_surface() {
        for board in Henge::default().boards() {
            let surface = |place: &Place| board.zones.iter().find(|zone| zone.id == place.zone).unwrap().surface;
            for (at, place) in board.places.iter().enumerate() {
                assert!(place.x.hypot(place.y) <= 1.0, "{}", place.id);
                for other in board.places[..at].iter().filter(|other| surface(other) == surface(place)) {
                    assert!(distance(place, other) > 0.04, "{} and {}", place.id, other.id);
                }
            }
        }
    }

    #[test]
    fn lintels_lie_between_their_uprights_and_border_slots_between_their_areas() {
        let board = side_45();
        let [lintel, left, right] = ["12c", "12a", "12b"].map(|id| find(&board, id));
        assert_eq!(lintel.kind.as_deref(), Some("lintel"));
        assert!((distance(lintel, left) - distance(lintel, right)).abs() < 1e-5);
        assert!((distance(left, right) - 2.0 * UPRIGHT_OFFSET).abs() < 1e-5);
        let [one, two] = ["area.1", "area.2"].map(|id| find(&board, id));
        assert!((distance(lintel, one) - distance(lintel, two)).abs() < 1e-5);
        let touched = neighbours(&board, "12c");
        assert_eq!(touched, BTreeSet::from(["12a", "12b", "area.1", "area.2"].map(str::to_owned)));
        let seam = find(&board, "51c");
        assert!(seam.x.abs() < 1e-9 && seam.y > 0.5, "the border of areas 5 and 1 is at 12 o'clock");
    }

    #[test]
    fn the_rondel_runs_clockwise_beside_its_areas() {
        let board = Henge::default().board();
        let (first, last) = (find(&board, "step.1"), find(&board, "step.20"));
        assert!(first.x > 0.0 && last.x < 0.0 && first.y > 0.9);
        assert_eq!(neighbours(&board, "step.1"), BTreeSet::from(["step.2", "step.20", "area.1"].map(str::to_owned)));
        assert_eq!(find(&board, "step.4").kind.as_deref(), Some("step_before_transport"));
        assert!(distance(find(&board, "area.2"), find(&board, "step.6")) < 0.3);
    }

    #[test]
    fn paths_show_numbers_and_colours() {
        let (side_3, side_45) = (Henge::default().board(), side_45());
        fn space<'a>(board: &'a Board, id: &str) -> (Option<u8>, Option<&'a str>, Option<&'a str>) {
            let place = find(board, id);
            (place.number, place.colour.as_deref(), place.kind.as_deref())
        }
        assert_eq!(space(&side_45, "path.1.1"), (Some(0), Some("green"), Some("space")));
        assert_eq!(space(&side_3, "path.5.6"), (Some(10), Some("black"), Some("last_space")));
        assert_eq!(find(&side_3, "12m").number, Some(3), "the points of a slot are printed on it");
    }
}
