//! The games on offer.

pub(crate) mod boards;
pub(crate) mod catalogue;
pub(crate) mod game;
pub(crate) mod glossary;
pub(crate) mod list;
pub(crate) mod options;
pub(crate) mod reads;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use catalogue::CatalogueAnswers;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(reads::list_games)
        .service(reads::get_game)
        .service(reads::get_rules)
        .service(reads::get_board)
        .service(reads::get_board_picture)
        .service(reads::get_glossary);
}
