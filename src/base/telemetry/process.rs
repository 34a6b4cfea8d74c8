//! The resources of the process, from `/proc`; none on systems without it.

use std::fs;
use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Resource, getrlimit};

/// The resources of the process.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Process {
    cpu_seconds: f64,
    threads: u64,
    /// Since 1970.
    started_seconds: f64,
    virtual_bytes: u64,
    resident_bytes: u64,
}

/// Registers what the process takes at this moment.
pub(super) fn register(registry: &mut Registry) {
    let stat = fs::read_to_string("/proc/self/stat").ok();
    let boot = fs::read_to_string("/proc/stat").ok();
    if let Some(process) = stat.zip(boot).and_then(|(stat, boot)| parse(&stat, &boot)) {
        let cpu = Counter::<f64, AtomicU64>::default();
        cpu.inc_by(process.cpu_seconds);
        registry.register("process_cpu_seconds", "Time on all cores, of the user and the system", cpu);
        tell(registry, "process_start_time_seconds", "When it began, since 1970", process.started_seconds);
        tell(registry, "process_resident_memory_bytes", "Memory that it has", process.resident_bytes as f64);
        tell(registry, "process_virtual_memory_bytes", "Memory that it has asked for", process.virtual_bytes as f64);
        tell(registry, "process_threads", "Its threads", process.threads as f64);
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        tell(registry, "process_open_fds", "Its open file descriptors", open.count() as f64);
    }
    if let Some(most) = getrlimit(Resource::Nofile).current {
        tell(registry, "process_max_fds", "File descriptors that it may have", most as f64);
    }
}

/// Registers a gauge of this value.
pub(super) fn tell(registry: &mut Registry, name: &str, help: &str, value: f64) {
    let gauge = Gauge::<f64, AtomicU64>::default();
    gauge.set(value);
    registry.register(name, help, gauge);
}

/// Reads `/proc/self/stat` with the help of `/proc/stat`, which knows when the system began.
fn parse(stat: &str, system: &str) -> Option<Process> {
    // The program's name is in parentheses and may contain any character, parentheses too.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    let boot: u64 = system.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    let ticks = clock_ticks_per_second() as f64;
    Some(Process {
        cpu_seconds: (field(14)? + field(15)?) as f64 / ticks,
        threads: field(20)?,
        started_seconds: boot as f64 + field(22)? as f64 / ticks,
        virtual_bytes: field(23)?,
        resident_bytes: field(24)? * page_size() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_words_are_read() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194304 9 0 0 0 150 50 0 0 20 0 12 0 1000 8192 3 18446744073709551615";
        let process = parse(stat, "cpu 1 2\nbtime 1700000000\nprocesses 5\n").unwrap();
        let ticks = clock_ticks_per_second() as f64;
        assert_eq!(process.cpu_seconds, 200.0 / ticks);
        assert_eq!(process.started_seconds, 1_700_000_000.0 + 1000.0 / ticks);
        assert_eq!((process.threads, process.virtual_bytes), (12, 8192));
        assert_eq!(process.resident_bytes, 3 * page_size() as u64);
        assert_eq!(parse("7 (sarsen) S 1", "btime 1"), None);
        assert_eq!(parse(stat, "cpu 1 2"), None);
    }
}
