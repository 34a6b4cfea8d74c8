//! Figures of pairs of windows, and how they are shown.

use std::fmt;

use super::load::Window;

/// A window of the service and the one of the bare handler that came next.
pub struct Pair {
    pub real: Window,
    pub bare: Window,
}

/// The measurements with one number of clients.
pub struct Figure {
    clients: usize,
    with_get: bool,
    pairs: Vec<Pair>,
}

impl Figure {
    pub const HEAD: &str =
        "what      clients | moves/s  bare/s | ratio (least-most)  | p50 ms   bare | p99 ms   bare | cpu us  bare";

    pub fn new(clients: usize, with_get: bool) -> Figure {
        Figure { clients, with_get, pairs: Vec::new() }
    }

    pub fn add(&mut self, pair: Pair) {
        self.pairs.push(pair);
    }

    fn sorted(&self, of: impl Fn(&Pair) -> f64) -> Vec<f64> {
        let mut values: Vec<f64> = self.pairs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values
    }

    fn median(&self, of: impl Fn(&Pair) -> f64) -> f64 {
        let values = self.sorted(of);
        values[values.len() / 2]
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratios = self.sorted(|pair| pair.real.rate() / pair.bare.rate());
        write!(
            f,
            "{:<9} {:>7} | {:>7.0} {:>7.0} | {:.2} ({:.2}-{:.2})    | {:>6.2} {:>6.2} | {:>6.2} {:>6.2} | {:>6.0} {:>5.0}",
            if self.with_get { "POST+GET" } else { "POST" },
            self.clients,
            self.median(|pair| pair.real.rate()),
            self.median(|pair| pair.bare.rate()),
            ratios[ratios.len() / 2],
            ratios[0],
            ratios[ratios.len() - 1],
            self.median(|pair| pair.real.percentile(0.5)),
            self.median(|pair| pair.bare.percentile(0.5)),
            self.median(|pair| pair.real.percentile(0.99)),
            self.median(|pair| pair.bare.percentile(0.99)),
            self.median(|pair| pair.real.work()),
            self.median(|pair| pair.bare.work()),
        )
    }
}
