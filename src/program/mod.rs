//! The program: settings, the composition root and the commands.

pub mod app;
pub mod commands;
pub mod config;
