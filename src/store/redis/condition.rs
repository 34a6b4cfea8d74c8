//! The condition of the store: the memory of the servers can run out.

use super::RedisStore;
use super::client::read;
use crate::Result;

impl RedisStore {
    /// Returns the used share of the fullest server's memory, 0 to 1.
    pub(super) async fn memory_used(&self) -> Result<Option<f64>> {
        let mut fullest: Option<f64> = None;
        for master in self.shared.client.masters().await? {
            let question = redis::cmd("INFO").arg("memory").take();
            for answer in self.shared.client.ask_master(&master, vec![question]).await? {
                let used = used(&read::<String>(answer)?);
                fullest = [fullest, used].into_iter().flatten().reduce(f64::max);
            }
        }
        Ok(fullest)
    }
}

/// Returns the used share of a server's memory limit, by its own account; `None` without a limit.
fn used(info: &str) -> Option<f64> {
    let figure = |name: &str| {
        let figure = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        figure.trim().parse::<u64>().ok()
    };
    let (used, most) = (figure("used_memory")?, figure("maxmemory").filter(|most| *most > 0)?);
    Some(used as f64 / most as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_that_of_the_memory_that_a_server_may_take() {
        let info =
            |most: &str| format!("# Memory\r\nused_memory:512\r\nused_memory_human:512B\r\nmaxmemory:{most}\r\n");
        assert_eq!(used(&info("2048")), Some(0.25));
        assert_eq!(used(&info("0")), None);
        assert_eq!(used("# Memory\r\nused_memory:512\r\n"), None);
    }
}
