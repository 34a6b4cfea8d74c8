//! Agents learn nothing of what is hidden: two matches that are alike but for that give the answers of every tool byte
//! by byte, while they are played on in moves of which the viewer is told the same.
//!
//! The two lie in two worlds with the same players, since they have one id, one seed and the same history. They are
//! forks, which begin with any state.

use std::collections::BTreeSet;
use std::sync::Arc;

use sarsen::ambient::{Ambient, Timestamp};
use sarsen::games::{AnyGame, AnyState, GameSettings, Games, ListForm, MoveInput};
use sarsen::ids::MatchId;
use sarsen::matches::model::fairness::ServerSeed;
use sarsen::matches::model::table_terms::TableTerms;
use sarsen::matches::model::terms::{Creation, PairedPlayer, Seated, StartMode, Terms, Visibility};
use sarsen::matches::table::live_match::LiveMatch;
use sarsen::rules::{Dice, DiceSeed, Seat, SeatCount, Status, Viewer};
use sarsen::store::{Listing, Stage, Stamp, WholeMatch};
use serde_json::{Value, json};

use crate::agents;
use crate::client::{Answer, Client};
use crate::tables::{Pair, WIN};
use crate::world::{Backend, World};

/// The parts of a match, in tenths, after which the two begin: in turn with the fewest seats and with the most.
const BEFORE: [usize; 4] = [1, 3, 5, 7];
/// A match is no longer than so many moves.
const LENGTH_MAX: usize = 200;
/// The most moves by which they are played on.
const MOVES: usize = 6;
/// The most moves of another seat that are tried for one of which the viewer is told the same.
const TRIED: usize = 12;
const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Two worlds, and those who play in both.
struct Twins {
    here: World,
    there: World,
    players: Vec<[Client; 2]>,
    /// The tools that were asked.
    asked: BTreeSet<String>,
}

/// A match in both worlds.
struct Twin {
    id: String,
    /// By seat.
    players: Vec<[Client; 2]>,
    /// Those who look on.
    viewer: [Client; 2],
}

/// The state after so many moves at random, at most, and their number.
fn state_after(game: &Arc<dyn AnyGame>, seats: SeatCount, moves: usize) -> (Box<dyn AnyState>, usize) {
    let [mut dice, mut choice] = [7, 8].map(|seed| Dice::new(DiceSeed([seed; 32])));
    let options = game.options(&Value::Null, seats).unwrap();
    let mut state = game.setup(&options, seats, &mut dice).unwrap().state;
    for made in 0..moves {
        let Status::ToAct(acting) = state.status() else { return (state, made) };
        let seat = acting.iter().nth(choice.index(acting.iter().count()).unwrap()).unwrap();
        let count = state.list(seat).count();
        let Ok(mv) = state.listed_move(seat, choice.index(count).unwrap()) else { panic!("a listed move") };
        state.play(seat, mv, &mut dice).unwrap();
    }
    (state, moves)
}

