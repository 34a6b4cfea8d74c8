//! The laws that every game keeps, checked in random matches.
//!
//! A game's tests describe themselves in a [`Plan`] and call `games::laws`, which adds the laws of the erased form.
//! `SARSEN_CONFORMANCE_MATCHES` replaces the number of matches of every plan.
//!
//! Invariant: the work a state costs is bounded, however long a game's lists are; long lists are sampled.
//!
//! What this deliberately lacks: whether what is imagined is as likely as what may be the case (it needs a game's own
//! knowledge of what is secret).

mod absence;
mod known;
mod secrecy;

use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use test_kit::environment::CONFORMANCE_MATCHES;

use known::Known;

use super::{
    Board, Chance, Dice, DiceSeed, Edition, Game, Glossary, LegalMoves, MAX_SEATS, Outcome, Refusal, Rulebook, Seat,
    SeatCount, Seats, Status, Viewer, play, rehearse, rulebook, settle,
};

/// How a game is to be tried.
pub(crate) struct Plan<G: Game> {
    /// The game.
    pub game: Arc<G>,
    /// Options to play with, each as often as the others.
    pub options: Vec<G::Options>,
    /// Numbers of seats, each as often as the others.
    pub seats: Vec<u8>,
    /// How many matches to play.
    pub matches: u32,
    /// No match is longer than this many moves.
    pub longest: usize,
    /// Panics where a state has lost or gained a piece or a card, or contradicts itself otherwise.
    pub conserved: fn(&G::State),
    /// Moves worth trying beyond the listed ones, such as signals and what a cut list leaves out. They need not be
    /// legal; whatever is accepted may be played.
    pub further: fn(&G::State, Seat) -> Vec<G::Move>,
    /// Another state that the viewer must not be able to tell apart from this one, in which somebody is to act: what the
    /// rules hide from the viewer (other hands, orders of piles) is dealt anew among itself, what the viewer may know
    /// stays. Written from the rules, without the game's `view` and `imagine`. Now and then some of what is hidden should
    /// stay too, so that the other seats have moves in common.
    pub redeal: fn(&G::State, Viewer, &mut Dice) -> G::State,
    /// Whether the rules let this event show the viewer what was hidden before: a card turned up, an own draw.
    pub lays_open: fn(&G::Event, Viewer) -> bool,
}

impl<G: Game> Plan<G> {
    /// The number of matches to play.
    pub fn matches(&self) -> u32 {
        CONFORMANCE_MATCHES.value().unwrap_or(self.matches)
    }

    /// Options and seats of match `number`.
    pub fn table(&self, number: u32) -> (&G::Options, SeatCount) {
        let options = self.options.len();
        let index = number as usize;
        let seats = self.seats[index / options % self.seats.len()];
        (&self.options[index % options], SeatCount::new(seats).unwrap())
    }
}

/// The dice of match `number`, and those that choose its moves.
pub(crate) fn seeds(number: u32) -> (DiceSeed, Dice) {
    let seed = |kind: u8| {
        let mut bytes = [kind; 32];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        DiceSeed(bytes)
    };
    (seed(1), Dice::new(seed(2)))
}

/// Everyone who may look.
pub(crate) fn viewers(count: SeatCount) -> Vec<Viewer> {
    count.seats().map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Omniscient]).collect()
}

/// Checks every law in `plan.matches` random matches, and in a quarter as many that players leave.
pub(crate) fn laws<G: Game>(plan: &Plan<G>) {
    let game = &*plan.game;
    fixed_facts(game);
    let mut known = Known::<G>::default();
    check_options(plan, &known.rulebook);
    let mut different = 0;
    for number in 0..plan.matches() {
        different += one_match(plan, number, &mut known);
    }
    assert_eq!(
        different > 0,
        G::INFO.hidden_information,
        "{different} times, a viewer could take the state for another"
    );
    for number in 0..plan.matches().div_ceil(4) {
        absence::one_match(plan, number);
    }
}

/// `most` of `items`, any of them several times; all of them if there are no more.
fn some<T: Clone>(items: &[T], most: usize, dice: &mut Dice) -> Vec<T> {
    if items.len() <= most {
        return items.to_vec();
    }
    (0..most).filter_map(|_| dice.index(items.len()).map(|index| items[index].clone())).collect()
}

