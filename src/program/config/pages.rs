//! Settings of the pages for people, and of the tools for agents.

use clap::{Args, ValueEnum};

use super::background::Switch;
use sarsen_http::settings::Playground;

/// The availability of a page: on, off, or decided by the address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PageSwitch {
    /// Only where this machine alone can reach it.
    Auto,
    /// The page is there.
    On,
    /// The page is absent.
    Off,
}

/// The settings of pages as written.
#[derive(Args, Clone, Debug)]
pub struct PageFlags {
    /// Show developers a match and the requests behind it, at `/playground`. With `auto` it does where --listen is a
    /// loopback address and no proxy is in front (--trusted-proxies 0); behind a proxy on this machine that
    /// --trusted-proxies does not count, set it to `off`.
    #[arg(long, env = "SARSEN_PLAYGROUND", default_value = "auto", value_enum)]
    pub playground: PageSwitch,
    /// Serve the games as tools of the Model Context Protocol, for agents on language models, at `/mcp`.
    #[arg(long, env = "SARSEN_MCP", default_value = "on", value_enum)]
    pub mcp: Switch,
}

impl PageFlags {
    /// Returns true if there are tools for agents.
    pub(super) fn mcp(&self) -> bool {
        self.mcp == Switch::On
    }

    /// Returns the availability of the playground.
    pub(super) fn playground(&self) -> Playground {
        match self.playground {
            PageSwitch::Auto => Playground::Auto,
            PageSwitch::On => Playground::On,
            PageSwitch::Off => Playground::Off,
        }
    }
}
