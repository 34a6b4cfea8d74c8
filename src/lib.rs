#![doc = include_str!("../README.md")]

pub mod ambient;
pub mod app;
pub mod auth;
pub mod commands;
pub mod config;
pub mod games;
pub mod http;
pub mod ids;
pub mod matches;
pub mod players;
pub mod rules;
pub mod store;
pub mod telemetry;
pub mod text;
