//! A tiny cooperative game, for tests only, with all that Contiguity lacks: hidden hands and a hidden deck, seats that
//! decide at the same time, chance during play, a signal that needs no turn, a legal list that is cut, one to five
//! seats.
//!
//! Each seat holds three of the cards 1 to 30. In each round all secretly play one or two cards; then these are shown,
//! a die is rolled, their sum and the die are added to the total, and hands are filled up from the deck. The team wins
//! with 20 a seat and round, 21 in the second version of the rules. Once a round each seat may signal whether it holds a card above 15, truly or not.

mod leaky;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::laws::laws;
use crate::rules::conformance::Plan;
use crate::rules::{
    Board, Chance, Dice, Game, GameInfo, Legal, LegalMoves, MalformedOptions, Mode, Outcome, Refusal, Seat, SeatCount,
    Seats, Signal, Status, Verdict, Viewer, read_options, tagged_union,
};

const RULES: &str = "\
# Fixture

By Sarsen.

## 1 Writing
`play 3,17` and `signal high`.

## 2 Rulings

### FX-01 How many rounds?
One to three.

### FX-02 May anything follow the last round?
No.

### FX-03 What is chosen?
One or more cards of the hand, once a round.

### FX-04 How often may a seat signal?
Once a round.
";

/// The game in one version of its rules: later ones ask for more in a round.
#[derive(Clone, Copy)]
pub(crate) struct Fixture<const VERSION: u32>;

/// The game in its first version.
pub(crate) const FIXTURE: Fixture<1> = Fixture;

const CARDS: u8 = 30;
const HAND: usize = 3;

/// One or two different cards, ascending.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub(crate) struct Cards(Vec<u8>);

impl TryFrom<Vec<u8>> for Cards {
    type Error = &'static str;
    fn try_from(mut cards: Vec<u8>) -> Result<Cards, &'static str> {
        cards.sort_unstable();
        let fits = matches!(cards[..], [a] if a > 0) || matches!(cards[..], [a, b] if 0 < a && a < b);
        if fits && cards.iter().all(|card| *card <= CARDS) { Ok(Cards(cards)) } else { Err("one or two cards") }
    }
}

impl From<Cards> for Vec<u8> {
    fn from(cards: Cards) -> Vec<u8> {
        cards.0
    }
}

