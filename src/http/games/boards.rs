//! The boards of a game, and which of them is asked for.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::answer::codes::Code;
use crate::answer::etag::{CachedAnswer, digest_of};
use crate::answer::problem::Problem;
use crate::extract::picture::{SpaceList, yes};
use sarsen_games::AnyGame;
use sarsen_games::pictures::{DrawnPart, Layout, Theme};
use sarsen_rules::Board;

/// The board to read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardQuery {
    /// Digest of the edition, as in the glossary and in the options of a match. If left out: the edition that new
    /// matches get.
    #[param(value_type = Option<String>, nullable = false, pattern = "^[0-9a-f]{16}$")]
    pub(super) edition: Option<EditionDigest>,
    /// The side of the board that lies up, as the views say it (`side` in Henge). If left out: that for the fewest
    /// players.
    #[param(nullable = false)]
    pub(super) side: Option<String>,
}

/// A digest of an edition, in form.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct EditionDigest(pub(super) String);

impl TryFrom<String> for EditionDigest {
    type Error = &'static str;
    fn try_from(text: String) -> Result<EditionDigest, &'static str> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match text.len() == 16 && text.bytes().all(is_digit) {
            true => Ok(EditionDigest(text)),
            false => Err("an edition is named by 16 hexadecimal digits, small letters"),
        }
    }
}

/// The drawing options of an empty board.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardPictureQuery {
    /// Digest of the edition, as in the glossary and in the options of a match. If left out: the edition that new
    /// matches get.
    #[param(value_type = Option<String>, nullable = false, pattern = "^[0-9a-f]{16}$")]
    pub(super) edition: Option<EditionDigest>,
    /// The side of the board that lies up, as the views say it (`side` in Henge). If left out: that for the fewest
    /// players.
    #[param(nullable = false)]
    pub(super) side: Option<String>,
    /// The colours: those that the reader's device prefers, or one of the two.
    #[serde(default)]
    #[param(default = "auto")]
    pub(super) theme: Theme,
    /// The arrangement, by the room that the picture has.
    #[serde(default)]
    #[param(default = "wide")]
    pub(super) layout: Layout,
    /// The only part to draw. If left out: all of them.
    #[param(nullable = false)]
    pub(super) part: Option<DrawnPart>,
    /// Writes ids on the board. A narrow picture has no room for them.
    #[serde(default = "yes")]
    #[param(default = true)]
    pub(super) coordinates: bool,
    /// Spaces to point out: up to 20 ids of the board, separated by commas.
    #[param(value_type = Option<String>, nullable = false, example = "29b,5b")]
    pub(super) highlight: Option<SpaceList>,
}

/// A board as it is answered.
pub(super) struct BoardAnswer {
    digest: Option<String>,
    pub(super) side: Option<String>,
    pub(super) answer: CachedAnswer,
    /// The board's part of the entity tags of its pictures.
    pub(super) tag: String,
    pub(super) board: Board,
}

impl BoardAnswer {
    fn of(board: Board) -> Result<BoardAnswer, serde_json::Error> {
        let answer = CachedAnswer::json(&board)?;
        Ok(BoardAnswer {
            digest: board.edition.as_ref().map(|edition| edition.digest.clone()),
            side: board.side.clone(),
            tag: digest_of(answer.bytes()),
            answer,
            board,
        })
    }
}

/// The boards of a game. The first is that of new matches; those of an edition stand together, the side for the fewest
/// players first.
pub(super) struct Boards(Vec<BoardAnswer>);

impl Boards {
    /// Those of this game.
    pub(super) fn of(game: &dyn AnyGame) -> Result<Boards, serde_json::Error> {
        let mut boards = game.boards();
        let offered = game.board().edition;
        // The order is stable.
        boards.sort_by_key(|board| board.edition != offered);
        boards.into_iter().map(BoardAnswer::of).collect::<Result<_, _>>().map(Boards)
    }

    /// The board of an edition, that of new matches if none is named, with this side up, or the first.
    ///
    /// # Errors
    /// `edition_not_found`, and `invalid_parameter` for a side that its boards have not.
    pub(super) fn find(&self, edition: Option<&EditionDigest>, side: Option<&str>) -> Result<&BoardAnswer, Problem> {
        let wanted = edition.map(|edition| edition.0.as_str());
        let offered = self.0.first().and_then(|board| board.digest.as_deref());
        let digest = wanted.or(offered);
        let mut sides = self.0.iter().filter(|board| board.digest.as_deref() == digest).peekable();
        if sides.peek().is_none() {
            let digest = digest.unwrap_or_default();
            let missing = format!("no edition here has the digest {digest}");
            return Err(Problem::new(Code::EditionNotFound).detail(missing));
        }
        let all: Vec<&BoardAnswer> = sides.collect();
        let one = match side {
            None => all.first(),
            some => all.iter().find(|board| board.side.as_deref() == some),
        };
        one.copied().ok_or_else(|| {
            let mut known: Vec<&str> = all.iter().filter_map(|board| board.side.as_deref()).collect();
            known.sort_unstable();
            let detail = match known[..] {
                [] => "the board of this game has one side".to_owned(),
                _ => format!("`side` is one of {}", known.join(", ")),
            };
            Problem::new(Code::InvalidParameter).field("side").detail(detail)
        })
    }
}
