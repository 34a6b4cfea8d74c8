//! Plurals, lists and articles of English sentences: the one place where words for people get them from.
//!
//! Invariant: each function takes every number and every length of a list, 0 included.

use crate::Seat;

/// The number with its noun: `no cards`, `1 card`, `2 cards`.
pub fn counted(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

/// The number without its noun, after a sentence has named it: `none`, `1`, `2`.
pub fn how_many(number: impl Into<u64>) -> String {
    match number.into() {
        0 => "none".to_owned(),
        number => number.to_string(),
    }
}

/// A list of all: `none`, `a`, `a and b`, `a, b and c`.
pub fn listed<S: AsRef<str>>(parts: &[S]) -> String {
    joined(parts, "and")
}

/// A list to choose from: `none`, `a`, `a or b`, `a, b or c`.
pub fn either<S: AsRef<str>>(parts: &[S]) -> String {
    joined(parts, "or")
}

fn joined<S: AsRef<str>>(parts: &[S], word: &str) -> String {
    match parts {
        [] => "none".to_owned(),
        [one] => one.as_ref().to_owned(),
        [others @ .., last] => {
            let others: Vec<&str> = others.iter().map(AsRef::as_ref).collect();
            format!("{} {word} {}", others.join(", "), last.as_ref())
        }
    }
}

/// Names behind the noun that they have in common: `no stones`, `the stone A`, `the stones A and B`.
pub fn named<S: AsRef<str>>(names: &[S], one: &str, many: &str) -> String {
    match names {
        [] => format!("no {many}"),
        [name] => format!("the {one} {}", name.as_ref()),
        names => format!("the {many} {}", listed(names)),
    }
}

/// Seats by their numbers: `seat 0`, `seats 0 and 2`.
pub fn seats(seats: &[Seat]) -> String {
    let numbers: Vec<String> = seats.iter().map(Seat::to_string).collect();
    named(&numbers, "seat", "seats").trim_start_matches("the ").to_owned()
}

/// A number of times: `never`, `once`, `twice`, `3 times`.
pub fn times(number: u8) -> String {
    match number {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        number => format!("{number} times"),
    }
}

/// The place in an order: `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`.
pub fn ordinal(number: u8) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// `a`, or `an` before a vowel.
pub fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" }
}

/// The text with a capital in front, as it begins a sentence.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_plural() {
        let cards = |number: u64| counted(number, "card", "cards");
        assert_eq!([0, 1, 2, 5].map(cards), ["no cards", "1 card", "2 cards", "5 cards"]);
        assert_eq!([0u64, 1, 2, 5].map(how_many), ["none", "1", "2", "5"]);
        assert_eq!([0, 1, 2, 5].map(times), ["never", "once", "twice", "5 times"]);
        let places = [0, 1, 2, 3, 5, 11, 12, 13, 21, 22, 101, 111].map(ordinal);
        let expected = ["0th", "1st", "2nd", "3rd", "5th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th"];
        assert_eq!(places, expected);
    }

    #[test]
    fn every_list_reads_as_a_sentence() {
        let names = ["a", "b", "c", "d", "e"];
        let lists = [0, 1, 2, 5].map(|length| listed(&names[..length]));
        assert_eq!(lists, ["none", "a", "a and b", "a, b, c, d and e"]);
        let choices = [0, 1, 2, 5].map(|length| either(&names[..length]));
        assert_eq!(choices, ["none", "a", "a or b", "a, b, c, d or e"]);
        let stones = [0, 1, 2, 5].map(|length| named(&names[..length], "stone", "stones"));
        assert_eq!(stones, ["no stones", "the stone a", "the stones a and b", "the stones a, b, c, d and e"]);
    }

    #[test]
    fn seats_are_listed_by_their_numbers() {
        let list = |count: u8| seats(&(0..count).filter_map(Seat::new).collect::<Vec<_>>());
        assert_eq!([0, 1, 2, 5].map(list), ["no seats", "seat 0", "seats 0 and 1", "seats 0, 1, 2, 3 and 4"]);
    }

    #[test]
    fn words_begin_as_they_should() {
        assert_eq!(["Install", "druid", "elder"].map(article), ["an", "a", "an"]);
        assert_eq!(["", "the stone", "ägir"].map(capital), ["", "The stone", "Ägir"]);
    }
}
