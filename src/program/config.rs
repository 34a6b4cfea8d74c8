//! Every setting: flag, environment variable, unit, default.
//!
//! Invariant: [`Flags`] is what was written, [`Settings`] what it means; only the latter is used, and it cannot be
//! wrong. A wrong setting is refused with one sentence that names it and never repeats a secret.

mod admin;
mod background;
mod bots;
mod bounds;
mod command;
mod components;
mod invites;
mod notifications;
mod operation;
mod pages;
mod sign_in;
mod store;
mod tools;
mod wrong;

use std::fmt;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

pub use self::admin::{AbortFlags, AdminCommand, AdminTokenFlags, AskedService, BanFlags};
pub use self::background::{Background, BackgroundFlags, Switch};
pub use self::bots::{BotFlags, BotSettings};
pub use self::bounds::BoundFlags;
pub use self::command::{Command, CommandLine};
pub use self::components::ComponentFlags;
pub use self::invites::InviteFlags;
pub use self::notifications::{NotificationFlags, NotificationSettings};
pub use self::operation::OperationFlags;
pub use self::pages::{PageFlags, PageSwitch};
pub use self::sign_in::SignInFlags;
pub use self::store::{RedisArrangement, StoreFlags, StoreKind, StoreSettings};
pub use self::tools::{
    BackupFlags, HealthcheckFlags, KeysCommand, RatingsCommand, StorePlace, ToolCommand, admin_token,
};
pub use self::wrong::WrongSetting;
use self::wrong::wrong;
use sarsen_accounts::auth::{SigningKeys, TokenScope};
use sarsen_accounts::outside::IssuerTerms;
use sarsen_accounts::players::{AccountBounds, NameBlocklist};
use sarsen_base::telemetry::LogFormat;
use sarsen_http::settings::{Allowances, Cors, ServerConfig};
use sarsen_service::outbound::OutboundRules;