fn fixed_facts<G: Game>(game: &G) {
    let info = G::INFO;
    assert!(1 <= info.min_seats && info.min_seats <= info.max_seats && info.max_seats <= MAX_SEATS);
    assert!(!info.summary.is_empty() && !info.notation.is_empty() && !info.designer.is_empty());
    assert_unique(info.endings.iter());
    check_rulebook::<G>(&Rulebook::read(info.rules));
    check_vocabulary(game);
    check_editions(game);
    for board in game.boards() {
        check_board(&board);
    }
}

/// New matches have one of the boards, and what has a glossary has a board.
fn check_editions<G: Game>(game: &G) {
    let (glossaries, boards) = (game.glossaries(), game.boards());
    assert_unique(boards.iter().map(|board| &board.edition));
    let offered = game.board();
    assert!(boards.contains(&offered) && offered.edition.as_ref().is_none_or(|edition| edition.offered));
    if boards.iter().any(|board| board.edition.is_none()) {
        assert_eq!((boards.len(), glossaries.len() <= 1), (1, true), "a board of no edition beside others");
        return;
    }
    for edition in boards.iter().filter_map(|board| board.edition.as_ref()) {
        let digits = edition.digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        assert!(digits && edition.digest.len() == 16, "{edition:?}");
        assert!(!edition.offered || offered.edition.as_ref() == Some(edition), "{edition:?} is offered too");
    }
    for Glossary { name, version, digest, offered, .. } in glossaries {
        let edition = Some(Edition { name, version, digest, offered });
        assert!(boards.iter().any(|board| board.edition == edition), "{edition:?} has a glossary and no board");
    }
}

/// The rules are complete in form: title, designer, and headings that can be cited.
fn check_rulebook<G: Game>(rulebook: &Rulebook) {
    let introduction = rulebook.text().split("\n## ").next().unwrap_or_default();
    assert!(introduction.starts_with(&format!("# {}\n", G::INFO.title)), "the rules have another title");
    assert!(introduction.contains(G::INFO.designer), "the rules do not credit {}", G::INFO.designer);
    assert_unique(rulebook.ids());
    for (heading, _) in rulebook::headings(rulebook.text()) {
        let id = heading.split(' ').next().unwrap_or_default();
        assert!(rulebook.has(id), "cannot be cited: {heading}");
    }
    for ruling in rulebook.rulings() {
        assert!(ruling.question.ends_with('?') && !ruling.decision.is_empty(), "{ruling:?}");
        assert_eq!(ruling.id.len(), rulebook.rulings()[0].id.len(), "{ruling:?} is padded otherwise");
    }
}

