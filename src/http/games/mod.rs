//! The games on offer.

pub mod boards;
pub mod catalogue;
pub mod game;
pub mod glossary;
pub mod list;
pub(crate) mod options;
pub mod reads;

use utoipa_actix_web::service_config::ServiceConfig;

pub use catalogue::CatalogueAnswers;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(reads::list_games)
        .service(reads::get_game)
        .service(reads::get_rules)
        .service(reads::get_board)
        .service(reads::get_board_picture)
        .service(reads::get_glossary);
}
