//! Warnings of settings that weaken the configured durability. The check runs once, when the store is opened, and logs
//! them.
//!
//! Invariant: no finding keeps the service from starting, and each sentence says which data may be lost. A check of the
//! replicas' disks is deliberately absent, since a replica may join later.

use std::collections::{BTreeSet, HashMap};

use futures_util::future::join_all;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Pipeline, RedisResult, Role, Value};

use crate::access::Server;
use crate::config::{RedisConfig, RedisMode};
use crate::connector::Opened;
use crate::limit::within;
use crate::shards::view;

/// The settings that are checked.
const SETTINGS: [&str; 4] = ["appendonly", "appendfsync", "maxmemory-policy", "min-replicas-to-write"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Asked {
    /// The number of replicas that a commit waits for.
    replicas: u32,
    /// True if a replica can be promoted.
    fails_over: bool,
}

/// The state of a server that takes commits. Parts that may not be asked are missing.
#[derive(Clone, Default, Debug)]
struct Found {
    settings: Option<HashMap<String, String>>,
    /// The number of its replicas.
    replicas: Option<u32>,
}

/// Logs a warning of each setting that weakens the configured durability.
pub async fn warn(opened: &Opened, config: &RedisConfig) {
    let asked = Asked {
        replicas: config.replication.map_or(0, |wanted| wanted.replicas),
        fails_over: config.mode != RedisMode::Single,
    };
    let told = match config.mode {
        RedisMode::Cluster => within(config.connect_timeout, of_all_masters(&opened.server)).await,
        RedisMode::Single | RedisMode::Sentinel { .. } => {
            within(config.response_timeout, async {
                let mut found = ask(&mut opened.connection.clone()).await?;
                // Absent replicas can be promoted too, once they are back.
                let known = opened.tenure().and_then(|tenure| tenure.replicas());
                found.replicas = found.replicas.max(known);
                Ok(vec![found])
            })
            .await
        }
    };
    match told {
        Ok(all) => {
            let sentences: BTreeSet<String> = all.iter().flat_map(|found| concerns(asked, found)).collect();
            sentences.iter().for_each(|sentence| tracing::warn!("{sentence}"));
        }
        Err(error) => tracing::warn!(%error, "could not check whether Redis keeps what it is given"),
    }
}

/// Returns the state of each master of a cluster.
async fn of_all_masters(server: &Server) -> RedisResult<Vec<Found>> {
    let masters: BTreeSet<_> = view(server).await?.into_iter().map(|(_, _, master)| master).collect();
    let asked = join_all(masters.into_iter().map(|master| async move {
        let master = server.at(&master)?;
        let settings = AsyncConnectionConfig::new().set_response_timeout(None);
        ask(&mut master.connect(&settings).await?).await
    }));
    asked.await.into_iter().collect()
}

async fn ask(server: &mut MultiplexedConnection) -> RedisResult<Found> {
    let mut questions = Pipeline::with_capacity(1 + SETTINGS.len());
    questions.cmd("ROLE");
    for setting in SETTINGS {
        questions.cmd("CONFIG").arg("GET").arg(setting);
    }
    let answers = server.send_packed_commands(&questions, 0, questions.len()).await?;
    let mut answers = answers.into_iter().map(Value::extract_error);
    let role = answers.next().and_then(Result::ok).and_then(|role| redis::from_redis_value(role).ok());
    let replicas = match role {
        Some(Role::Primary { replicas, .. }) => u32::try_from(replicas.len()).ok(),
        _ => None,
    };
    let settings: Option<Vec<HashMap<String, String>>> =
        answers.map(|answer| answer.ok().and_then(|answer| redis::from_redis_value(answer).ok())).collect();
    Ok(Found { settings: settings.map(|each| each.into_iter().flatten().collect()), replicas })
}

/// Returns the warnings of a server.
fn concerns(asked: Asked, found: &Found) -> Vec<String> {
    let mut said = Vec::new();
    match &found.settings {
        Some(settings) => said.extend(of_settings(asked, settings)),
        None => said.push(format!(
            "Redis does not let us see its settings (CONFIG GET), so that it is not known whether what is acknowledged \
             survives; look yourself at {}",
            SETTINGS.join(", ")
        )),
    }
    let Asked { replicas: wanted, fails_over } = asked;
    if fails_over && wanted == 0 {
        let sentence = "no replicas are waited for (--redis-wait-replicas): a failover loses what was acknowledged in its \
                        last moments";
        said.push(sentence.to_owned());
    }
    match found.replicas {
        Some(there) if wanted > there => said.push(format!(
            "a Redis master has {there} replicas, and {wanted} are waited for (--redis-wait-replicas): nothing is \
             acknowledged until there are more"
        )),
        Some(there) if fails_over && wanted > 0 && wanted < there => said.push(format!(
            "a Redis master has {there} replicas, and only {wanted} are waited for (--redis-wait-replicas): a failover to \
             another one loses what that one lacks"
        )),
        _ => {}
    }
    said
}

fn of_settings(asked: Asked, settings: &HashMap<String, String>) -> Vec<String> {
    let value = |name| settings.get(name).map_or("", String::as_str);
    let mut said = Vec::new();
    let mut unless = |name, right: &str, otherwise| {
        if value(name) != right {
            said.push(format!("Redis has {name} {} and should have {right}: {otherwise}", value(name)));
        }
    };
    unless("appendonly", "yes", "what was acknowledged is lost when the server stops");
    if value("appendonly") == "yes" {
        unless("appendfsync", "always", "what was acknowledged in the last moments is lost when the machine stops");
    }
    unless("maxmemory-policy", "noeviction", "matches vanish when memory is short");
    if asked.replicas > 0 && value("min-replicas-to-write") == "0" {
        let sentence = "Redis has min-replicas-to-write 0 and should have at least 1 where replicas are waited for: a master \
                        that is cut off goes on taking what nobody will find again";
        said.push(sentence.to_owned());
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(replicas: u32, settings: [&str; 4]) -> Found {
        let pairs = SETTINGS.iter().zip(settings).map(|(name, value)| ((*name).to_owned(), value.to_owned()));
        Found { settings: Some(pairs.collect()), replicas: Some(replicas) }
    }

    const RIGHT: [&str; 4] = ["yes", "always", "noeviction", "1"];

    #[test]
    fn what_weakens_the_promise_is_said() {
        let asked = |replicas, fails_over| Asked { replicas, fails_over };
        let cases: [(Asked, Found, &[&str]); 11] = [
            (asked(0, false), found(0, RIGHT), &[]),
            (asked(0, false), found(0, ["yes", "always", "noeviction", "0"]), &[]),
            (asked(0, false), found(0, ["no", "everysec", "noeviction", "0"]), &["appendonly no"]),
            (asked(0, false), found(0, ["yes", "everysec", "noeviction", "0"]), &["appendfsync everysec"]),
            (asked(0, false), found(0, ["yes", "always", "allkeys-lru", "0"]), &["maxmemory-policy allkeys-lru"]),
            (asked(2, true), found(2, RIGHT), &[]),
            (asked(2, true), found(2, ["yes", "always", "noeviction", "0"]), &["min-replicas-to-write 0"]),
            (asked(1, true), found(2, RIGHT), &["only 1 are waited for"]),
            (asked(2, true), found(1, RIGHT), &["nothing is acknowledged"]),
            (asked(0, true), found(2, RIGHT), &["no replicas are waited for"]),
            (asked(1, true), Found::default(), &["CONFIG GET"]),
        ];
        for (asked, found, expected) in cases {
            let said = concerns(asked, &found);
            assert_eq!(said.len(), expected.len(), "{asked:?} {found:?}: {said:?}");
            assert!(said.iter().zip(expected).all(|(said, part)| said.contains(part)), "{said:?} {expected:?}");
        }
    }
}