/// A refusal cites what the game has published.
pub(crate) fn check_refusal(rulebook: &Rulebook, refusal: &Refusal) {
    assert!(!refusal.detail.is_empty(), "{refusal:?}");
    assert!(refusal.code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_')), "{refusal:?}");
    assert!(rulebook.has(refusal.rule), "not in the rules: {refusal:?}");
}

/// Options that are almost those of the plan are refused by the rules, are malformed, or are as good.
fn check_options<G: Game>(plan: &Plan<G>, rulebook: &Rulebook) {
    let wrong = [json!(0), json!(1), json!(99), json!(1 << 20), json!(true), json!(""), json!("b"), json!("hbhbhbh")];
    for options in &plan.options {
        let Value::Object(good) = serde_json::to_value(options).unwrap() else { panic!("options are an object") };
        for (name, value) in good.keys().flat_map(|name| wrong.iter().map(move |value| (name, value))) {
            let mut changed = good.clone();
            changed[name] = value.clone();
            let Ok(changed) = plan.game.options(&Value::Object(changed)) else { continue };
            for count in (1..=MAX_SEATS).filter_map(SeatCount::new) {
                if let Err(refusal) = plan.game.check_options(&changed, count) {
                    check_refusal(rulebook, &refusal);
                }
            }
        }
    }
}

fn check_board(board: &Board) {
    assert_unique(board.zones.iter().map(|zone| &zone.id));
    assert_unique(board.places.iter().map(|place| &place.id));
    let zones: HashSet<&String> = board.zones.iter().map(|zone| &zone.id).collect();
    let places: HashSet<&String> = board.places.iter().map(|place| &place.id).collect();
    for place in &board.places {
        assert!(zones.contains(&place.zone), "{place:?} is in no zone");
        assert!(place.x.hypot(place.y) <= 1.0 + 1e-9, "{place:?} is off the unit disc");
    }
    let mut pairs = HashSet::new();
    for edge in &board.edges {
        assert!(edge.from != edge.to && places.contains(&edge.from) && places.contains(&edge.to), "{edge:?}");
        assert!(pairs.insert((edge.from.clone().min(edge.to.clone()), edge.from.clone().max(edge.to.clone()))));
    }
}

/// What the catalogue says of signals reads as moves that need no turn.
fn check_vocabulary<G: Game>(game: &G) {
    assert_unique(game.signals().iter().map(|signal| signal.kind));
    for signal in game.signals() {
        let example = game.parse(signal.notation).unwrap();
        assert_eq!(serde_json::to_value(&example).unwrap()["type"], signal.kind);
        assert!(!game.needs_turn(&example) && !signal.meaning.is_empty() && !signal.limit_scope.is_empty());
        for values in signal.values {
            let has_words = values.words.is_empty() == (values.minimum.is_some() && values.maximum.is_some());
            assert!(has_words && values.minimum <= values.maximum && values.fewest <= values.most, "{values:?}");
        }
    }
}

fn assert_unique<T: std::hash::Hash + Eq + Debug + Clone>(items: impl Iterator<Item = T>) {
    let mut seen = HashSet::new();
    for item in items {
        assert!(seen.insert(item.clone()), "{item:?} occurs twice");
    }
}

/// Writes and reads back.
pub(crate) fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> T {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap();
    assert_eq!(&back, value, "{text}");
    back
}

/// Writes a state and reads it back, as between two moves.
fn stored_and_loaded<G: Game>(game: &G, state: &G::State) -> G::State {
    let stored = to_raw_value(state).unwrap();
    let loaded = game.load(&stored).unwrap_or_else(|why| panic!("{why}: {stored}"));
    assert_eq!(&loaded, state, "{stored}");
    loaded
}

/// Answers how often what a viewer could take the state for was not the state itself.
fn one_match<G: Game>(plan: &Plan<G>, number: u32, known: &mut Known<G>) -> u32 {
    let game = &*plan.game;
    let (options, count) = plan.table(number);
    let (seed, mut choice) = seeds(number);
    assert_eq!(game.options(&serde_json::to_value(options).unwrap()).as_ref(), Ok(options));
    assert_eq!(game.check_options(options, count), Ok(()));

    // The twin lives as it would in the service: stored after every move, with only the dice's position kept.
    let mut dice = Dice::new(seed);
    let (mut state, mut events) = game.setup(options, count, &mut dice);
    settle(game, &mut state, &mut dice, &mut events);
    let mut twin_dice = Dice::new(seed);
    let (mut twin, mut twin_events) = game.setup(options, count, &mut twin_dice);
    settle(game, &mut twin, &mut twin_dice, &mut twin_events);
    assert_eq!((&twin, &twin_events), (&state, &events));
    if G::INFO.chance == Chance::None {
        assert_eq!(dice.position(), 0, "chance in the set-up of a game without");
    }
    check_events(game, &events, count);

    let mut different = 0;
    for length in 0.. {
        assert!(length <= plan.longest, "match {number} does not end");
        twin = stored_and_loaded(game, &state);
        let acting = check_state(plan, &state, count, &mut choice);
        for seat in acting.iter() {
            check_moves(game, &state, seat, &game.legal_moves(&state, seat), known, &mut choice);
        }
        if !acting.is_empty() {
            different += secrecy::check(plan, &state, acting, count, known, &mut choice);
        }
        let Some((seat, mv)) = choose(plan, &state, acting, count, known, &mut choice) else { break };

        // Without secrets what is seen is the very state, as `check_state` has found.
        let all_seen = G::INFO
            .hidden_information
            .then(|| game.imagine(&game.view(&state, Viewer::Omniscient), Viewer::Omniscient, &mut choice));
        let (mut rehearsed_state, position) = (state.clone(), dice.position());
        let rehearsed = rehearse(game, &mut rehearsed_state, seat, mv.clone()).unwrap();
        let played = play(game, &mut state, seat, mv.clone(), &mut dice).unwrap();
        assert!(played.events.starts_with(&rehearsed.events), "a rehearsal shows other events");
        if !rehearsed.chance_pending {
            assert_eq!((&rehearsed_state, &rehearsed.events), (&state, &played.events));
        }
        if G::INFO.chance != Chance::DuringPlay {
            assert!(!rehearsed.chance_pending && dice.position() == position, "chance during play");
        }
        check_events(game, &played.events, count);
        check_move_shown(game, &mv, seat, count);

        if let Some(mut seen) = all_seen {
            let foreseen = play(game, &mut seen, seat, mv.clone(), &mut Dice::at(seed, position)).unwrap();
            let all = |state| game.view(state, Viewer::Omniscient);
            assert_eq!((all(&seen), &foreseen), (all(&state), &played), "whoever sees everything foresees all");
        }

        let mut resumed = Dice::at(seed, position);
        let repeated = play(game, &mut twin, seat, round_trip(&mv), &mut resumed).unwrap();
        assert_eq!((&twin, &repeated, resumed.position()), (&state, &played, dice.position()));
    }
    different
}

/// Who is to act; nobody once the match is over.
fn check_state<G: Game>(plan: &Plan<G>, state: &G::State, count: SeatCount, choice: &mut Dice) -> Seats {
    let game = &*plan.game;
    (plan.conserved)(state);
    let acting = match game.status(state) {
        Status::Chance => panic!("a chance step is left over"),
        Status::Over(outcome) => {
            check_outcome::<G>(&outcome, count);
            let all = game.view(state, Viewer::Omniscient);
            for viewer in viewers(count) {
                assert_eq!(game.view(state, viewer), all, "the match is over, but {viewer:?} does not see everything");
            }
            Seats::EMPTY
        }
        Status::ToAct(seats) => {
            assert!(!seats.is_empty() && seats.iter().all(|seat| count.contains(seat)), "{seats:?} are to act");
            seats
        }
    };
    for seat in count.seats() {
        let legal = game.legal_moves(state, seat);
        assert_eq!(legal.moves.is_empty(), !acting.contains(seat), "seat {seat} of {acting:?}");
        if acting.contains(seat) {
            absence::absent_move(game, state, seat);
        }
    }
    for viewer in viewers(count) {
        let view = round_trip(&game.view(state, viewer));
        let imagined = game.imagine(&view, viewer, choice);
        assert_eq!(game.view(&imagined, viewer), view, "{viewer:?} sees something else in what was imagined");
        assert_eq!(game.status(&imagined), game.status(state));
        (plan.conserved)(&stored_and_loaded(game, &imagined));
        if let Viewer::Seat(seat) = viewer {
            assert_eq!(game.legal_moves(&imagined, seat), game.legal_moves(state, seat));
        }
        if !G::INFO.hidden_information {
            assert_eq!(&imagined, state, "nothing is hidden, but a view does not tell everything");
        }
    }
    acting
}

fn check_outcome<G: Game>(outcome: &Outcome, count: SeatCount) {
    assert!(G::INFO.endings.contains(&&*outcome.ending), "{} is not among the endings", outcome.ending);
    assert!(outcome.standings.iter().map(|standing| standing.seat).eq(count.seats()), "{outcome:?}");
    assert!(outcome.standings.iter().any(|standing| standing.rank == 1), "nobody is first: {outcome:?}");
    round_trip(outcome);
}

/// A list that is no longer is checked in every state, a longer one in one state of eight; otherwise this many moves
/// of it are.
const SAMPLE: usize = 32;

/// The list is without duplicates and is what `check` accepts.
fn check_moves<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    legal: &LegalMoves<G::Move>,
    known: &mut Known<G>,
    choice: &mut Dice,
) {
    let whole = legal.moves.len() <= SAMPLE || choice.below(8) == 0;
    if whole {
        let mut listed = HashSet::new();
        for mv in &legal.moves {
            assert!(listed.insert(game.notation(mv)), "listed twice, or two are written the same: {mv:?}");
        }
    }
    for mv in some(&legal.moves, if whole { legal.moves.len() } else { SAMPLE }, choice) {
        assert_eq!(game.check(state, seat, &mv), Ok(()), "listed, but refused: {mv:?}");
        assert!(game.needs_turn(&mv), "listed, but needs no turn: {mv:?}");
        let written = game.written(&mv).map(|json| json.get().to_owned());
        assert!(written.is_none_or(|json| json == serde_json::to_string(&mv).unwrap()), "written otherwise: {mv:?}");
    }
    known.meet_some(game, &legal.moves, choice);
    for try_number in 0..32 {
        let Some(mv) = known.candidate(choice) else { continue };
        let is_listed = legal.moves.contains(&mv);
        match game.check(state, seat, &mv) {
            Ok(()) => {
                assert!(is_listed || !legal.complete || !game.needs_turn(&mv), "accepted, but not listed: {mv:?}")
            }
            Err(refusal) => {
                assert!(!is_listed);
                check_refusal(&known.rulebook, &refusal);
                if try_number < 4 {
                    let mut unchanged = state.clone();
                    let again = play(game, &mut unchanged, seat, mv.clone(), &mut choice.clone());
                    assert_eq!((again.err(), &unchanged), (Some(refusal), state));
                }
            }
        }
    }
    if let Some((mv, _)) = known.any(choice) {
        garble(game, &known.rulebook, &game.notation(mv), choice);
    }
}