tagged_union! {
    pub(crate) enum Move {
        "fixture_play" => Play(FixturePlay),
        "fixture_signal" => Signal(FixtureSignal),
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FixturePlay {
    #[schema(value_type = Vec<i64>)]
    cards: Cards,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FixtureSignal {
    high: bool,
}

tagged_union! {
    pub(crate) enum Event {
        "fixture_dealt" => Dealt(FixtureDealt),
        "fixture_chosen" => Chosen(FixtureChosen),
        "fixture_signalled" => Signalled(FixtureSignalled),
        "fixture_rolled" => Rolled(FixtureRolled),
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FixtureDealt {
    seat: Seat,
    hand: Option<Vec<u8>>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FixtureChosen {
    seat: Seat,
    #[schema(value_type = Option<Vec<i64>>)]
    cards: Option<Cards>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FixtureSignalled {
    seat: Seat,
    high: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FixtureRolled {
    shown: Vec<u8>,
    die: u8,
    total: u32,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = FixtureOptions)]
pub(crate) struct Options {
    rounds: u8,
}

impl Default for Options {
    fn default() -> Options {
        Options { rounds: 2 }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    rounds_left: u8,
    target: u32,
    total: u32,
    deck: Vec<u8>,
    shown: Vec<u8>,
    players: Vec<Player>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Player {
    hand: Vec<u8>,
    chosen: Option<Cards>,
    signal: Option<bool>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FixtureView {
    rounds_left: u8,
    target: u32,
    total: u32,
    deck_size: usize,
    deck: Option<Vec<u8>>,
    shown: Vec<u8>,
    players: Vec<FixturePlayerView>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FixturePlayerView {
    hand_size: usize,
    has_chosen: bool,
    hand: Option<Vec<u8>>,
    #[schema(value_type = Option<Vec<i64>>)]
    chosen: Option<Cards>,
    signal: Option<bool>,
}

impl State {
    fn count(&self) -> SeatCount {
        SeatCount::new(self.players.len() as u8).unwrap()
    }

    /// Fills the hands; events in seat order.
    fn deal(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        for seat in self.count().seats() {
            let hand = &mut self.players[seat.index()].hand;
            while hand.len() < HAND
                && let Some(card) = self.deck.pop()
            {
                hand.push(card);
            }
            hand.sort_unstable();
            events.push(Event::Dealt(FixtureDealt { seat, hand: Some(hand.clone()) }));
        }
        events
    }

    fn is_over(&self) -> bool {
        self.rounds_left == 0
    }
}

impl<const VERSION: u32> Game for Fixture<VERSION> {
    const INFO: GameInfo = GameInfo {
        id: "fixture",
        title: "Fixture",
        designer: "Sarsen",
        min_seats: 1,
        max_seats: 5,
        mode: Mode::Cooperative,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: VERSION,
        state_version: 1,
        notation: "`play 3,17`, `signal high`, `signal low`",
        summary: "Play high cards.",
        rules: RULES,
        endings: &["rich", "poor"],
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = FixtureView;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, options: &Options, _seats: SeatCount) -> Result<(), Refusal> {
        if (1..=3).contains(&options.rounds) {
            return Ok(());
        }
        Err(Refusal::new("rounds_out_of_range", "FX-01", Some("rounds"), "one to three rounds"))
    }

    fn setup(&self, options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        let mut deck: Vec<u8> = (1..=CARDS).collect();
        dice.shuffle(&mut deck);
        let player = Player { hand: Vec::new(), chosen: None, signal: None };
        let mut state = State {
            rounds_left: options.rounds,
            target: (19 + VERSION) * u32::from(options.rounds) * u32::from(seats.get()),
            total: 0,
            deck,
            shown: Vec::new(),
            players: vec![player; usize::from(seats.get())],
        };
        let events = state.deal();
        (state, events)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn status(&self, state: &State) -> Status {
        if state.is_over() {
            let rich = state.total >= state.target;
            return Status::Over(match rich {
                true => Outcome::shared("rich", state.count(), Verdict::Won),
                false => Outcome::shared("poor", state.count(), Verdict::Lost),
            });
        }
        let waiting: Seats =
            state.count().seats().filter(|seat| state.players[seat.index()].chosen.is_none()).collect();
        if waiting.is_empty() { Status::Chance } else { Status::ToAct(waiting) }
    }

    /// Single cards only; `check` accepts pairs too.
    fn legal_moves(&self, state: &State, seat: Seat) -> LegalMoves<Move> {
        match &state.players[seat.index()] {
            Player { chosen: None, hand, .. } if !state.is_over() => LegalMoves {
                moves: hand.iter().map(|card| Move::Play(FixturePlay { cards: Cards(vec![*card]) })).collect(),
                complete: hand.len() < 2,
            },
            _ => LegalMoves::none(),
        }
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        let player = &state.players[seat.index()];
        match mv {
            _ if state.is_over() => Err(Refusal::new("match_over", "FX-02", None, "it is over")),
            Move::Play(_) if player.chosen.is_some() => {
                Err(Refusal::new("already_chosen", "FX-03", None, "one choice a round"))
            }
            Move::Play(play) if !play.cards.0.iter().all(|card| player.hand.contains(card)) => {
                Err(Refusal::new("not_in_hand", "FX-03", Some("cards"), "play cards of your hand"))
            }
            Move::Signal(_) if player.signal.is_some() => {
                Err(Refusal::new("already_signalled", "FX-04", None, "one signal a round"))
            }
            _ => Ok(()),
        }
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        let seat = mv.seat();
        let player = &mut state.players[seat.index()];
        vec![match mv.mv() {
            Move::Play(FixturePlay { cards }) => {
                player.hand.retain(|card| !cards.0.contains(card));
                player.chosen = Some(cards.clone());
                Event::Chosen(FixtureChosen { seat, cards: Some(cards.clone()) })
            }
            Move::Signal(FixtureSignal { high }) => {
                player.signal = Some(*high);
                Event::Signalled(FixtureSignalled { seat, high: *high })
            }
        }]
    }

    fn resolve(&self, state: &mut State, dice: &mut Dice) -> Vec<Event> {
        let mut shown = Vec::new();
        for player in &mut state.players {
            shown.extend(player.chosen.take().into_iter().flat_map(|cards| cards.0));
            player.signal = None;
        }
        let die = dice.below(6) as u8 + 1;
        state.total += shown.iter().copied().map(u32::from).sum::<u32>() + u32::from(die);
        state.shown.extend(&shown);
        state.rounds_left -= 1;
        let mut events = vec![Event::Rolled(FixtureRolled { shown, die, total: state.total })];
        events.extend(state.deal());
        events
    }

    fn view(&self, state: &State, viewer: Viewer) -> FixtureView {
        let all = state.is_over() || viewer == Viewer::Omniscient;
        let players = state.count().seats().zip(&state.players).map(|(seat, player)| {
            let own = all || viewer.may_see(seat);
            FixturePlayerView {
                // A secret choice still counts as in hand, or its size would show.
                hand_size: player.hand.len() + player.chosen.as_ref().map_or(0, |cards| cards.0.len()),
                has_chosen: player.chosen.is_some(),
                hand: own.then(|| player.hand.clone()),
                chosen: player.chosen.clone().filter(|_| own),
                signal: player.signal,
            }
        });
        FixtureView {
            rounds_left: state.rounds_left,
            target: state.target,
            total: state.total,
            deck_size: state.deck.len(),
            deck: all.then(|| state.deck.clone()),
            shown: state.shown.clone(),
            players: players.collect(),
        }
    }

    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(match event {
            Event::Dealt(FixtureDealt { seat, .. }) if !viewer.may_see(*seat) => {
                Event::Dealt(FixtureDealt { seat: *seat, hand: None })
            }
            Event::Chosen(FixtureChosen { seat, .. }) if !viewer.may_see(*seat) => {
                Event::Chosen(FixtureChosen { seat: *seat, cards: None })
            }
            open => open.clone(),
        })
    }

    fn redact_move(&self, mv: &Move, by: Seat, viewer: Viewer) -> Option<Move> {
        (viewer.may_see(by) || matches!(mv, Move::Signal(_))).then(|| mv.clone())
    }

    fn imagine(&self, view: &FixtureView, _viewer: Viewer, dice: &mut Dice) -> State {
        let known = |card: &u8| {
            view.shown.contains(card)
                || view.deck.iter().flatten().any(|other| other == card)
                || view.players.iter().any(|player| {
                    player.hand.iter().flatten().any(|other| other == card)
                        || player.chosen.iter().any(|cards| cards.0.contains(card))
                })
        };
        let mut unknown: Vec<u8> = (1..=CARDS).filter(|card| !known(card)).collect();
        dice.shuffle(&mut unknown);
        let mut players = Vec::new();
        for player in &view.players {
            let (hand, chosen) = match &player.hand {
                Some(hand) => (hand.clone(), player.chosen.clone()),
                None => {
                    let mut hand = unknown.split_off(unknown.len() - player.hand_size);
                    let chosen = if player.has_chosen { hand.pop().map(|card| Cards(vec![card])) } else { None };
                    (hand, chosen)
                }
            };
            players.push(Player { hand, chosen, signal: player.signal });
        }
        State {
            rounds_left: view.rounds_left,
            target: view.target,
            total: view.total,
            deck: view.deck.clone().unwrap_or(unknown),
            shown: view.shown.clone(),
            players,
        }
    }

    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Play(FixturePlay { cards }) => {
                format!("play {}", cards.0.iter().map(u8::to_string).collect::<Vec<_>>().join(","))
            }
            Move::Signal(FixtureSignal { high }) => format!("signal {}", if *high { "high" } else { "low" }),
        }
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        let wrong = || Refusal::new("unknown_notation", "1", None, "play 3,17 or signal high");
        match text.trim().to_lowercase().split_once(' ').ok_or_else(wrong)? {
            ("signal", "high") => Ok(Move::Signal(FixtureSignal { high: true })),
            ("signal", "low") => Ok(Move::Signal(FixtureSignal { high: false })),
            ("play", cards) => {
                let cards: Result<Vec<u8>, _> = cards.split(',').map(str::parse).collect();
                let cards = Cards::try_from(cards.map_err(|_| wrong())?).map_err(|_| wrong())?;
                Ok(Move::Play(FixturePlay { cards }))
            }
            _ => Err(wrong()),
        }
    }

    fn malformed_rule(&self, json: &serde_json::Value) -> Option<&'static str> {
        matches!(json["type"].as_str()?, "fixture_play" | "fixture_signal").then_some("1")
    }

    fn needs_turn(&self, mv: &Move) -> bool {
        matches!(mv, Move::Play(_))
    }

    fn signals(&self) -> &'static [Signal] {
        &[Signal {
            kind: "fixture_signal",
            meaning: "Whether this seat holds a card above 15, truly or not.",
            notation: "signal high",
            values: &[],
            limit: 1,
            limit_scope: "each seat in each round",
        }]
    }

    fn board(&self) -> Board {
        Board { edition: None, zones: Vec::new(), places: Vec::new(), edges: Vec::new() }
    }
}

fn further(state: &State, seat: Seat) -> Vec<Move> {
    let hand = &state.players[seat.index()].hand;
    let pairs =
        hand.iter().zip(hand.iter().skip(1)).map(|(a, b)| Move::Play(FixturePlay { cards: Cards(vec![*a, *b]) }));
    pairs.chain([true, false].map(|high| Move::Signal(FixtureSignal { high }))).collect()
}

fn conserved(state: &State) {
    let chosen = state.players.iter().flat_map(|player| player.chosen.iter().flat_map(|cards| &cards.0));
    let hands = state.players.iter().flat_map(|player| &player.hand);
    let mut cards: Vec<u8> = state.deck.iter().chain(&state.shown).chain(hands).chain(chosen).copied().collect();
    cards.sort_unstable();
    assert!(cards.into_iter().eq(1..=CARDS), "a card is lost or doubled");
}

/// Hands and secret choices of the others and the deck. A choice may be of one card or two: only their sum with the hand
/// shows. Half of the time only the deck is shuffled.
fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
    let mut twin = state.clone();
    let hands_too = dice.below(2) == 0;
    let mut cards = std::mem::take(&mut twin.deck);
    let mut sizes = Vec::new();
    for seat in state.count().seats().filter(|seat| hands_too && !viewer.may_see(*seat)) {
        let player = &mut twin.players[seat.index()];
        let before = cards.len();
        cards.append(&mut player.hand);
        cards.extend(player.chosen.iter().flat_map(|chosen| &chosen.0));
        sizes.push((seat, cards.len() - before));
    }
    dice.shuffle(&mut cards);
    for (seat, size) in sizes {
        let player = &mut twin.players[seat.index()];
        player.hand = cards.split_off(cards.len() - size);
        if player.chosen.is_some() {
            let chosen = player.hand.split_off(size - 1 - dice.below(2).min(size as u32 - 1) as usize);
            player.chosen = Cards::try_from(chosen).ok();
        }
        player.hand.sort_unstable();
    }
    twin.deck = cards;
    twin
}

/// Own cards dealt, and what all have played.
fn lays_open(event: &Event, viewer: Viewer) -> bool {
    match event {
        Event::Dealt(dealt) => viewer.may_see(dealt.seat),
        event => matches!(event, Event::Rolled(_)),
    }
}

#[test]
fn the_fixture_keeps_the_laws() {
    laws(&Plan {
        game: std::sync::Arc::new(FIXTURE),
        options: (1..=3).map(|rounds| Options { rounds }).collect(),
        seats: (1..=5).collect(),
        matches: 300,
        longest: 40,
        conserved,
        further,
        redeal,
        lays_open,
    });
}
