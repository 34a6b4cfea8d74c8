//! Legal moves, and refusals of the others.

use super::matching;
use super::moves::{Exchange, Move, Nominate, Play};
use super::state::{State, Step};
use super::talk::{self, MOST_WISHES, Ready, Talk, Wish};
use super::track;
use crate::common::Pass;
use sarsen_rules::{Refusal, Seat};

/// The moves of `seat`'s open decision. Signals are not listed.
pub(crate) fn moves_into(state: &State, seat: Seat, moves: &mut Vec<Move>) {
    moves.clear();
    match state.step {
        Step::Voting if state.undecided().contains(seat) => {
            moves.extend(state.seats().seats().map(|nominee| Move::Nominate(Nominate { seat: nominee })));
        }
        Step::Playing if state.on_turn() == Some(seat) => turn_moves(state, seat, moves),
        _ => {}
    }
}

/// Returns whether `seat` may make the move, and if not, which rule decides.
pub(crate) fn check(state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
    match (state.step, mv) {
        (Step::Over, _) => Err(Refusal::new("match_over", "5.4", None, "the match is over")),
        (_, Move::Wish(wish)) => {
            check_talk(&state.players[seat.index()].talk)?;
            check_wish(wish)
        }
        (_, Move::Ready(ready)) => {
            check_talk(&state.players[seat.index()].talk)?;
            check_ready(state, *ready)
        }
        (Step::Voting, Move::Nominate(nominate)) => check_nominate(state, seat, *nominate),
        (Step::Voting, _) => {
            Err(Refusal::new("vote_open", "AB-01", Some("type"), "a nomination is due; it is nobody's turn yet"))
        }
        _ if state.on_turn() != Some(seat) => {
            Err(Refusal::new("not_your_turn", "AB-03", None, "this seat has nothing to decide now"))
        }
        (_, Move::Nominate(_)) => Err(Refusal::new("vote_over", "AB-01", Some("type"), "the vote is over")),
        (_, Move::Exchange(exchange)) => check_exchange(state, seat, *exchange),
        (_, Move::Play(play)) => check_play(state, seat, *play),
        (_, Move::Pass(Pass {})) => Ok(()),
    }
}

/// Matches, then the pass, then the exchanges; cards in board order.
fn turn_moves(state: &State, seat: Seat, moves: &mut Vec<Move>) {
    let hand = state.players[seat.index()].hand;
    matching::for_each_match(hand, state.number(), |cards| moves.push(Move::Play(Play { cards })));
    moves.push(Move::Pass(Pass {}));
    if !state.exchanged {
        for give in hand.iter() {
            moves.extend(state.field.iter().map(|take| Move::Exchange(Exchange { give, take })));
        }
    }
}

fn check_nominate(state: &State, seat: Seat, Nominate { seat: nominee }: Nominate) -> Result<(), Refusal> {
    if !state.undecided().contains(seat) {
        let detail = "a nomination is final for its round";
        return Err(Refusal::new("already_nominated", "AB-01", None, detail));
    }
    if !state.seats().contains(nominee) {
        return Err(Refusal::new("no_such_seat", "AB-01", Some("seat"), format!("there is no seat {nominee}")));
    }
    Ok(())
}

fn check_exchange(state: &State, seat: Seat, Exchange { give, take }: Exchange) -> Result<(), Refusal> {
    if state.exchanged {
        return Err(Refusal::new("already_exchanged", "AB-07", None, "the Field can be used only once in a turn"));
    }
    if !state.players[seat.index()].hand.contains(give) {
        return Err(Refusal::new("not_in_hand", "AB-08", Some("give"), format!("{give} is not in your hand")));
    }
    if !state.field.contains(take) {
        return Err(Refusal::new("not_in_field", "AB-08", Some("take"), format!("{take} is not in the Field")));
    }
    Ok(())
}

fn check_play(state: &State, seat: Seat, Play { cards }: Play) -> Result<(), Refusal> {
    let (hand, number) = (state.players[seat.index()].hand, state.number());
    let refuse = |code, rule, detail: String| Err(Refusal::new(code, rule, Some("cards"), detail));
    if !(1..=2).contains(&cards.len()) {
        let rule = if cards.is_empty() { "4.3" } else { "AB-12" };
        return refuse("one_or_two_cards", rule, "a match is made with one card or two".to_owned());
    }
    if let Some(card) = cards.minus(hand).iter().next() {
        return refuse("not_in_hand", "AB-34", format!("{card} is not in your hand"));
    }
    if matching::is_match(cards, number) {
        return Ok(());
    }
    match cards.iter().find(|card| card.is_trilithon() && card.colour() != number.colour()) {
        Some(_) if track::is_black(number) => {
            refuse("wrong_colour", "AB-14", "no trilithon card can be played on a black number".to_owned())
        }
        Some(card) => {
            refuse("wrong_colour", "AB-13", format!("{card} can be played only on {} numbers", card.colour()))
        }
        None => refuse("no_match", "AB-34", format!("these cards do not match {number}")),
    }
}

fn check_ready(state: &State, ready: Ready) -> Result<(), Refusal> {
    if ready.turn() >= state.turn {
        return Ok(());
    }
    Err(Refusal::new("turn_over", "AB-36", Some("number"), "the turn on this number is over"))
}

/// Refuses the eleventh signal.
fn check_talk(talk: &Talk) -> Result<(), Refusal> {
    if talk.left() > 0 {
        return Ok(());
    }
    let detail = "a seat can send at most ten signals in each turn of the track, and ten in the vote";
    Err(Refusal::new("too_many_signals", "AB-36", None, detail))
}

/// Refuses a wish for nothing or for too much.
fn check_wish(wish: &Wish) -> Result<(), Refusal> {
    match wish.numbers.len() + wish.colours.len() {
        1..=MOST_WISHES => Ok(()),
        _ => Err(Refusal::new(
            "one_to_five_wishes",
            talk::WISH,
            None,
            "a wish names one to five different things, numbers and colours together",
        )),
    }
}