/// Text that is almost a move is refused or is a move; it never panics.
fn garble<G: Game>(game: &G, rulebook: &Rulebook, notation: &str, choice: &mut Dice) {
    let mut text: Vec<char> = notation.chars().collect();
    for _ in 0..=choice.below(2) {
        let at = choice.index(text.len()).unwrap_or(0);
        let strange = ['0', '9', 'z', 'B', '-', ' ', ',', '\u{e9}', '\u{0}'][choice.below(9) as usize];
        match choice.below(3) {
            0 => text.insert(at, strange),
            1 if !text.is_empty() => text[at] = strange,
            _ => text.truncate(at),
        }
    }
    let text: String = text.into_iter().collect();
    match game.parse(&text) {
        Ok(mv) => assert_eq!(game.parse(&game.notation(&mv)), Ok(mv), "{text}"),
        Err(refusal) => check_refusal(rulebook, &refusal),
    }
}

/// What happens next: mostly a listed move, sometimes one that is not listed or needs no turn.
fn choose<G: Game>(
    plan: &Plan<G>,
    state: &G::State,
    acting: Seats,
    count: SeatCount,
    known: &mut Known<G>,
    choice: &mut Dice,
) -> Option<(Seat, G::Move)> {
    let game = &*plan.game;
    if acting.is_empty() {
        return None;
    }
    for seat in count.seats() {
        let mut further = (plan.further)(state, seat);
        choice.shuffle(&mut further);
        known.meet_some(game, &further, choice);
        for mv in further {
            let fits = acting.contains(seat) || !game.needs_turn(&mv);
            if fits && game.check(state, seat, &mv).is_ok() && choice.below(4) == 0 {
                if !game.needs_turn(&mv) {
                    check_signal(game, state, seat, &mv, choice);
                }
                return Some((seat, mv));
            }
        }
    }
    let seats: Vec<Seat> = acting.iter().collect();
    let seat = seats[choice.index(seats.len())?];
    let mut moves = game.legal_moves(state, seat).moves;
    let chosen = choice.index(moves.len())?;
    Some((seat, moves.swap_remove(chosen)))
}

