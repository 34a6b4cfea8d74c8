//! The games on offer.

pub mod boards;
pub mod catalogue;
pub mod game;
pub mod glossary;
pub mod list;
mod options;

use utoipa_actix_web::service_config::ServiceConfig;

pub use catalogue::Catalogue;

/// Mounts the resource.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(list::list_games)
        .service(game::get_game)
        .service(game::get_rules)
        .service(boards::get_board)
        .service(boards::get_board_picture)
        .service(glossary::get_glossary);
}
