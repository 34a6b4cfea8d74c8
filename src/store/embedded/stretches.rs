//! Stretches: runs of the numbered items of one owner, up to [`ITEMS`] of which share one entry of a table.
//!
//! An entry for each item would take more room for its key than for the item, and twice the present room in all, since
//! the pages of the tree are never full.
//!
//! Invariants:
//! - An entry of the table holds items whose numbers follow one another, in their order and from the number in its key on.
//!   Numbers ascend from entry to entry; where one is missing, a new entry begins.
//! - The cost of adding an item does not grow with the number of items: a stretch that is full, or long, is not written
//!   again.

use redb::{ReadableTable, Table};

use super::database::Outcome;

/// The maximum number of items in an entry.
const ITEMS: usize = 16;
/// The size of a stretch, in bytes, from which on it takes no further item.
const LONG: usize = 2048;
/// The number of bits of a length in a byte, below the one that says whether more follow.
const BITS: u32 = 7;

/// (owner, number of the first item).
pub(super) type Place = (u128, u64);

/// The last stretch of an owner, to which the next item may be added.
pub(super) struct End {
    owner: u128,
    first: u64,
    stretch: Vec<u8>,
    items: usize,
}

impl End {
    pub(super) fn of(table: &impl ReadableTable<Place, &'static [u8]>, owner: u128) -> Outcome<End> {
        let last = table.range((owner, 0)..=(owner, u64::MAX))?.next_back().transpose()?;
        let (first, stretch) =
            last.map_or_else(Default::default, |(key, found)| (key.value().1, found.value().to_vec()));
        let items = items(&stretch)?.len();
        Ok(End { owner, first, stretch, items })
    }

    /// Returns the number of the last item; 0 if there is none.
    pub(super) fn last(&self) -> u64 {
        self.next().saturating_sub(1)
    }

    fn next(&self) -> u64 {
        self.first.saturating_add(self.items as u64)
    }

    /// Adds an item of this number, which must be above that of the last. Returns true if a stretch begins with it.
    pub(super) fn push(self, table: &mut Table<'_, Place, &'static [u8]>, number: u64, item: &[u8]) -> Outcome<bool> {
        let goes_on = self.items > 0 && self.items < ITEMS && self.stretch.len() < LONG && self.next() == number;
        let (first, mut stretch) = if goes_on { (self.first, self.stretch) } else { (number, Vec::new()) };
        append(&mut stretch, item);
        table.insert((self.owner, first), stretch.as_slice())?;
        Ok(!goes_on)
    }
}