/// The settings as written.
#[derive(Args, Clone)]
pub struct Flags {
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, env = "SARSEN_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// The store of matches and players.
    #[command(flatten)]
    pub place: StoreFlags,
    /// Keys that sign access tokens, as id:secret[,id:secret…], secrets of at least 32 bytes in base64url; the first
    /// signs, all verify. Required with Redis; the embedded store makes and keeps one if this is left out.
    #[arg(long, env = "SARSEN_TOKEN_KEYS", hide_env_values = true, allow_hyphen_values = true, value_name = "KEYS")]
    pub token_keys: Option<String>,
    /// Issuer of access tokens (iss).
    #[arg(long, env = "SARSEN_TOKEN_ISSUER", default_value = "sarsen", value_name = "TEXT")]
    pub token_issuer: String,
    /// Audience of access tokens (aud).
    #[arg(long, env = "SARSEN_TOKEN_AUDIENCE", default_value = "sarsen", value_name = "TEXT")]
    pub token_audience: String,
    /// Form of log lines, which go to standard error.
    #[arg(long, env = "SARSEN_LOG_FORMAT", default_value = "human", value_enum)]
    pub log_format: LogFormat,
    /// Log filter, as target=level[,…]; `info` instead gives one line a request too.
    #[arg(long, env = "SARSEN_LOG", default_value = "info,access=warn", value_name = "FILTER")]
    pub log: String,
    /// Origins whose pages may call the service, separated by commas, each just as browsers and web views send it:
    /// `https://example.org`, `capacitor://localhost`, `null`; `*` for all; none if left out.
    #[arg(long, env = "SARSEN_CORS_ORIGINS", default_value = "", hide_default_value = true, value_name = "ORIGINS")]
    pub cors_origins: String,
    /// Longest request body, in bytes (1024 to 16777216).
    #[arg(long, env = "SARSEN_BODY_LIMIT_BYTES", default_value_t = 65_536, value_name = "BYTES",
          value_parser = clap::value_parser!(u64).range(1024..=16_777_216))]
    pub body_limit_bytes: u64,
    /// Longest time until an answer begins, in seconds (1 to 3600); a long poll's wait comes on top.
    #[arg(long, env = "SARSEN_REQUEST_TIMEOUT_SECONDS", default_value_t = 30, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub request_timeout_seconds: u64,
    /// Time that a connection without a request stays open, in seconds (1 to 3600): longer than proxies in front keep
    /// theirs, so that none sends a request on a connection that is just being closed.
    #[arg(long, env = "SARSEN_KEEP_ALIVE_SECONDS", default_value_t = 75, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub keep_alive_seconds: u64,
    /// The address of the metrics, and the stop of the service.
    #[command(flatten)]
    pub operation: OperationFlags,
    /// Worker threads (1 to 1024); one a core if left out.
    #[arg(long, env = "SARSEN_WORKERS", value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub workers: Option<u64>,
    /// Guests that one address may create, per minute (1 to 1000000), or `off`.
    #[arg(long, env = "SARSEN_GUESTS_PER_MINUTE", default_value = "30", value_name = "NUMBER|off")]
    pub guests_per_minute: String,
    /// Guests that one address may create at once (1 to 1000000).
    #[arg(long, env = "SARSEN_GUESTS_BURST", default_value_t = 30, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub guests_burst: u32,
    /// Changes that one player may make, per minute (1 to 1000000), or `off`.
    #[arg(long, env = "SARSEN_WRITES_PER_MINUTE", default_value = "300", value_name = "NUMBER|off")]
    pub writes_per_minute: String,
    /// Changes that one player may make at once (1 to 1000000).
    #[arg(long, env = "SARSEN_WRITES_BURST", default_value_t = 100, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub writes_burst: u32,
    /// File of words that no player may have in a name, one a line, also when written with look-alike letters: whole words,
    /// or parts of words behind a `*`; lines that begin with # are comments. Read at the start.
    #[arg(long, env = "SARSEN_NAME_BLOCKLIST", value_name = "FILE")]
    pub name_blocklist: Option<PathBuf>,
    /// Proxies of your own in front that append to X-Forwarded-For (0 to 16): the client is that many entries from
    /// the right.
    #[arg(long, env = "SARSEN_TRUSTED_PROXIES", default_value_t = 0, value_name = "NUMBER",
          value_parser = clap::value_parser!(u8).range(0..=16))]
    pub trusted_proxies: u8,
    /// The share of an instance that one address or player may take.
    #[command(flatten)]
    pub bounds: BoundFlags,
    /// The work without a request.
    #[command(flatten)]
    pub background: BackgroundFlags,
    /// The bounds of accounts.
    #[command(flatten)]
    pub accounts: AccountBounds,
    /// The settings of bots.
    #[command(flatten)]
    pub bots: BotFlags,
    /// The settings of invites.
    #[command(flatten)]
    pub invites: InviteFlags,
    /// The settings of notifications.
    #[command(flatten)]
    pub notifications: NotificationFlags,
    /// The settings of signing in, and of what the service asks of others.
    #[command(flatten)]
    pub sign_in: SignInFlags,
    /// File with the pools for playing now, a JSON list (OPERATIONS, "Pools"); if left out, a live and a correspondence pool
    /// for each game of several players.
    #[arg(long, env = "SARSEN_POOLS", value_name = "FILE")]
    pub pools: Option<PathBuf>,
    /// The pages for people.
    #[command(flatten)]
    pub pages: PageFlags,
    /// Address at which clients reach the service from outside, if not where it listens; printed at start.
    #[arg(long, env = "SARSEN_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// The component sets of the games.
    #[command(flatten)]
    pub components: ComponentFlags,
}

/// Without what may hold secrets.
impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flags").field("listen", &self.listen).field("store", &self.place.store).finish_non_exhaustive()
    }
}

