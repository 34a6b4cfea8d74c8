//! Settings of the pages for people.

use clap::{Args, ValueEnum};

use sarsen_http::settings::Playground;

/// Whether there is a page, or the address decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PageSwitch {
    /// Where only this machine can reach it.
    Auto,
    /// There is.
    On,
    /// There is not.
    Off,
}

/// The settings of pages as written.
#[derive(Args, Clone, Debug)]
pub struct PageFlags {
    /// Whether `/playground` shows developers a match and the requests behind it. With `auto` it does where --listen is a
    /// loopback address and no proxy stands in front (--trusted-proxies 0); behind a proxy on this machine that is not told
    /// there, set it to `off`.
    #[arg(long, env = "SARSEN_PLAYGROUND", default_value = "auto", value_enum)]
    pub playground: PageSwitch,
}

impl PageFlags {
    /// Whether there is a playground.
    pub(super) fn playground(&self) -> Playground {
        match self.playground {
            PageSwitch::Auto => Playground::Auto,
            PageSwitch::On => Playground::On,
            PageSwitch::Off => Playground::Off,
        }
    }
}