/// A move that needs no turn leaves every open decision as it is.
fn check_signal<G: Game>(game: &G, state: &G::State, seat: Seat, mv: &G::Move, choice: &Dice) {
    let mut after = state.clone();
    play(game, &mut after, seat, mv.clone(), &mut choice.clone()).unwrap();
    let kind = serde_json::to_value(mv).unwrap()["type"].clone();
    assert!(game.signals().iter().any(|signal| kind == signal.kind), "{kind} is not in the vocabulary");
    let (Status::ToAct(before), Status::ToAct(now)) = (game.status(state), game.status(&after)) else {
        panic!("{mv:?} ends the match");
    };
    assert_eq!(before, now, "{mv:?} changes who is to act");
    for seat in before.iter() {
        assert_eq!(game.legal_moves(state, seat), game.legal_moves(&after, seat), "{mv:?} changes what is legal");
    }
}

fn check_events<G: Game>(game: &G, events: &[G::Event], count: SeatCount) {
    for event in events {
        round_trip(event);
        let json = serde_json::to_value(event).unwrap();
        assert_eq!(game.upgrade_event(json.clone()), json, "an event of today has an old name");
        assert_eq!(game.redact(event, Viewer::Omniscient).as_ref(), Some(event));
        for viewer in viewers(count) {
            let seen = game.redact(event, viewer);
            if !G::INFO.hidden_information {
                assert_eq!(seen.as_ref(), Some(event), "nothing is hidden, but an event is");
            }
            if let Some(seen) = seen {
                round_trip(&seen);
                assert_eq!(game.redact(&seen, viewer).as_ref(), Some(&seen), "redacted twice, it changes");
            }
        }
    }
}

fn check_move_shown<G: Game>(game: &G, mv: &G::Move, by: Seat, count: SeatCount) {
    for viewer in viewers(count) {
        let seen = game.redact_move(mv, by, viewer);
        if viewer.may_see(by) || !G::INFO.hidden_information {
            assert_eq!(seen.as_ref(), Some(mv), "{viewer:?} does not see the move of seat {by}");
        }
        if let Some(seen) = seen {
            round_trip(&seen);
        }
    }
}
