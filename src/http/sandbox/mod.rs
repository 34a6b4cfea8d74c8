//! The sandbox over HTTP: positions that travel with the client.
//!
//! - [`forms`] is what is asked, [`items`] what is answered; [`work`] counts it and has it done.
//! - [`positions`], [`step`], [`playout`] and [`imagine`] are the operations.

pub mod forms;
pub(crate) mod imagine;
pub mod items;
pub(crate) mod playout;
pub(crate) mod positions;
pub(crate) mod step;
pub(crate) mod work;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(positions::create_positions)
        .service(step::step_positions)
        .service(playout::play_out)
        .service(imagine::imagine_positions);
}