/// The settings, as meant.
pub struct Settings {
    /// The settings of the server.
    pub server: ServerConfig,
    /// Directory of the embedded store and of the token key it makes.
    pub data_dir: PathBuf,
    /// The store of matches and players.
    pub store: StoreSettings,
    /// The keys that sign access tokens; `None` only with the embedded store, which keeps one itself.
    pub token_keys: Option<SigningKeys>,
    /// The issuer and the audience of tokens.
    pub token_scope: TokenScope,
    /// The words that no player may have in a name.
    pub name_blocklist: NameBlocklist,
    /// The rate limits.
    pub allowances: Allowances,
    /// The bounds of accounts.
    pub accounts: AccountBounds,
    /// The work without a request.
    pub background: Background,
    /// The settings of bots.
    pub bots: BotSettings,
    /// The outside issuers whose tokens are exchanged.
    pub issuers: Vec<IssuerTerms>,
    /// True if only players with a linked identity play rated matches.
    pub rated_requires_link: bool,
    /// The rules by which the service asks others.
    pub outbound: OutboundRules,
    /// The pools: the text of a file; `None` for the built-in ones.
    pub pools: Option<String>,
    /// The settings of notifications.
    pub notifications: NotificationSettings,
    /// Form of log lines.
    pub log_format: LogFormat,
    /// The log filter.
    pub log_filter: String,
    /// The address at which clients reach the service from outside.
    pub public_url: Option<String>,
    /// Component sets for Henge, one file each.
    pub components: ComponentFlags,
}

impl Settings {
    /// A service on a free port of the loopback interface, with the embedded store in `data_dir` nothing bounded and bots
    /// that answer at once: what tests and benchmarks begin with.
    pub fn local(data_dir: impl Into<PathBuf>) -> Settings {
        Settings {
            server: ServerConfig::default(),
            data_dir: data_dir.into(),
            store: StoreSettings::Embedded,
            token_keys: None,
            token_scope: TokenScope::default(),
            name_blocklist: NameBlocklist::default(),
            allowances: Allowances::default(),
            accounts: AccountBounds::default(),
            background: Background::default(),
            bots: BotSettings::default(),
            issuers: Vec::new(),
            rated_requires_link: false,
            outbound: OutboundRules::default(),
            pools: None,
            notifications: NotificationSettings::default(),
            log_format: LogFormat::Human,
            log_filter: "warn".to_owned(),
            public_url: None,
            components: ComponentFlags::default(),
        }
    }
}

impl Flags {
    /// Returns the settings that the flags mean.
    ///
    /// # Errors
    /// The first setting that cannot be, in one sentence.
    pub fn settings(self) -> Result<Settings, WrongSetting> {
        let server = ServerConfig {
            listen: self.listen,
            workers: self.workers.map(|workers| workers as usize),
            body_limit: self.body_limit_bytes as usize,
            request_timeout: Duration::from_secs(self.request_timeout_seconds),
            keep_alive: Duration::from_secs(self.keep_alive_seconds),
            metrics_listen: self.operation.metrics(self.listen)?,
            shutdown_delay: self.operation.delay(),
            streams_end_over: ServerConfig::STREAMS_END_OVER,
            shutdown_grace: self.operation.grace(),
            cors: cors(&self.cors_origins)?,
            trusted_proxies: self.trusted_proxies,
            playground: self.pages.playground(),
            mcp: self.pages.mcp(),
            invite_url: self.invites.url()?,
            quotas: self.bounds.quotas()?,
            connections_max: None,
        };
        if tracing_subscriber::EnvFilter::try_new(&self.log).is_err() {
            return Err(wrong("log", "is not a list of target=level"));
        }
        let public_url = self.public_url.clone().map(public_url).transpose()?;
        let token_keys = self.token_keys.as_deref().map(SigningKeys::parse).transpose();
        let token_keys = token_keys.map_err(|error| wrong("token-keys", format!("cannot be used: {error}")))?;
        if self.place.store == StoreKind::Redis && token_keys.is_none() {
            return Err(wrong(
                "token-keys",
                "is required with --store redis, because all instances must sign with the same keys",
            ));
        }
        for (flag, text) in [("token-issuer", &self.token_issuer), ("token-audience", &self.token_audience)] {
            if text.is_empty() {
                return Err(wrong(flag, "is empty"));
            }
        }
        Ok(Settings {
            background: self.background.background()?,
            bots: self.bots.bots()?,
            allowances: Allowances {
                guests: bounds::allowance("guests-per-minute", &self.guests_per_minute, self.guests_burst)?,
                writes: bounds::allowance("writes-per-minute", &self.writes_per_minute, self.writes_burst)?,
                program_writes: self.bounds.program_writes()?,
                reads: self.bounds.reads()?,
                sandbox: self.bounds.sandbox()?,
                hints: self.bots.hints()?,
                invites: self.invites.allowance()?,
                tables: self.bounds.tables()?,
                codes: self.sign_in.codes()?,
                exchanges: self.sign_in.exchanges()?,
            },
            name_blocklist: blocklist(self.name_blocklist.as_deref())?,
            issuers: self.sign_in.issuers()?,
            rated_requires_link: self.sign_in.rated_requires_link(),
            outbound: self.sign_in.outbound()?,
            pools: self.pools.as_deref().map(pools).transpose()?,
            notifications: self.notifications.settings()?,
            accounts: self.accounts,
            store: self.place.settings()?,
            token_scope: TokenScope { issuer: self.token_issuer, audience: self.token_audience },
            data_dir: self.place.data_dir,
            server,
            token_keys,
            log_format: self.log_format,
            log_filter: self.log,
            public_url,
            components: self.components,
        })
    }
}