/// Returns the items from the number `from` on, at most `limit` of them, each with its number.
pub(super) fn read(
    table: &impl ReadableTable<Place, &'static [u8]>,
    owner: u128,
    from: u64,
    limit: usize,
) -> Outcome<Vec<(u64, Vec<u8>)>> {
    let mut found = Vec::new();
    if limit == 0 {
        return Ok(found);
    }
    // The number may be in the middle of a stretch.
    let before = table.range((owner, 0)..=(owner, from))?.next_back().transpose()?;
    let begin = before.map_or(from, |(key, _)| key.value().1);
    for stretch in table.range((owner, begin)..=(owner, u64::MAX))? {
        let (key, stretch) = stretch?;
        let (_, first) = key.value();
        for (at, item) in (0..).zip(items(stretch.value())?) {
            let number = first.saturating_add(at);
            if number >= from {
                found.push((number, item.to_vec()));
            }
            if found.len() == limit {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

/// Drops stretches whose items all have numbers below `kept`; an owner's last one stays.
pub(super) fn trim(table: &mut Table<'_, Place, &'static [u8]>, owner: u128, kept: u64) -> Outcome<()> {
    loop {
        let mut stretches = table.range((owner, 0)..=(owner, kept))?;
        let mut next = || Ok::<_, redb::Error>(stretches.next().transpose()?.map(|(key, _)| key.value()));
        // The second begins at `kept` or below, so all of the first are below.
        let (Some(first), Some(_)) = (next()?, next()?) else { return Ok(()) };
        drop(stretches);
        table.remove(first)?;
    }
}

/// Drops all items of an owner.
pub(super) fn remove(table: &mut Table<'_, Place, &'static [u8]>, owner: u128) -> Outcome<()> {
    Ok(table.retain_in((owner, 0)..=(owner, u64::MAX), |_, _| false)?)
}

/// Appends an item, its length before it: seven bits a byte, the lowest first, and the highest bit where more follow.
fn append(stretch: &mut Vec<u8>, item: &[u8]) {
    let mut length = item.len();
    while length >> BITS > 0 {
        stretch.push(length as u8 | 1 << BITS);
        length >>= BITS;
    }
    stretch.push(length as u8);
    stretch.extend_from_slice(item);
}

/// Splits a stretch that [`append`] has made into its items.
fn items(stretch: &[u8]) -> Outcome<Vec<&[u8]>> {
    let damaged = || redb::Error::Corrupted("a stretch ends within an item".to_owned());
    let (mut items, mut rest) = (Vec::new(), stretch);
    while !rest.is_empty() {
        let (mut length, mut shift) = (0_usize, 0);
        loop {
            let (byte, after) = rest.split_first().ok_or_else(damaged)?;
            let bits = usize::from(byte & !(1 << BITS));
            length |= bits.checked_shl(shift).ok_or_else(damaged)?;
            (rest, shift) = (after, shift + BITS);
            if byte >> BITS == 0 {
                break;
            }
        }
        let (item, after) = rest.split_at_checked(length).ok_or_else(damaged)?;
        items.push(item);
        rest = after;
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use redb::backends::InMemoryBackend;
    use redb::{Database, ReadableTableMetadata, TableDefinition};

    use super::*;

    const TABLE: TableDefinition<Place, &[u8]> = TableDefinition::new("t");

    fn on_a_table(work: impl FnOnce(&mut Table<'_, Place, &'static [u8]>)) {
        let database = Database::builder().create_with_backend(InMemoryBackend::new()).unwrap();
        let transaction = database.begin_write().unwrap();
        work(&mut transaction.open_table(TABLE).unwrap());
        transaction.commit().unwrap();
    }

    fn push(table: &mut Table<'_, Place, &'static [u8]>, owner: u128, number: u64, item: &[u8]) -> bool {
        End::of(table, owner).unwrap().push(table, number, item).unwrap()
    }

    fn text(number: u64) -> Vec<u8> {
        format!("item {number}").into_bytes()
    }

    #[test]
    fn items_of_any_length_come_back_and_damage_is_noticed() {
        let lengths = [0, 1, 127, 128, 16_383, 16_384, 3_000_000];
        let all: Vec<Vec<u8>> = lengths.map(|length| (0..length).map(|at| at as u8).collect()).to_vec();
        let mut stretch = Vec::new();
        all.iter().for_each(|item| append(&mut stretch, item));
        assert!(items(&stretch).unwrap() == all);
        assert!(items(&[]).unwrap().is_empty());
        for damaged in [&stretch[..stretch.len() - 1], &[128], &[2, 1], &[255; 12]] {
            assert!(matches!(items(damaged), Err(redb::Error::Corrupted(_))), "{} bytes", damaged.len());
        }
    }

    #[test]
    fn every_stretch_of_numbers_is_read_from_wherever_it_begins() {
        on_a_table(|table| {
            for number in 1..=40 {
                push(table, 6, number, b"another's");
                push(table, 7, number, &text(number));
                push(table, 8, number, b"another's");
            }
            assert_eq!(table.len().unwrap(), 9, "three stretches each");
            for from in 0..=42 {
                for limit in [0, 1, 15, 16, 17, 100] {
                    let read = read(table, 7, from, limit).unwrap();
                    let wanted = (from.max(1)..=40).take(limit).map(|number| (number, text(number)));
                    assert!(read.into_iter().eq(wanted), "from {from}, at most {limit}");
                }
            }
            assert_eq!((End::of(table, 7).unwrap().last(), End::of(table, 9).unwrap().last()), (40, 0));
            remove(table, 7).unwrap();
            assert_eq!((table.len().unwrap(), read(table, 7, 0, 9).unwrap()), (6, Vec::new()));
        });
    }

    #[test]
    fn a_stretch_ends_where_it_is_full_or_long_and_where_a_number_is_missing() {
        on_a_table(|table| {
            let begun: Vec<u64> = (1..=33).filter(|number| push(table, 1, *number, b"")).collect();
            assert_eq!(begun, [1, 17, 33]);
            assert!(push(table, 1, 40, b"after a gap") && !push(table, 1, 41, &[1; LONG]));
            assert!(push(table, 1, 42, b"behind a long one"));
            let read = read(table, 1, 34, 9).unwrap();
            assert!(read.iter().map(|(number, _)| *number).eq(40..=42));
            assert_eq!(read[1].1, [1; LONG]);
        });
    }

    #[test]
    fn what_is_trimmed_is_below_what_is_kept() {
        on_a_table(|table| {
            (1..=40).for_each(|number| assert_eq!(push(table, 1, number, b""), number % 16 == 1));
            let keeps = |table: &mut _, kept, oldest: u64| {
                trim(table, 1, kept).unwrap();
                let left = read(table, 1, 0, 99).unwrap();
                assert!(left.iter().map(|(number, _)| *number).eq(oldest..=40), "{kept}");
            };
            for (kept, oldest) in [(0, 1), (16, 1), (17, 17), (32, 17), (33, 33), (900, 33)] {
                keeps(table, kept, oldest);
            }
            remove(table, 1).unwrap();
            for number in 1..=40 {
                push(table, 1, number, b"");
            }
            keeps(table, 900, 33);
        });
    }
}
