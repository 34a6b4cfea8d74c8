//! Board topology as data: what a front end needs to draw a board and a bot to walk it.
//!
//! Invariant: ids are unique, and every edge joins two listed places. Coordinates lie on the unit disc of their surface:
//! the centre is (0, 0), x grows to the right, y grows upwards, 12 o'clock is (0, 1).

use serde::Serialize;
use utoipa::ToSchema;

use super::edition::Edition;

/// A game's board.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Board {
    /// The edition of the components it belongs to; null for games that have only one.
    #[schema(required)]
    pub edition: Option<Edition>,
    /// The side of the board that lies up, as in the views; null for games whose board has one side.
    #[schema(required)]
    pub side: Option<String>,
    /// Groups of places, such as a row or a ring.
    pub zones: Vec<Zone>,
    /// The places, in board order.
    pub places: Vec<Place>,
    /// The pairs of places that touch, each pair once.
    pub edges: Vec<Edge>,
}

/// The surface that places lie on.
///
/// - `board`: The board, which there is once.
/// - `mat`: The mat, of which each player has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// The board, which there is once.
    Board,
    /// The mat, of which each player has one.
    Mat,
}

/// A named group of places.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Zone {
    /// Stable id, such as `row_a`.
    #[schema(examples("row_a"))]
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// The surface of its places; each surface has coordinates of its own.
    pub surface: Surface,
}

impl Zone {
    /// A zone of the board.
    pub fn of_board(id: impl Into<String>, title: impl Into<String>) -> Zone {
        Zone { id: id.into(), title: title.into(), surface: Surface::Board }
    }

    /// A zone of the mats.
    pub fn of_mat(id: impl Into<String>, title: impl Into<String>) -> Zone {
        Zone { id: id.into(), title: title.into(), surface: Surface::Mat }
    }
}

/// One place on the board.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Place {
    /// The id that moves, views and notation use, such as `29b`.
    #[schema(examples("29b"))]
    pub id: String,
    /// The zone it belongs to.
    pub zone: String,
    /// Its kind among the places of its zone, such as `lintel`, where they differ.
    #[schema(required)]
    pub kind: Option<String>,
    /// Printed number, where it has one.
    #[schema(required, maximum = 99)]
    pub number: Option<u8>,
    /// Printed colour, where it has one.
    #[schema(required)]
    pub colour: Option<String>,
    /// Horizontal position on the unit disc of its surface, -1 to 1, to the right.
    pub x: f64,
    /// Vertical position on the unit disc of its surface, -1 to 1, upwards.
    pub y: f64,
}

/// Two places that touch.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Edge {
    /// Id of the place at one end.
    pub from: String,
    /// Id of the place at the other end.
    pub to: String,
    /// The movement points that it costs to cross, in either direction, in games that count them.
    #[schema(required, maximum = 99)]
    pub cost: Option<u8>,
}
