//! The sandbox over HTTP: positions that travel with the client.
//!
//! - [`forms`] is what is asked, [`items`] what is answered; [`work`] counts it and has it done.
//! - [`positions`], [`step`], [`playout`] and [`imagine`] are the operations.

pub mod forms;
pub mod imagine;
pub mod items;
pub mod playout;
pub mod positions;
pub mod step;
pub mod work;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(positions::create_positions)
        .service(step::step_positions)
        .service(playout::play_out)
        .service(imagine::imagine_positions);
}
