//! Sarsen: a headless game service. It runs tabletop games over HTTP for front ends, mobile apps and bots of other people.
//! It owns rules, hidden information, turns, clocks and history; a client draws. The README shows it from outside, and
//! CONTRIBUTING says how to change it. This page has the words, the crates and the path of a move.
//!
//! # Glossary
//!
//! Words that the field does not have, or uses in several senses:
//!
//! | word | means |
//! |---|---|
//! | seat | a player's position in a match, from 0; never a Hengebot's |
//! | live match | a match in memory, with the steps that it can take: [`matches::table::live_match::LiveMatch`] |
//! | stored match | the form in which the store keeps a match: [`matches::model::stored::StoredMatch`] |
//! | viewed match | a match as one reader may see it: [`matches::ViewedMatch`] |
//! | record | the export of a finished match, which anyone can verify: [`matches::export`] |
//! | state, view | all that a game knows, secrets included; the part that one viewer may know |
//! | step | one change of a match: it makes one version and one entry of the log |
//! | checkpoint | a state stored beside a log, from which later steps are replayed: [`store::Checkpoint`] |
//! | archive | the log of a finished match, packed into one value: [`store::Archived`] |
//! | stamp | 64 random bits that tell two steps of the same version apart after a failover: [`store::Stamp`] |
//! | cursor | the place of a follower in a log, with the stamp of the step there: [`matches::feed::cursor`] |
//! | resync | the event that a follower gets whose step a failover has undone or replaced: [`matches::feed::resync`] |
//! | decision | the question to one seat; its id is `<version at which it opened>.<seat>` |
//! | stage | open, playing, finished or aborted: [`store::Stage`] |
//! | barrier | a step that no undo goes behind: [`matches::model::track::Barrier`] |
//! | refusal, problem | why the rules forbid a move, with the number of the rule; a failed answer by RFC 9457 |
//! | place | a point of a board, or of the mat of a player |
//! | component set | replaceable cards and boards of Henge |
//! | chair | a place at Henge's table, of a person or a Hengebot |
//! | identity | an account at an outside issuer that is linked to a player: [`outside::Identity`] |
//! | ticket | a single-use value that replaces a token where a client cannot set headers; in a pool, a player's wish to play now |
//! | pool | tickets for one game and one preset, which the service pairs: [`pools`] |
//! | preset | a named time of play: [`matches::presets`] |
//! | player status | a ban, another name or a deletion of a player, known on every instance: [`player_status::PlayerStatus`] |
//! | due index | the moment of the next due work of each match: [`store::Schedule`] |
//! | outage | a time in which nobody was served: [`store::Instances`] |
//! | organiser | the creator of an unrated match with tags who has never sat there, and may settle it: [`matches::seats`] |
//! | exclusive match | one that is called off as another starts in which its creator plays: `matches::create` |
//! | reserved seat | a seat kept for an invited player until they join or decline: `matches::reserving` |
//! | fork, analysis | a match that begins with the position of another, to try how it could have gone on |
//! | bank | the time that a seat has left beyond a turn's delay: [`matches::model::clock`] |
//! | plan | moves that a player has laid down ahead; nobody else sees them: [`matches::plans`] |
//! | takeover | a bot that plays for a player whose time ran out, until they return |
//! | evaluator | what the bots of a game know beyond its rules: [`rules::Evaluator`] |
//! | category, board | the matches that are rated together; the players with a rating in it, in order: [`ratings`] |
//! | board of results | players alone by their best score, sets of players by their longest streak of wins: [`ratings`] |
//! | sealed position | an encrypted state with its dice, which a client holds: [`sandbox::SandboxPosition`] |
//!
//! # The crates
//!
//! Each crate imports only those above it; the compiler keeps that order. `tests/layers` checks purity and rings of files.
//!
//! | crate | modules | what is in it |
//! |---|---|---|
//! | `sarsen-rules` | [`rules`] | what a game is: dice, seats, outcomes, refusals, the only way to apply a move, and the laws of every game. Pure |
//! | `sarsen-base` | [`ids`], [`ambient`], [`text`], [`telemetry`] | ids, clock and entropy, the text of names, logs and counters, worker threads |
//! | `sarsen-games` | [`games`], [`pictures`], [`bots`] | five games, SVG, bots that see what a seat sees, and type erasure. Pure but for the threads of a search |
//! | `sarsen-redis` | | connections to Redis that know a wrong master, wait for replicas and follow Sentinels and clusters |
//! | `sarsen-store` | [`store`] | traits by concern, two backends, one contract suite. It knows bytes, not matches |
//! | `sarsen-accounts` | [`auth`], [`players`], [`outside`], [`player_status`] | tokens and keys, players and their devices, outside issuers, the status of players on every instance |
//! | `sarsen-matches` | [`mod@matches`] | values (`model`), a decider without I/O (`table`), what watchers read (`feed`), and the use cases |
//! | `sarsen-service` | [`background`], [`admin`], [`account_deletion`], [`notifications`], [`outbound`], [`pools`], [`ratings`], [`mod@sandbox`], [`transfer`] | background work, operators, deletion of accounts, webhooks and Web Push, outbound HTTP, pairing, ratings and boards, the sandbox, transfer and check |
//! | `sarsen-http` | [`http`] | handlers that extract, make one call and convert; the edge around every request; the OpenAPI document |
//! | `sarsen` | [`app`], [`config`], [`commands`] | the composition root, the settings, and what the program does beside serving |
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
//!    match look together, and each is told what that viewer may know ([`matches::feed::coalesced_reads`]).
//! 8. The answer is made for this caller: the events as the seat may know them, the view, and the next decision with its
//!    legal moves.
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
pub use sarsen_accounts::{auth, outside, people, player_status, players, programs};
pub use sarsen_base::{ambient, ids, telemetry, text};
pub use sarsen_games::{self as games, bots, pictures};
pub use sarsen_http as http;
pub use sarsen_matches as matches;
pub use sarsen_rules::{self as rules, tagged_union};
pub use sarsen_service::{
    account_deletion, admin, background, notifications, outbound, pools, ratings, sandbox, transfer,
};
pub use sarsen_store as store;
