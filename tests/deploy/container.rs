//! Image and composition fit the program.

use crate::deploy::files::{deploy, help, is_setting, read, variables, yaml};

/// A variable that the build is told, not the program.
const OF_THE_BUILD: &str = "SARSEN_BUILD_COMMIT";

#[test]
fn image_and_composition_name_settings_and_ports_that_are_there() {
    let help = help();
    let image = read(&deploy("Containerfile"));
    for text in [image.clone(), read(&deploy("compose.yaml"))] {
        let unknown: Vec<&str> =
            variables(&text).into_iter().filter(|name| *name != OF_THE_BUILD && !is_setting(&help, name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
    let ports: Vec<&str> = image.lines().find_map(|line| line.strip_prefix("EXPOSE ")).unwrap().split(' ').collect();
    let listens = ["SARSEN_LISTEN", "SARSEN_METRICS_LISTEN"].map(|variable| {
        let value = image.split_once(&format!("{variable}=")).expect(variable).1;
        value.split_whitespace().next().unwrap().rsplit_once(':').unwrap().1
    });
    assert_eq!(ports, listens);
}

#[test]
fn the_composition_gives_instances_time_to_stop() {
    let composition = yaml(&deploy("compose.yaml")).remove(0);
    let services = composition["services"].as_object().unwrap();
    let instances: Vec<_> = services.iter().filter(|(name, _)| name.starts_with("sarsen-")).collect();
    assert_eq!(instances.len(), 2);
    for (name, instance) in instances {
        let given: u64 = instance["stop_grace_period"].as_str().unwrap().trim_end_matches('s').parse().unwrap();
        let delay: u64 =
            instance["environment"]["SARSEN_SHUTDOWN_DELAY_SECONDS"].as_str().map_or(0, |text| text.parse().unwrap());
        assert!(given >= delay + 5 + 30, "{name} has {given} seconds");
        assert!(read(&deploy("nginx.conf")).contains(&format!("server {name}:8080")), "{name}");
    }
}