fn blocklist(file: Option<&Path>) -> Result<NameBlocklist, WrongSetting> {
    let text = file.map(fs::read_to_string).transpose();
    let text = text.map_err(|error| wrong("name-blocklist", format!("cannot be read: {error}")))?;
    Ok(text.as_deref().map(NameBlocklist::parse).unwrap_or_default())
}

fn pools(file: &Path) -> Result<String, WrongSetting> {
    fs::read_to_string(file).map_err(|error| wrong("pools", format!("cannot be read: {}: {error}", file.display())))
}

fn cors(origins: &str) -> Result<Cors, WrongSetting> {
    let origins: Vec<&str> = origins.split(',').map(str::trim).filter(|origin| !origin.is_empty()).collect();
    if origins == ["*"] {
        return Ok(Cors::Any);
    }
    if let Some(origin) = origins.iter().find(|origin| !is_origin(origin)) {
        return Err(wrong("cors-origins", format!("has {origin:?}, which is no origin such as https://example.org")));
    }
    Ok(if origins.is_empty() { Cors::Off } else { Cors::Origins(origins.into_iter().map(str::to_owned).collect()) })
}

/// Scheme and authority, nothing else; or `null`, which pages of no origin send. Web views of apps have schemes of their own.
fn is_origin(text: &str) -> bool {
    let uri = text.parse::<actix_web::http::Uri>().ok().filter(|uri| uri.path() == "/" && uri.query().is_none());
    let is_one = uri.is_some_and(|uri| uri.scheme().is_some() && !text.ends_with('/'));
    // Origins are sent in small letters, and one that never comes is a mistake.
    text == "null" || is_one && !text.contains('@') && !text.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn public_url(url: String) -> Result<String, WrongSetting> {
    let trimmed = url.trim_end_matches('/');
    let uri = trimmed.parse::<actix_web::http::Uri>().ok();
    if uri.is_some_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.query().is_none()) {
        return Ok(trimmed.to_owned());
    }
    Err(wrong("public-url", "is not a URL that starts with http:// or https://"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use sarsen_http::settings::Quotas;
    use sarsen_store::Allowance;
    use sarsen_store::redis::RedisConfig;

    const KEY: &str = "k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";

    fn settings(arguments: &[&str]) -> Result<Settings, String> {
        let line = CommandLine::try_parse_from([&["sarsen"], arguments].concat());
        line.map_err(|error| error.to_string())?.flags.settings().map_err(|error| error.to_string())
    }

    fn refusal(arguments: &[&str]) -> String {
        settings(arguments).err().unwrap()
    }

    #[test]
    fn without_arguments_the_embedded_store_serves_on_the_loopback_interface() {
        let settings = settings(&[]).unwrap();
        assert_eq!(settings.server.listen.to_string(), "127.0.0.1:8080");
        assert!(matches!(settings.store, StoreSettings::Embedded));
        assert_eq!(settings.server.cors, Cors::Off);
        assert_eq!(settings.allowances.writes, Some(Allowance { burst: 100, per_minute: 300 }));
        assert_eq!(settings.allowances.reads, Some(Allowance { burst: 1200, per_minute: 1200 }));
        assert_eq!(settings.allowances.codes, Some(Allowance { burst: 10, per_minute: 10 }));
        assert_eq!(settings.allowances.exchanges, Some(Allowance { burst: 20, per_minute: 20 }));
        assert!(settings.server.shows_playground() && settings.server.mcp);
        let quotas = settings.server.quotas;
        assert_eq!((quotas.connections_per_address, quotas.streams_per_address), (Some(256), Some(64)));
        assert_eq!(quotas.streams_per_player, Some(16));
    }

    #[test]
    fn each_bound_of_a_player_has_its_flag() {
        let default = settings(&[]).unwrap();
        assert_eq!(default.accounts, AccountBounds::default());
        assert_eq!(default.allowances.program_writes, Some(Allowance { burst: 200, per_minute: 600 }));
        let flags = "--sessions-per-player 2 --identities-per-player 3 --tokens-per-player 4 --bot-accounts-per-player 5 \
                     --contacts-per-player 6 --reports-per-day 7 --program-writes-per-minute 8 --program-writes-burst 9 \
                     --program-token-seconds 10 --opponent-matches 11 --reports-kept 12 --name-change-seconds 0 \
                     --pairing-code-seconds 61 --outside-token-bytes 1025";
        let settings = settings(&flags.split_whitespace().collect::<Vec<_>>()).unwrap();
        let accounts = AccountBounds {
            sessions_per_player: 2,
            identities_per_player: 3,
            tokens_per_player: 4,
            bot_accounts_per_player: 5,
            contacts_per_player: 6,
            reports_per_day: 7,
            program_token_seconds: 10,
            opponent_matches: 11,
            reports_kept: 12,
            name_change_seconds: 0,
            pairing_code_seconds: 61,
            outside_token_bytes: 1025,
        };
        assert_eq!(settings.accounts, accounts);
        assert_eq!(settings.allowances.program_writes, Some(Allowance { burst: 9, per_minute: 8 }));
    }

    #[test]
    fn idle_guests_are_kept_for_days_or_for_good() {
        let days = |arguments: &[&str]| settings(arguments).unwrap().background.expire_guests_days;
        assert_eq!((days(&[]), days(&["--expire-guests-days", "30"])), (Some(180), Some(30)));
        assert_eq!(days(&["--expire-guests-days", "off"]), None);
    }

    #[test]
    fn names_are_blocked_by_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "rascal\n").unwrap();
        let blocklist = settings(&["--name-blocklist", file.path().to_str().unwrap()]).unwrap().name_blocklist;
        assert!(blocklist.blocks(&"A Rascal".parse().unwrap()) && !blocklist.blocks(&"Rowan".parse().unwrap()));
        assert!(refusal(&["--name-blocklist", "/nowhere/names.txt"]).contains("--name-blocklist"));
    }

    #[test]
    fn agents_have_tools_unless_they_are_switched_off() {
        let mcp = |arguments: &[&str]| settings(arguments).map(|settings| settings.server.mcp);
        assert_eq!([mcp(&["--mcp", "on"]), mcp(&["--mcp", "off"])], [Ok(true), Ok(false)]);
        assert!(refusal(&["--mcp", "auto"]).contains("--mcp"));
    }

    #[test]
    fn rated_play_needs_a_linked_account_where_there_are_issuers() {
        let (dir, asks) = (tempfile::tempdir().unwrap(), |flags: &[&str]| settings(flags).unwrap().rated_requires_link);
        let file = dir.path().join("issuers.json");
        std::fs::write(&file, "[]").unwrap();
        let issuers = ["--issuers", file.to_str().unwrap()];
        assert!(!asks(&[]) && asks(&issuers));
        assert!(asks(&["--rated-requires", "linked"]) && !asks(&[&issuers[..], &["--rated-requires", "any"]].concat()));
    }

    #[test]
    fn redis_needs_keys_and_says_so() {
        let sentence = refusal(&["--store", "redis"]);
        assert!(sentence.contains("--token-keys (SARSEN_TOKEN_KEYS) is required with --store redis"), "{sentence}");
        let settings = settings(&["--store", "redis", "--token-keys", KEY]).unwrap();
        assert!(matches!(settings.store, StoreSettings::Redis(_)));
    }

    #[test]
    fn files_for_redis_are_named_by_flags() {
        let tls = "--redis-url rediss://redis.example --redis-ca-file ca.pem --redis-certificate-file own.pem --redis-key-file \
                   own.key --redis-password-file password";
        let given = |flags: &str| {
            let redis = ["--store", "redis", "--token-keys", KEY];
            settings(&[&redis[..], &flags.split_whitespace().collect::<Vec<_>>()].concat()).map(|settings| {
                match settings.store {
                    StoreSettings::Redis(config) => *config,
                    StoreSettings::Embedded => RedisConfig::single("none"),
                }
            })
        };
        let config = given(tls).unwrap();
        assert_eq!(config.urls, ["rediss://redis.example"]);
        let files = |config: RedisConfig| (config.tls.ca, config.tls.client, config.password_file);
        let client = Some(("own.pem".into(), "own.key".into()));
        assert_eq!(files(config), (Some("ca.pem".into()), client, Some("password".into())));
        assert_eq!(files(given("").unwrap()), (None, None, None));
        // Neither proves anything without the other, and a secret has one place.
        for (flags, named) in [
            ("--redis-url rediss://x --redis-certificate-file own.pem", "--redis-key-file"),
            ("--redis-url rediss://x --redis-key-file own.key", "--redis-certificate-file"),
            ("--redis-url redis://x --redis-ca-file ca.pem", "--redis-url"),
            ("--redis-password-file password --redis-password secret", "--redis-password"),
        ] {
            let why = given(flags).err().unwrap();
            assert!(why.contains(named), "{flags}: {why}");
        }
    }

    #[test]
    fn wrong_settings_are_refused_with_their_name() {
        let cases: [(&[&str], &str); 41] = [
            (&["--listen", "nowhere"], "--listen"),
            (&["--body-limit-bytes", "0"], "--body-limit-bytes"),
            (&["--workers", "0"], "--workers"),
            (&["--metrics-listen", "9464"], "--metrics-listen"),
            (&["--metrics-listen", "127.0.0.1:8080"], "--metrics-listen"),
            (&["--shutdown-delay-seconds", "3601"], "--shutdown-delay-seconds"),
            (&["--request-timeout-seconds", "0"], "--request-timeout-seconds"),
            (&["--guests-per-minute", "many"], "--guests-per-minute"),
            (&["--connections-per-address", "0"], "--connections-per-address"),
            (&["--streams-per-address", "none"], "--streams-per-address"),
            (&["--streams-per-player", "1.5"], "--streams-per-player"),
            (&["--reads-per-minute", "1000001"], "--reads-per-minute"),
            (&["--sandbox-steps-per-minute", "0"], "--sandbox-steps-per-minute"),
            (&["--bot-matches-per-player", "0"], "--bot-matches-per-player"),
            (&["--cors-origins", "example.org"], "--cors-origins"),
            (&["--cors-origins", "https://example.org/path"], "--cors-origins"),
            (&["--cors-origins", "https://Example.org"], "--cors-origins"),
            (&["--cors-origins", "https://example.org,*"], "--cors-origins"),
            (&["--cors-origins", "capacitor://"], "--cors-origins"),
            (&["--keep-alive-seconds", "0"], "--keep-alive-seconds"),
            (&["--log", "a=b=c"], "--log"),
            (&["--redis-wait-replicas", "many"], "--redis-wait-replicas"),
            (&["--redis-wait-milliseconds", "0"], "--redis-wait-milliseconds"),
            (&["--public-url", "ftp://x"], "--public-url"),
            (&["--codes-per-minute", "0"], "--codes-per-minute"),
            (&["--match-url", "https://app.example/m"], "--match-url"),
            (&["--vapid-key", "x", "--vapid-subject", "mailto:me@example.org"], "--vapid-key"),
            (&["--vapid-key", "x"], "--vapid-subject"),
            (&["--exchanges-per-minute", "few"], "--exchanges-per-minute"),
            (&["--sessions-per-player", "0"], "--sessions-per-player"),
            (&["--program-token-seconds", "31536001"], "--program-token-seconds"),
            (&["--opponent-matches", "0"], "--opponent-matches"),
            (&["--reports-kept", "100001"], "--reports-kept"),
            (&["--name-change-seconds", "31536001"], "--name-change-seconds"),
            (&["--pairing-code-seconds", "59"], "--pairing-code-seconds"),
            (&["--outside-token-bytes", "off"], "--outside-token-bytes"),
            (&["--issuers", "/nowhere/issuers.json"], "--issuers"),
            (&["--pools", "/nowhere/pools.json"], "--pools"),
            (&["--outbound-allow-networks", "10.0.0.0/8,10.0.0.0/40"], "--outbound-allow-networks"),
            (&["--store", "redis", "--token-keys", KEY, "--redis-mode", "sentinel"], "--redis-sentinel-master"),
            (&["--store", "redis", "--token-keys", KEY, "--redis-key-prefix", "{x}"], "--redis-key-prefix"),
        ];
        for (arguments, flag) in cases {
            let sentence = refusal(arguments);
            assert!(sentence.contains(flag), "{arguments:?}: {sentence}");
        }
    }

    /// One in 64 keys of `sarsen keys vapid` begins so, and a password or the id of a key may.
    #[test]
    fn a_secret_may_begin_with_a_hyphen() {
        let vapid = format!("-{}A", "b".repeat(41));
        let push = settings(&["--vapid-key", &vapid, "--vapid-subject", "mailto:me@example.org"]).unwrap();
        assert!(push.notifications.vapid.is_some());
        let (keys, password) = (format!("-{KEY}"), "-secret");
        let redis = ["--store", "redis", "--token-keys", &keys, "--redis-mode", "sentinel"];
        let sentinels = ["--redis-sentinel-master", "m", "--redis-username", "-me", "--redis-password", password];
        assert!(settings(&[&redis[..], &sentinels].concat()).unwrap().token_keys.is_some());
        let token = ["sarsen", "admin", "token", "--scopes", "admin:read", "--token-keys", &keys];
        assert!(CommandLine::try_parse_from(token).is_ok());
    }

    #[test]
    fn secrets_are_not_repeated() {
        for arguments in
            [["--token-keys", "k1:hunter2"], ["--redis-url", "http://:hunter2@x"], ["--vapid-key", "hunter2"]]
        {
            let sentence = refusal(&[&arguments[..], &["--store", "redis"]].concat());
            assert!(!sentence.contains("hunter2"), "{sentence}");
            let line = CommandLine::try_parse_from([&["sarsen"], &arguments[..]].concat()).unwrap();
            assert!(!format!("{line:?}").contains("hunter2"));
        }
    }

    #[test]
    fn component_files_are_listed_with_commas() {
        let files = |arguments: &[&str]| settings(arguments).unwrap().components.henge_components;
        assert_eq!(files(&[]), Vec::<PathBuf>::new());
        assert_eq!(files(&["--henge-components", "two.json"]), [PathBuf::from("two.json")]);
        let both = [PathBuf::from("a/two.json"), PathBuf::from("one set.json")];
        assert_eq!(files(&["--henge-components", "a/two.json, one set.json"]), both);
        for wrong in ["", "two.json,", "two.json,,one.json"] {
            let sentence = refusal(&["--henge-components", wrong]);
            assert!(sentence.contains("--henge-components") && sentence.contains("name is empty"), "{sentence}");
        }
    }

    #[test]
    fn limits_can_be_off_and_origins_listed() {
        let settings = settings(&["--writes-per-minute", "off", "--cors-origins", "https://a.org, http://b.org:1"]);
        let settings = settings.unwrap();
        assert_eq!(settings.allowances.writes, None);
        let off = ["--connections-per-address", "off", "--streams-per-address", "off", "--reads-per-minute", "off"];
        let unbounded = self::settings(&[&off[..], &["--streams-per-player", "3"]].concat()).unwrap();
        assert_eq!(unbounded.server.quotas, Quotas { streams_per_player: Some(3), ..Quotas::default() });
        assert_eq!(unbounded.allowances.reads, None);
        // A request of the sandbox may always have as many steps as any may have.
        let slow = self::settings(&["--sandbox-steps-per-minute", "60"]).unwrap();
        assert_eq!(slow.allowances.sandbox, Some(Allowance { burst: 256, per_minute: 60 }));
        assert_eq!(settings.server.cors, Cors::Origins(vec!["https://a.org".into(), "http://b.org:1".into()]));
        let of_apps = ["capacitor://localhost", "ionic://localhost", "tauri://localhost", "http://localhost", "null"];
        let apps = self::settings(&["--cors-origins", &of_apps.join(",")]).unwrap();
        assert_eq!(apps.server.cors, Cors::Origins(of_apps.map(str::to_owned).to_vec()));
    }
}
