//! Requests of the sandbox.

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::answer::shapes::{Move, View};
use crate::extract::params::Within;
use crate::matches::moves::NOTATION_MAX;
use sarsen_games::MoveInput;
use sarsen_games::bots::Level;
use sarsen_rules::{DICE_SEED_BYTES, DiceSeed, Seat, SeatCount};
use sarsen_service::sandbox::imagine::ImagineOrder;
use sarsen_service::sandbox::playout::PlayoutOrder;
use sarsen_service::sandbox::set_up::SetUpOrder;
use sarsen_service::sandbox::step::{Choice, StepOrder};

/// The most positions, or playouts, that one request can ask for.
pub(crate) const POSITIONS_MAX: u32 = 64;
/// The most steps of one request.
pub const STEPS_MAX: usize = 256;

/// The most moves of a playout: more than any game has.
const PLAYOUT_MOVES_MAX: u32 = 10_000;

/// The number of positions.
type Count = Within<1, POSITIONS_MAX>;

/// The seats whose views are shown.
///
/// - `actor`: Those of the seats that have something to decide, each its own.
/// - `all`: Those of all seats.
/// - `none`: None.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SandboxViews {
    #[default]
    Actor,
    All,
    None,
}

/// The form in which legal moves are listed.
///
/// - `notation`: As texts in the game's notation.
/// - `full`: As JSON objects.
/// - `count`: Only how many there are.
/// - `none`: Not at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SandboxLegalMoves {
    #[default]
    Notation,
    Full,
    Count,
    None,
}

/// The content that is shown of each position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SandboxForms {
    pub(crate) views: SandboxViews,
    /// The form in which legal moves are listed.
    pub(crate) legal: SandboxLegalMoves,
}

/// The seed of dice: 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct SeedText(DiceSeed);

impl TryFrom<String> for SeedText {
    type Error = &'static str;
    fn try_from(text: String) -> Result<SeedText, &'static str> {
        const WRONG: &str = "a seed is 64 hexadecimal digits";
        if text.len() != 2 * DICE_SEED_BYTES {
            return Err(WRONG);
        }
        let mut seed = [0; DICE_SEED_BYTES];
        hex::decode_to_slice(text, &mut seed).map_err(|_| WRONG)?;
        Ok(SeedText(DiceSeed(seed)))
    }
}

/// Positions to set up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreatePositions {
    /// The game's id.
    #[schema(examples("contiguity"))]
    game: String,
    /// The game's options; what is left out has its default.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// The number of seats; if left out, the fewest that the game allows.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 5)]
    seats: Option<SeatCount>,
    /// The seed of the first position's dice, 64 hexadecimal digits; null for a random one. That of another position of the
    /// request follows from it.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-fA-F]{64}$")]
    seed: Option<SeedText>,
    /// The number of positions.
    #[serde(default)]
    #[schema(value_type = u32, minimum = 1, maximum = 64, default = 1)]
    count: Count,
    /// The seats whose views are shown.
    #[serde(default)]
    #[schema(default = "actor")]
    views: SandboxViews,
    /// The form in which legal moves are listed.
    #[serde(default)]
    #[schema(default = "notation")]
    legal: SandboxLegalMoves,
}

impl CreatePositions {
    /// Splits the request into the order and the forms of its answer.
    pub(crate) fn order(self) -> (SetUpOrder, SandboxForms) {
        let order = SetUpOrder {
            game: self.game,
            options: Value::Object(self.options),
            seats: self.seats,
            seed: self.seed.map(|seed| seed.0),
            count: self.count.get() as usize,
        };
        (order, SandboxForms { views: self.views, legal: self.legal })
    }
}

/// A view to imagine positions of.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImagineRequest {
    /// The game's id.
    #[schema(examples("absolution"))]
    game: String,
    /// The view: of a position, or of any match of these rules.
    #[schema(value_type = View)]
    view: Value,
    /// The seat whose view it is; null for the view of somebody without a seat.
    #[serde(default)]
    seat: Option<Seat>,
    /// The number of positions.
    #[serde(default)]
    #[schema(value_type = u32, minimum = 1, maximum = 64, default = 1)]
    count: Count,
    /// The seed of the first position's dice, 64 hexadecimal digits; null for a random one. What the view does not tell is
    /// drawn with them, and what chance decides afterwards. That of another position of the request follows from it.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-fA-F]{64}$")]
    seed: Option<SeedText>,
    /// The seats whose views are shown.
    #[serde(default)]
    #[schema(default = "actor")]
    views: SandboxViews,
    /// The form in which legal moves are listed.
    #[serde(default)]
    #[schema(default = "notation")]
    legal: SandboxLegalMoves,
}

impl ImagineRequest {
    /// Splits the request into the order and the forms of its answer.
    pub(crate) fn order(self) -> (ImagineOrder, SandboxForms) {
        let order = ImagineOrder {
            game: self.game,
            view: self.view,
            seat: self.seat,
            seed: self.seed.map(|seed| seed.0),
            count: self.count.get() as usize,
        };
        (order, SandboxForms { views: self.views, legal: self.legal })
    }
}

