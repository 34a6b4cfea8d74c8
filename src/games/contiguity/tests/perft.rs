//! Perft: the number of sequences of moves, by two generators that share no code: the masks of `lines`, and a walk from
//! cell to cell written here.

use std::collections::HashMap;

use super::*;

/// One line a position and jump rule; see the head of the file.
const TABLE: &str = include_str!("perft.txt");

struct Entry {
    line: &'static str,
    jump: Jump,
    colour: Colour,
    position: Position,
    counts: Vec<u64>,
}

fn entries() -> impl Iterator<Item = Entry> {
    TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, jump, colour, white, red, counts] = fields[..] else { panic!("{line}") };
        Entry {
            line,
            jump: if jump == "short" { Jump::Short } else { Jump::Flying },
            colour: if colour == "red" { Colour::Red } else { Colour::White },
            position: position(white, red),
            counts: counts.split_whitespace().map(|count| count.parse().unwrap()).collect(),
        }
    })
}

fn perft(position: &Position, colour: Colour, jump: Jump, depth: usize) -> u64 {
    let moves = piece_moves(position, colour, jump);
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut count = 0;
    for mv in moves {
        let Move::Move(MovePiece { from, to }) = mv else { panic!("{mv:?}") };
        let mut after = *position;
        after.shift(colour, from, to);
        if after.groups(colour) > 1 {
            count += perft(&after, colour.other(), jump, depth - 1);
        }
    }
    count
}

/// Pieces by (number, row letter).
type Cells = HashMap<(u8, u8), Colour>;

fn cells(position: &Position) -> Cells {
    [Colour::White, Colour::Red]
        .into_iter()
        .flat_map(|colour| position.pieces(colour).map(move |space| ((space.column() + 1, b'a' + space.row()), colour)))
        .collect()
}

/// One step: 0 clockwise, 1 anticlockwise, 2 inwards, 3 outwards.
fn step((number, row): (u8, u8), direction: u8) -> Option<(u8, u8)> {
    match direction {
        0 => Some((if number == 30 { 1 } else { number + 1 }, row)),
        1 => Some((if number == 1 { 30 } else { number - 1 }, row)),
        2 => (row < b'd').then_some((number, row + 1)),
        _ => (row > b'a').then_some((number, row - 1)),
    }
}

fn walked_targets(cells: &Cells, from: (u8, u8), jump: Jump) -> Vec<(u8, u8)> {
    let mut targets = Vec::new();
    for direction in 0..4 {
        let (mut at, mut met, mut steps) = (from, 0, 0);
        while let Some(next) = step(at, direction).filter(|next| *next != from) {
            at = next;
            steps += 1;
            if cells.contains_key(&at) {
                met += 1;
                // Short: only the very next space may be jumped.
                if met > 1 || jump == Jump::Short && steps > 1 {
                    break;
                }
                continue;
            }
            if met == 1 && jump == Jump::Short && steps != 2 {
                break;
            }
            if !targets.contains(&at) {
                targets.push(at);
            }
        }
    }
    targets
}

fn walked_connected(cells: &Cells, colour: Colour) -> bool {
    let own: Vec<(u8, u8)> = cells.iter().filter(|cell| *cell.1 == colour).map(|cell| *cell.0).collect();
    let mut reached = vec![own[0]];
    let mut next = 0;
    while next < reached.len() {
        for direction in 0..4 {
            let neighbour = step(reached[next], direction).filter(|cell| cells.get(cell) == Some(&colour));
            reached.extend(neighbour.filter(|cell| !reached.contains(cell)));
        }
        next += 1;
    }
    reached.len() == own.len()
}

fn walked_perft(cells: &mut Cells, colour: Colour, jump: Jump, depth: usize) -> u64 {
    let own: Vec<(u8, u8)> = cells.iter().filter(|cell| *cell.1 == colour).map(|cell| *cell.0).collect();
    let mut count = 0;
    for from in own {
        let targets = walked_targets(cells, from, jump);
        if depth == 1 {
            count += targets.len() as u64;
            continue;
        }
        for to in targets {
            cells.remove(&from);
            cells.insert(to, colour);
            if !walked_connected(cells, colour) {
                count += walked_perft(cells, colour.other(), jump, depth - 1);
            }
            cells.remove(&to);
            cells.insert(from, colour);
        }
    }
    count
}

#[test]
fn the_table_begins_with_the_set_up() {
    let first: Vec<Entry> = entries().take(2).collect();
    assert!(first.iter().all(|entry| entry.position == Position::set_up() && entry.colour == Colour::White));
    assert_eq!((first[0].jump, first[0].counts[0]), (Jump::Flying, 164));
    assert_eq!((first[1].jump, first[1].counts[0]), (Jump::Short, 114));
    assert!(entries().all(|entry| entry.counts.len() == 3));
}

/// Every line of the table that `count` contradicts, and what it found instead.
fn contradicted(count: impl Fn(&Entry, usize) -> u64) -> Vec<String> {
    entries()
        .map(|entry| ((1..=3).map(|depth| count(&entry, depth)).collect::<Vec<u64>>(), entry))
        .filter(|(counts, entry)| *counts != entry.counts)
        .map(|(counts, entry)| format!("{}: {counts:?}", entry.line))
        .collect()
}

#[test]
fn the_masks_agree_with_the_table() {
    let wrong = contradicted(|entry, depth| perft(&entry.position, entry.colour, entry.jump, depth));
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn the_walk_agrees_with_the_table() {
    let wrong = contradicted(|entry, depth| walked_perft(&mut cells(&entry.position), entry.colour, entry.jump, depth));
    assert_eq!(wrong, [""; 0]);
}