/// A fork that these players play, beginning with this state, and all that the store keeps of it.
fn begun(game: &Arc<dyn AnyGame>, id: &MatchId, people: &[Seated], state: &dyn AnyState) -> (LiveMatch, WholeMatch) {
    let (seats, at) = (state.seat_count(), Timestamp(Ambient::system().now().0));
    let forked_from = serde_json::from_value(json!({"match_id": id, "version": 1})).unwrap();
    let position = format!(r#"{{"sv":{},"gs":{}}}"#, game.info().state_version, state.store().unwrap().get());
    let terms = Terms {
        game: game.info().id.to_owned(),
        rules_version: game.info().rules_version,
        options: game.options(&Value::Null, seats).unwrap(),
        visibility: Visibility::Public,
        invite: None,
        start: StartMode::WhenFull,
        move_time_seconds: None,
        expires_in_seconds: None,
        bots: Vec::new(),
        hints: Some(true),
        undo: None,
        table: TableTerms { forked_from: Some(forked_from), ..TableTerms::default() },
        clock: None,
        rated: false,
    };
    let paired =
        people.iter().take(seats.get().into()).map(|player| PairedPlayer { player: player.clone(), entropy: None });
    let creation = Creation {
        terms: Arc::new(terms),
        seats,
        seat: None,
        creator: None,
        paired: paired.collect(),
        position: Some(serde_json::from_str(&position).unwrap()),
    };
    let told = serde_json::to_value(&creation).unwrap();
    let seed = ServerSeed::from_revealed(SEED).unwrap();
    let (mut live, _) = LiveMatch::create(Arc::clone(game), id.clone(), seed, creation, at).unwrap();
    let stamp = Stamp::from_number(1);
    let entry = json!({"f": 1, "v": 1, "t": 0, "p": told["position"], "w": told["paired"], "s": stamp});
    let players = live.stored.seats.iter().map(|seat| seat.player.clone().unwrap().id).collect();
    let whole = WholeMatch {
        id: id.clone(),
        version: 1,
        stamp,
        stored: live.encode().unwrap(),
        listing: Some(Listing { game: game.info().id.to_owned(), stage: Stage::Playing, public: true, players }),
        due: None,
        entries: vec![serde_json::to_vec(&entry).unwrap()],
        replays: Vec::new(),
    };
    (live, whole)
}

/// Returns all that `viewer` sees, in every form that says it.
fn seen(live: &LiveMatch, viewer: Viewer) -> (Vec<u8>, Vec<Seat>, Stage) {
    let mut view = Vec::new();
    live.write_view(viewer, &mut view).unwrap();
    (view, live.to_act().iter().collect(), live.stored.stage)
}

fn notations(live: &LiveMatch, seat: Seat) -> Vec<String> {
    serde_json::from_str(live.state().unwrap().legal_moves(seat, ListForm::Notation).unwrap().moves.get()).unwrap()
}

/// The match after a move.
fn after(live: &LiveMatch, seat: Seat, notation: &str) -> Option<LiveMatch> {
    let mut live = live.duplicate();
    let mv = live.game.read_move(&MoveInput::Notation(notation.to_owned())).ok()?;
    live.play(seat, mv, Timestamp(live.stored.updated_at.0 + 1000)).ok()?;
    Some(live)
}

/// Moves of one seat, one for each of both, after which `viewer` sees the same: its own are the same, those of others
/// are others if there are such. Both matches are then after them.
fn step(lives: &mut [LiveMatch; 2], viewer: Viewer, choice: &mut Dice) -> Option<(Seat, [String; 2])> {
    let acting: Vec<Seat> = lives[0].to_act().iter().collect();
    let seat = *acting.get(choice.index(acting.len())?)?;
    let [mut moves, mut others] = lives.each_ref().map(|live| notations(live, seat));
    choice.shuffle(&mut moves);
    choice.shuffle(&mut others);
    for made in moves.into_iter().take(TRIED) {
        let here = after(&lives[0], seat, &made)?;
        let others = others.iter().filter(|other| **other != made && viewer != Viewer::Seat(seat)).take(TRIED);
        for other in others.chain([&made]) {
            let Some(there) = after(&lives[1], seat, other) else { continue };
            if seen(&there, viewer) == seen(&here, viewer) {
                let moves = [made.clone(), other.clone()];
                *lives = [here, there];
                return Some((seat, moves));
            }
        }
    }
    None
}

/// The answer with the moments in it left out of the match that stands in it as JSON.
fn timeless(answer: &Answer) -> Value {
    fn without(json: &mut Value) {
        match json {
            Value::Object(fields) => {
                fields.retain(|name, _| !name.ends_with("_at"));
                fields.values_mut().for_each(without);
            }
            Value::Array(items) => items.iter_mut().for_each(without),
            _ => {}
        }
    }
    let text = answer.ok()["result"]["contents"][0]["text"].as_str().unwrap().to_owned();
    let mut json: Value = serde_json::from_str(&text).unwrap();
    without(&mut json);
    json
}

impl Twins {
    /// The answers of a tool here and there, which are the same.
    async fn ask(&mut self, of: &[Client; 2], tool: &str, arguments: &Value) -> Answer {
        self.asked.insert(tool.to_owned());
        let params = json!({"name": tool, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let [here, there] = both(of, &message).await;
        assert_eq!(here.text(), there.text(), "{tool} {arguments}");
        here
    }

    /// Everything that an agent may ask without a change of the match, as one who sees the same in both.
    async fn look(&mut self, twin: &Twin, game: &str, tried: &[String]) {
        let (id, viewer) = (&twin.id, &twin.viewer);
        let position = self.ask(viewer, "get_match", &json!({"match_id": id})).await.ok();
        let decision = &position["result"]["structuredContent"]["decision"];
        let open = decision["id"].as_str().unwrap_or("1.0");
        let mut asked = vec![
            ("list_games", json!({})),
            ("get_rules", json!({"game": game})),
            ("create_match", json!({"game": game, "seats": 9})),
            ("my_matches", json!({})),
            ("my_matches", json!({"my_turn": true})),
            ("join_match", json!({"match_id": id})),
            ("get_match", json!({"match_id": id, "as_seat": 0})),
            ("wait_for_turn", json!({"match_id": id, "seconds": 0})),
            ("make_move", json!({"match_id": id, "decision_id": "99.0", "choice": 1})),
            ("make_move", json!({"match_id": id, "decision_id": open, "choice": 9999})),
            ("make_move", json!({"match_id": id, "decision_id": open, "notation": "castle"})),
            ("undo", json!({"match_id": id, "to_version": 4_000_000_000_u32})),
            ("answer_draw", json!({"match_id": id, "accept": false})),
            ("get_record", json!({"match_id": id})),
        ];
        let kinds = decision["kinds"].as_array().into_iter().flatten().take(3);
        asked.extend(kinds.map(|kind| ("get_match", json!({"match_id": id, "kind": kind["kind"]}))));
        let illegal = tried
            .iter()
            .map(|notation| ("make_move", json!({"match_id": id, "decision_id": open, "notation": notation})));
        asked.extend(illegal);
        for (tool, arguments) in asked {
            self.ask(viewer, tool, &arguments).await;
        }
        let read = json!({"uri": format!("sarsen://matches/{id}")});
        let read = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": read});
        let [here, there] = both(viewer, &read).await;
        assert_eq!(timeless(&here), timeless(&there));
    }

    /// Makes the calls that change the match and end the comparison, and calls that are refused.
    async fn end(&mut self, twin: &Twin, acts: bool) {
        let named = json!({"match_id": twin.id});
        if acts {
            self.ask(&twin.viewer, "get_hint", &json!({"match_id": twin.id, "level": "easy"})).await;
            self.ask(&twin.viewer, "get_match", &named).await;
        }
        self.ask(&twin.viewer, "offer_draw", &named).await;
        let stranger = self.players.last().unwrap().clone();
        for tool in ["resign", "get_hint", "offer_draw"] {
            self.ask(&stranger, tool, &named).await;
        }
    }

    /// Plays two matches that differ in what `viewer` does not see. Answers how many positions were compared, and in how
    /// many of them the states or the moves before were others.
    async fn play(&mut self, game: &Arc<dyn AnyGame>, before: usize, viewer: Viewer) -> (usize, usize) {
        let few = before == BEFORE[0] || before == BEFORE[2];
        let seats = SeatCount::new(if few { game.info().min_seats } else { game.info().max_seats });
        let (seats, id) = (seats.unwrap(), MatchId::generate(&Ambient::system()));
        let (_, length) = state_after(game, seats, LENGTH_MAX);
        let (state, _) = state_after(game, seats, length * before / 10);
        let view = serde_json::from_str(state.view(viewer).unwrap().get()).unwrap();
        let imagined = game.imagine(&view, viewer, &mut [Dice::new(DiceSeed([9; 32]))]).unwrap();
        let people: Vec<Seated> = (self.players.iter())
            .map(|player| Seated::person(player[0].id.parse().unwrap(), "somebody".to_owned()))
            .collect();
        let (here, whole_here) = begun(game, &id, &people, &*state);
        let (there, whole_there) = begun(game, &id, &people, &*imagined[0]);
        self.here.store().restore_match(whole_here).await.unwrap();
        self.there.store().restore_match(whole_there).await.unwrap();
        let holder = |seat: Seat| here.stored.seats[seat.index()].player.as_ref().unwrap().id.to_string();
        let of = |id: String| self.players.iter().find(|player| player[0].id == id).unwrap().clone();
        let players: Vec<[Client; 2]> = seats.seats().map(|seat| of(holder(seat))).collect();
        let viewing = match viewer {
            Viewer::Seat(seat) => players[seat.index()].clone(),
            _ => self.players.last().unwrap().clone(),
        };
        let twin = Twin { id: id.to_string(), players, viewer: viewing };

        let mut choice = Dice::new(DiceSeed([before as u8; 32]));
        let (mut lives, mut compared, mut different) = ([here, there], 0, 0);
        let mut known = BTreeSet::new();
        loop {
            let states = lives.each_ref().map(|live| live.state().unwrap().store().unwrap().get().to_owned());
            (compared, different) = (compared + 1, different + usize::from(states[0] != states[1]));
            let own: Vec<String> = match viewer {
                Viewer::Seat(seat) if lives[0].to_act().contains(seat) => notations(&lives[0], seat),
                _ => Vec::new(),
            };
            let tried: Vec<String> = known.iter().filter(|notation| !own.contains(notation)).take(4).cloned().collect();
            self.look(&twin, game.info().id, &tried).await;
            let next = if compared > MOVES { None } else { step(&mut lives, viewer, &mut choice) };
            let Some((seat, moves)) = next else {
                self.end(&twin, !own.is_empty()).await;
                return (compared, different);
            };
            if lives[0].stored.stage != Stage::Playing {
                return (compared, different);
            }
            let own_move = viewer == Viewer::Seat(seat);
            let movers = &twin.players[seat.index()];
            let mut answers = Vec::new();
            for (client, notation) in movers.iter().zip(&moves) {
                let decision = client.read(&twin.id).await["decision"]["id"].take();
                let wish = json!({"match_id": twin.id, "decision_id": decision, "notation": notation});
                let (position, text) = agents::tool(client, "make_move", wish).await;
                answers.push((position, text));
            }
            assert!(!own_move || answers[0] == answers[1], "{answers:?}");
            known.extend(moves);
            let heard = async |client: &Client| -> Vec<Value> {
                client.events(&twin.id).await.into_iter().map(|mut told| told["event"].take()).collect()
            };
            if heard(&twin.viewer[0]).await != heard(&twin.viewer[1]).await {
                // It was told something that both may see: from there on they are two matches.
                return (compared, different);
            }
        }
    }
}

/// The answers to a message here and there.
async fn both(of: &[Client; 2], message: &Value) -> [Answer; 2] {
    let same = [("x-request-id", "one-request")];
    [agents::send(&of[0], message.clone(), &same).await, agents::send(&of[1], message.clone(), &same).await]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_tell_nothing_of_what_is_hidden() {
    let mut here = World::start(Backend::Embedded).await;
    let mut players = Vec::new();
    for name in ["Ann", "Ben", "Cora", "Dan", "Eve", "Finn"] {
        players.push(here.guest(name).await);
    }
    let open = Pair::of([players[0].clone(), players[1].clone()], json!({"move_time_seconds": null})).await;
    let there = here.twin().await;
    let bases = [here.newest_base(), there.newest_base()];
    let players = players.iter().map(|player| bases.each_ref().map(|base| player.at(base.clone()))).collect();
    let mut twins = Twins { here, there, players, asked: BTreeSet::new() };

    let (games, mut steps) = (Games::standard(GameSettings::default()), 0);
    for game in games.iter().filter(|game| game.info().hidden_information) {
        let (mut compared, mut different) = (0, 0);
        for before in BEFORE {
            for viewer in [Viewer::Seat(Seat::new(0).unwrap()), Viewer::Spectator] {
                let played = twins.play(game, before, viewer).await;
                (compared, different) = (compared + played.0, different + played.1);
            }
        }
        let begun = 2 * BEFORE.len();
        assert!(compared >= begun && different * 3 > compared, "{}: {different} of {compared}", game.info().id);
        eprintln!("{}: {compared} positions, {different} of them of other states", game.info().id);
        steps += compared - begun;
    }
    assert!(steps > 10, "played on by {steps} moves");

    // The other game hides nothing but what its players have laid down for later.
    let turn = twins.players[0][0].read(&open.id).await["match"]["to_act"][0].as_u64().unwrap() as usize;
    let by_seat: Vec<[Client; 2]> = twins.players[..2].to_vec();
    let (viewer, planner) = (by_seat[turn].clone(), by_seat[1 - turn].clone());
    let version = planner[1].read(&open.id).await["match"]["version"].take();
    let plan = json!({"version": version, "tree": [{"when": [WIN[0]], "then": [WIN[1]], "next": []}]});
    planner[1].put(&open.path("/plan"), plan).await.ok();
    let twin = Twin { id: open.id.clone(), players: by_seat, viewer };
    let unlike = ["29b-30b".to_owned(), "1a-2a".to_owned()];
    twins.look(&twin, "contiguity", &unlike).await;
    let decision = twin.viewer[0].read(&open.id).await["decision"]["id"].take();
    let other = json!({"match_id": open.id, "decision_id": decision, "choice": 1});
    twins.ask(&twin.viewer.clone(), "make_move", &other).await;
    twins.look(&twin, "contiguity", &unlike).await;
    twins.end(&twin, false).await;

    let listed = agents::ask(&twin.viewer[0], "tools/list", json!({})).await;
    let all = listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned());
    assert_eq!(twins.asked, all.collect());
    let Twins { mut here, mut there, .. } = twins;
    here.stop().await;
    there.stop().await;
}
