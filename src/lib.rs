//! Sarsen: a headless game service. It runs tabletop games for other people's front ends, mobile apps and bots, over
//! HTTP alone; it owns rules, secrets, turns and history, and a client draws. The README shows it from outside; this
//! page is the way in for whoever works on it.
//!
//! # Glossary
//!
//! One word, one thing, in code, documents and logs alike:
//!
//! | word | means |
//! |---|---|
//! | match | what players play; it has an id, terms, seats and versions |
//! | seat | a player's position in a match, from 0; a person's, never a Hengebot's |
//! | live match | a match in memory with the steps that it can take: [`matches::table::live_match::LiveMatch`] |
//! | stored match | the form in which a match is stored: [`matches::model::stored::StoredMatch`] |
//! | viewed match | a match as one reader may see it, made by `seen_by(reader)`: [`matches::ViewedMatch`] |
//! | record | the export of a finished match, which anyone can verify: [`matches::export`] |
//! | state | what a game knows, secrets included; it never leaves the service before the end |
//! | view | what one viewer may know of a state |
//! | step | one change of a match, which makes one version and one entry of its log |
//! | log | the entries of a match, each what was done; what happened is made again from them: [`matches::model::log`] |
//! | checkpoint | a state beside a log, from which its steps are taken again: [`store::Checkpoint`] |
//! | archive | the log of a match that is over, packed into one value: [`store::Archives`] |
//! | stamp | 64 random bits that tell a step from another that makes the same version after a failover |
//! | glimpse | a match and its newest steps, as all who watch it on an instance have looked at them: [`matches::feed::shared_reads`] |
//! | cursor | where a follower has come to in a log, with the stamp of the step there: [`matches::feed::cursor`] |
//! | resync | what a follower is told whose step a failover has undone or replaced: [`matches::feed::resync`] |
//! | play | making a move; one function a layer, from the handler to the rules |
//! | decision | what one seat is asked; its id is `<version at which it opened>.<seat>` |
//! | stage | open, playing, finished or aborted: [`store::Stage`] |
//! | undo, takeback | a step that puts a match back to an earlier version: on one's own, or by consent: [`matches::undo`] |
//! | barrier | a step behind which no undo goes back: [`matches::undo::track::Barrier`] |
//! | event | something that happened, told to each viewer as that viewer may know it |
//! | refusal | why the rules do not allow something; it names the rule |
//! | problem | an answer of failure, by RFC 9457; `/problems` explains every code |
//! | place | a point of a board, or of the mat that each player has |
//! | vocabulary | the ids of places and of the glossary's entries: what moves, events, views and decisions name |
//! | rulebook | a game's published rules, whose sections and rulings refusals name |
//! | component set | Henge's replaceable cards and boards; laid out for one match it is the equipment |
//! | seating, chair | Henge's players, people and Hengebots, and the position of one of them at the table |
//! | ticket | a single-use value that stands for a token where a header cannot be sent |
//! | operator | whoever runs the service; their tokens stand for no player, and have scopes |
//! | mark | what every instance knows of a player who was renamed, banned or deleted: [`marks::Mark`] |
//! | audit | the list of what operators did: [`admin::AuditLog`] |
//! | due index | when which match is to be looked at: [`store::Schedule`] |
//! | outage | a time in which no instance lived: [`store::Instances`] |
//! | kept seat | one that is reserved for a player who is invited, until they join or decline: [`matches::reserving`] |
//! | rematch | the match that follows a finished one, of the same terms with seats rotated: [`matches::rematch`] |
//! | fork, analysis | a match of one's own that begins with the position of another, to try out how it could have gone on: [`matches::forking`] |
//! | clock, bank | the time that a match gives its seats; what a seat has left beyond a turn's delay: [`matches::model::clock`] |
//! | turn | from when a seat comes to act until it is not to act any more; it may be several decisions |
//! | pulse | whether an outage would be known by now to this instance: [`matches::pulse`] |
//! | plan | what a player will play if others move as they expect; kept beside the match, known to nobody else: [`matches::plans`] |
//! | takeover | a bot's playing for a player whose time has run out, until they are back |
//! | bot | a player that is not a person, of a level: easy, medium or hard; one that holds a seat is among the terms: [`matches::bots`] |
//! | claim | who thinks about a match for its bots, for seconds only: [`store::Schedule`] |
//! | evaluator | what a game's bots know beyond its rules: [`rules::Evaluator`] |
//! | sealed position | a state with its dice, encrypted, that a client holds: [`sandbox::SandboxPosition`] |
//! | single | one Redis server, as opposed to Sentinel and Cluster |
//!
//! # The rooms
//!
//! From the ground up; `tests/layers` reads the imports and fails where one points upwards.
//!
//! | room | what is in it |
//! |---|---|
//! | [`rules`] | what a game is, dice, seats, outcomes, refusals, the only door through which a move is applied, and the laws that every game keeps. Pure: no clock, no I/O, no ambient randomness |
//! | [`pictures`] | boards and positions as SVG: writing it, its colours, and what a game that draws itself implements. Pure |
//! | [`games`] | the games, the set that four of them share, the registry, and the one place where types are erased. Pure too |
//! | [`bots`] | players that are not people: they search with what each game's evaluator knows, and see no more than a seat |
//! | [`ids`], [`ambient`], [`text`] | prefixed ids; clock and entropy, real and fixed; what names may hold |
//! | [`store`] | what must outlive a request: one trait a concern, two backends with one floor plan and one suite of tests. It knows bytes, not matches |
//! | [`auth`] | tokens and keys |
//! | [`mod@sandbox`] | positions that travel with the client: what bots are trained and tested with |
//! | [`marks`] | what every instance knows of some players: other names, bans, who has left |
//! | [`mod@matches`], [`players`] | the use cases: who may do what, in which order it is judged, what is committed |
//! | [`jobs`] | work without a request: heartbeats, what is due in matches |
//! | [`leaving`] | how a player leaves for good |
//! | [`admin`] | the use cases of operators, each audited before it acts |
//! | [`http`] | handlers that extract, make one call and convert; the document that is generated from them; the edge around every request |
//! | [`telemetry`] | logs, and the counters that the rooms above are handed |
//! | [`config`] | every setting |
//! | [`upkeep`] | carrying everything from store to store or into files and back, and examining what is kept |
//! | [`app`], [`commands`] | the composition root, which the program, the tests and the benchmarks share; what the program does beside serving |
//!
//! # One move, from socket to log
//!
//! 1. `http::edge` gives the request an id, a deadline and a line in the log, and turns whatever goes wrong into a
//!    problem. `http::extract` authenticates the caller and reads path, query and body; a body that cannot be read is
//!    kept as such, because what is wrong with the match is told first.
//! 2. The handler in `http::matches::moves` makes one call, [`matches::Matches::play`].
//! 3. That takes the live match that this process knows, if it knows it, in whatever version: where the move is legal there,
//!    it goes on to step 5, and the commit finds out whether the match is still the same. In every other case, before
//!    anything is refused, it loads the stored match and, in the same trip, what the request's idempotency key has
//!    committed before. A match that the caller may not see is answered as if it did not exist.
//! 4. The errors are judged in one order: 401, 404, 403, a repeated request, a malformed move, `match_over`,
//!    `out_of_time`, `not_your_turn`, `stale_decision`, `illegal_move`.
//! 5. A copy of the live match takes the step. The game's `check` refuses or accepts; only [`rules::play()`] can make a
//!    legal move of an accepted one, `apply` makes it, and chance is resolved afterwards with the match's own dice, one
//!    chance step at a time. So a dry run is "apply without resolve" and cannot show a draw.
//! 6. One atomic, conditional commit writes the stored match, the log entry, the replay key, when something is due in the
//!    match next, and what lists and inboxes follow from. If another instance was quicker, a failover has replaced what
//!    the step was computed from, or the key has committed before, everything is done again from the load of step 3.
//! 7. Only what was committed is published: watchers are woken, in groups where they are many, and look; those of one
//!    match look together, and each is told what that viewer may know ([`matches::feed::shared_reads`]).
//! 8. The answer is made for this caller: the events as the seat may know them, the view, and the next decision with its
//!    legal moves.
//!
//! # To add …
//!
//! **A game**, in a folder of [`games`] or in a crate of your own. `tests/own_game` is the example: a small game with
//! hidden cards that is written, tried, served and played with nothing but what is public here.
//!
//! 1. Implement [`rules::Game`]. Options, view and the payloads of moves and events are plain structs; the unions of
//!    moves and of events are made by [`tagged_union!`]. All games of a service share one document, so the names of
//!    moves, events and schemas had better begin with the game's; two different things of one name keep the service from
//!    starting. A game has [`rules::MAX_SEATS`] seats at most.
//! 2. Write its complete rules beside it as Markdown, in the form that [`rules::Rulebook`] reads. Refusals name their
//!    sections and rulings.
//! 3. In its tests, describe what only its author knows (where each card is, what is hidden from whom) in a
//!    [`rules::conformance::Plan`] and hand that to [`games::laws::laws`].
//!    From its first release on, whatever changes what a move brings about, or whether it reveals something
//!    ([`rules::Secrets::reveals`], behind which no undo goes back), raises its `rules_version` (below): the log keeps moves
//!    alone, and what happened is made again from them.
//!    What it names beside places (cards, pieces) has an entry in its glossary, and so has each kind of decision: a law.
//! 4. Add it to [`games::Games::standard`], or from outside: `Games::standard(settings).with(MyGame)`, or
//!    [`games::Games::of`] for your games alone.
//! 5. Give it bots: `impl Evaluator for MyGame {}` and a line in [`bots::Bots::standard`], or
//!    `Bots::standard(settings).with(MyGame)` from outside. That gives weak ones, which know the rules alone; what good
//!    players know goes into the functions of [`rules::Evaluator`], in a file `evaluator.rs` of the game's folder, and
//!    [`bots::laws`] tries it.
//! 6. Implement [`pictures::Picture`]: in one line it is drawn as its board, and with more as handsomely as you like. It is
//!    given the view, so nothing hidden can get into a picture.
//! 7. Serve it: [`app::start`] and [`commands::serve`] take settings and games, [`app::start_with_bots`] bots too.
//!    Catalogue, rules, board, document, notation, records and their verification need nothing more, and
//!    `tests/api/every_game.rs` and the fuzzer find it by themselves. In this crate, the README's table and
//!    `tests/bench/rules.rs` name the games.
//!
//! **A version of a game's rules**, when the same seed and moves would no longer give the same match: raise `rules_version`
//! in the game's [`rules::GameInfo`], keep the version in the game value (`src/games/fixture` shows it), ask for it where the
//! rules differ, and have [`rules::Catalogue::earlier`] name the versions that are still played. Matches go on by the
//! version by which they began: they are read, played, told, drawn, exported and verified by it. First, with the
//! release before, make a fixture of a match and a record in which the difference shows;
//! `src/matches/tests/versions.rs` plays two versions. All versions share their types, so what is stored, moves, events
//! and views only grow. New matches and the sandbox know the newest alone. So do bots: in a match of an earlier version
//! they think as if it were of the newest, and make the best move found that the match's own rules accept
//! ([`matches::thinking`]).
//!
//! **An endpoint**: a handler with `#[utoipa::path]` in the resource's file in [`http`], mounted in that file's
//! `routes`; its problem codes stand in the attribute. `cargo run -- openapi > openapi/openapi.json` rewrites the
//! contract, whose diff is the review, and `openapi/CHANGELOG.md` tells clients. `tests/api/auth_table.rs` wants a row.
//!
//! **An operation for operators**: likewise, in `http::admin`; the handler takes `Admin` with the scope that it needs and
//! has the call audited first, for the use case in [`admin`] asks for the proof.
//!
//! **A setting**: a flag in [`config`], with unit and default in its help.
//!
//! **A metric**: a counter in [`telemetry`], handed to whoever counts. `tests/deploy` wants it on the board, and people a row
//! in `deploy/OPERATIONS.md`. A new operation of the store is timed once it stands in the list of `store::measured`.
//!
//! **A problem code**: a variant in `http::answer`, with its explanation.
//!
//! **Due work**, which is done at a moment without anybody asking: a task in [`matches::keeping`] that says from the match
//! alone when it is due, and what is done then, as a step of the match like any other. The commit moves the due index by
//! itself, and [`jobs`] looks.
//!
//! **What bots do** is due work that takes its time: [`matches::thinking`] finds it on a thread of
//! [`worker_pool`](sarsen_base::worker_pool), and `jobs::thinking` claims the match meanwhile.
//!
//! **A stored form**: raise the form, add a step to the chain of upgrades and a fixture of the old form.
//!
//! # Known quirks
//!
//! - Moves and events of all games form one flat union each, so a name means the same everywhere; `choose` is the one
//!   move whose properties differ by game.
//! - In a Redis cluster lists and inboxes live in other slots than matches and follow them within seconds; they are fed
//!   from an outbox that any instance works through. On one server they follow at once, unless something waits there.
//! - After an ending of the service's own (a resignation, say) no event tells what was hidden: the state is then open and
//!   is read again.
//! - A page of matches may be short, even empty, while more follow: what this release cannot read is left out.
//! - Notices of a deleted match stay in inboxes, and are skipped.
//! - Decoded matches and checked tokens are kept in memory, bounded. A kept match may be old; the store is asked, or told in
//!   the commit, which one it is, before anything is answered from it.

mod program;

pub use program::{app, commands, config};
pub use sarsen_accounts::{auth, marks, players};
pub use sarsen_base::{ambient, ids, telemetry, text};
pub use sarsen_games::{self as games, bots, pictures};
pub use sarsen_http as http;
pub use sarsen_matches as matches;
pub use sarsen_rules::{self as rules, tagged_union};
pub use sarsen_service::{admin, jobs, leaving, sandbox, upkeep};
pub use sarsen_store as store;