/// A move from a position.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SandboxStep {
    /// The position, as it was answered.
    #[schema(examples("sp1.mHW4hZ9tQmJ0"))]
    position: String,
    /// The seat that moves.
    seat: Seat,
    /// The move as an object; exactly one of `move`, `notation` and `index` is given.
    #[serde(default)]
    #[schema(value_type = Option<Move>)]
    r#move: Option<Value>,
    /// The move in the game's notation.
    #[serde(default)]
    #[schema(examples("29b-5b"), min_length = 1, max_length = 1000)]
    notation: Option<String>,
    /// The move by its place in the list of the seat's legal moves, from 0.
    #[serde(default)]
    #[schema(value_type = Option<u32>, maximum = 9999)]
    index: Option<Within<0, 9999>>,
}

/// Moves from positions, each for itself.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SandboxSteps {
    /// The steps, 256 at most.
    #[schema(min_items = 1, max_items = 256)]
    steps: Vec<SandboxStep>,
    /// The seats whose views are shown.
    #[serde(default)]
    #[schema(default = "actor")]
    views: SandboxViews,
    /// The form in which legal moves are listed.
    #[serde(default)]
    #[schema(default = "notation")]
    legal: SandboxLegalMoves,
}

impl SandboxSteps {
    /// Splits the request into the orders and the forms of their answer.
    ///
    /// # Errors
    /// `invalid_request` for too many steps or none, and for a step that names its move in no way or in several.
    pub(crate) fn order(self) -> Result<(Vec<StepOrder>, SandboxForms), Problem> {
        if !(1..=STEPS_MAX).contains(&self.steps.len()) {
            let detail = format!("a request has 1 to {STEPS_MAX} steps");
            return Err(Problem::new(Code::InvalidRequest).path("steps").detail(detail));
        }
        let orders = self.steps.into_iter().enumerate().map(|(place, step)| step.order(place));
        Ok((orders.collect::<Result<_, _>>()?, SandboxForms { views: self.views, legal: self.legal }))
    }
}

/// Positions to play on from.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SandboxPlayouts {
    /// The positions, as they were answered. With `count` there are at most 64 playouts.
    #[schema(min_items = 1, max_items = 64, examples("sp1.mHW4hZ9tQmJ0"))]
    positions: Vec<String>,
    /// The number of playouts from each position.
    #[serde(default)]
    #[schema(value_type = u32, minimum = 1, maximum = 64, default = 1)]
    count: Count,
    /// The most moves of a playout; null to play to the end of the game.
    #[serde(default)]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 10000)]
    moves: Option<Within<1, PLAYOUT_MOVES_MAX>>,
    /// The strength of the bots that play on every seat, each by what that seat sees; null for random moves.
    #[serde(default)]
    level: Option<Level>,
    /// The seed of the first playout, 64 hexadecimal digits; null for a random one. Those of the others follow from it.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-fA-F]{64}$")]
    seed: Option<SeedText>,
    /// The seats whose views are shown.
    #[serde(default = "no_views")]
    #[schema(default = "none")]
    views: SandboxViews,
    /// The form in which legal moves are listed.
    #[serde(default = "no_legal_moves")]
    #[schema(default = "none")]
    legal: SandboxLegalMoves,
}

fn no_views() -> SandboxViews {
    SandboxViews::None
}

fn no_legal_moves() -> SandboxLegalMoves {
    SandboxLegalMoves::None
}

impl SandboxPlayouts {
    /// Splits the request into the order and the forms of its answer.
    ///
    /// # Errors
    /// `invalid_request` for too many playouts or none.
    pub(crate) fn order(self) -> Result<(PlayoutOrder, SandboxForms), Problem> {
        let count = self.count.get() as usize;
        if !(1..=POSITIONS_MAX as usize).contains(&(self.positions.len() * count)) {
            let detail = format!("a request has 1 to {POSITIONS_MAX} playouts");
            return Err(Problem::new(Code::InvalidRequest).path("positions").detail(detail));
        }
        let order = PlayoutOrder {
            positions: self.positions,
            count,
            moves: self.moves.map_or(PLAYOUT_MOVES_MAX, Within::get) as usize,
            level: self.level,
            seed: self.seed.map(|seed| seed.0),
        };
        Ok((order, SandboxForms { views: self.views, legal: self.legal }))
    }
}

impl SandboxStep {
    fn order(self, place: usize) -> Result<StepOrder, Problem> {
        let invalid = |field: &str, detail: &str| {
            Problem::new(Code::InvalidRequest).path(format!("steps[{place}]{field}")).detail(detail)
        };
        let choice = match (self.r#move, self.notation, self.index) {
            (Some(json), None, None) => Choice::Move(MoveInput::Json(json)),
            (None, Some(text), None) if (1..=NOTATION_MAX).contains(&text.chars().count()) => {
                Choice::Move(MoveInput::Notation(text))
            }
            (None, Some(_), None) => return Err(invalid(".notation", "a notation has 1 to 1000 characters")),
            (None, None, Some(index)) => Choice::Index(index.get() as usize),
            _ => return Err(invalid("", "exactly one of `move`, `notation` and `index` is given")),
        };
        Ok(StepOrder { position: self.position, seat: self.seat, choice })
    }
}
