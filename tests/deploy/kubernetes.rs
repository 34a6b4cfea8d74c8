//! The manifests of Kubernetes hold together, and fit the program.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Parser;
use sarsen::ambient::Ambient;
use sarsen::auth::SigningKeys;
use sarsen::config::CommandLine;
use serde_json::Value;

use crate::deploy::files::{deploy, help, is_setting, read};
use crate::deploy::kustomization::{make, name};

const OVERLAYS: [&str; 2] = ["single-redis", "sentinel"];

/// Each kind that is used: its version, and what must stand in it.
const KINDS: [(&str, &str, &[&str]); 9] = [
    ("ServiceAccount", "v1", &[]),
    ("ConfigMap", "v1", &["/data"]),
    ("Secret", "v1", &["/stringData", "/type"]),
    ("Service", "v1", &["/spec/selector", "/spec/ports/0/port"]),
    ("Deployment", "apps/v1", &["/spec/selector/matchLabels", "/spec/template/metadata/labels", "/spec/template/spec"]),
    (
        "StatefulSet",
        "apps/v1",
        &["/spec/serviceName", "/spec/selector/matchLabels", "/spec/template/metadata/labels", "/spec/template/spec"],
    ),
    ("PodDisruptionBudget", "policy/v1", &["/spec/selector/matchLabels"]),
    (
        "HorizontalPodAutoscaler",
        "autoscaling/v2",
        &["/spec/scaleTargetRef", "/spec/minReplicas", "/spec/maxReplicas", "/spec/metrics"],
    ),
    ("NetworkPolicy", "networking.k8s.io/v1", &["/spec/podSelector", "/spec/policyTypes"]),
];

fn overlay(name: &str) -> Vec<Value> {
    make(&deploy("kubernetes/overlays").join(name)).objects
}

fn at<'a>(object: &'a Value, path: &str) -> &'a Value {
    object.pointer(path).unwrap_or_else(|| panic!("{:?} has no {path}", name(object)))
}

fn find<'a>(objects: &'a [Value], kind: &str, called: &str) -> &'a Value {
    let found = objects.iter().find(|object| name(object) == (kind, called));
    found.unwrap_or_else(|| panic!("there is no {kind} {called}"))
}

/// Deployments and stateful sets.
fn workloads(objects: &[Value]) -> Vec<&Value> {
    let kinds = ["Deployment", "StatefulSet"];
    let workloads: Vec<&Value> = objects.iter().filter(|object| kinds.contains(&name(object).0)).collect();
    assert!(!workloads.is_empty());
    workloads
}

/// The workloads whose pods have these labels.
fn selected<'a>(objects: &'a [Value], selector: &Value) -> Vec<&'a Value> {
    let selector = selector.as_object().expect("labels");
    assert!(!selector.is_empty(), "a selector of everything");
    let all = workloads(objects).into_iter();
    all.filter(|workload| {
        let labels = at(workload, "/spec/template/metadata/labels");
        selector.iter().all(|(label, value)| labels[label] == *value)
    })
    .collect()
}

fn containers(workload: &Value) -> &Vec<Value> {
    at(workload, "/spec/template/spec/containers").as_array().unwrap()
}

/// Returns true if a container of the workload has this port, by number or name.
fn has_port(workload: &Value, port: &Value) -> bool {
    let mut ports = containers(workload).iter().flat_map(|container| container["ports"].as_array().unwrap());
    ports.any(|known| known["name"] == *port || known["containerPort"] == *port)
}

/// The settings of the program in an overlay: variable and value.
fn settings(objects: &[Value]) -> Vec<(String, String)> {
    let config = find(objects, "ConfigMap", "sarsen")["data"].as_object().unwrap();
    let secret = find(objects, "Secret", "sarsen")["stringData"].as_object().unwrap();
    let pairs = config.iter().chain(secret);
    pairs.map(|(variable, value)| (variable.clone(), value.as_str().expect("a text").to_owned())).collect()
}

fn setting(objects: &[Value], variable: &str) -> String {
    let found = settings(objects).into_iter().find(|(known, _)| known == variable);
    found.unwrap_or_else(|| panic!("no {variable}")).1
}

fn seconds(objects: &[Value], variable: &str) -> u64 {
    setting(objects, variable).parse().unwrap()
}

#[test]
fn every_file_belongs_to_a_kustomization() {
    let mut used = BTreeSet::new();
    for name in OVERLAYS {
        used.extend(make(&deploy("kubernetes/overlays").join(name)).files);
    }
    let mut folders = vec![deploy("kubernetes")];
    let mut unused: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path().canonicalize().unwrap();
            match path.is_dir() {
                true => folders.push(path),
                false if !used.contains(&path) => unused.push(path),
                false => {}
            }
        }
    }
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn every_object_is_of_a_known_kind_and_has_what_it_needs() {
    for overlay_name in OVERLAYS {
        let objects = overlay(overlay_name);
        let names: BTreeSet<_> = objects.iter().map(name).collect();
        assert_eq!(names.len(), objects.len(), "{overlay_name}: an object has its name to itself");
        for object in &objects {
            let (kind, called) = name(object);
            let known = KINDS.iter().find(|(known, ..)| *known == kind);
            let (_, version, needed) = known.unwrap_or_else(|| panic!("{kind} is not known here"));
            assert_eq!(object["apiVersion"], *version, "{kind} {called}");
            needed.iter().for_each(|path| assert!(!at(object, path).is_null(), "{kind} {called}: {path}"));
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(called.chars().all(fits) && called.len() < 64, "{called}");
        }
    }
}

#[test]
fn selectors_find_the_pods_that_they_mean() {
    for objects in OVERLAYS.map(overlay) {
        for workload in workloads(&objects) {
            let found = selected(&objects, at(workload, "/spec/selector/matchLabels"));
            assert_eq!(found.len(), 1, "{:?} has its pods to itself", name(workload));
            assert_eq!(name(found[0]), name(workload));
        }
        for object in &objects {
            let selector = match name(object).0 {
                "Service" => "/spec/selector",
                "PodDisruptionBudget" => "/spec/selector/matchLabels",
                "NetworkPolicy" => "/spec/podSelector/matchLabels",
                _ => continue,
            };
            let found = selected(&objects, at(object, selector));
            let [workload] = found[..] else { panic!("{:?} selects {} workloads", name(object), found.len()) };
            let ports = object["spec"]["ports"].as_array().into_iter().flatten().map(|port| &port["targetPort"]);
            let ingress = object["spec"]["ingress"].as_array().into_iter().flatten();
            let open = ingress.clone().flat_map(|rule| rule["ports"].as_array().unwrap()).map(|port| &port["port"]);
            for port in ports.chain(open) {
                assert!(has_port(workload, port), "{:?}: {} has no port {port}", name(object), name(workload).1);
            }
            for source in ingress.flat_map(|rule| rule["from"].as_array().into_iter().flatten()) {
                let pods = source.pointer("/podSelector/matchLabels");
                assert!(pods.is_none_or(|labels| !selected(&objects, labels).is_empty()), "{source}");
            }
        }
    }
}

#[test]
fn what_is_referred_to_is_there() {
    let document: Value = serde_json::from_str(&read(&deploy("../openapi/openapi.json"))).unwrap();
    for objects in OVERLAYS.map(overlay) {
        for workload in workloads(&objects) {
            let pod = at(workload, "/spec/template/spec");
            if let Some(account) = pod["serviceAccountName"].as_str() {
                find(&objects, "ServiceAccount", account);
            }
            if let Some(service) = workload["spec"]["serviceName"].as_str() {
                find(&objects, "Service", service);
            }
            let claims = workload["spec"]["volumeClaimTemplates"].as_array().into_iter().flatten();
            let volumes: Vec<&Value> = claims.map(|claim| &claim["metadata"]["name"]).collect();
            for container in containers(workload) {
                for source in container["envFrom"].as_array().into_iter().flatten() {
                    for (key, kind) in [("configMapRef", "ConfigMap"), ("secretRef", "Secret")] {
                        if let Some(called) = source[key]["name"].as_str() {
                            find(&objects, kind, called);
                        }
                    }
                }
                for mount in container["volumeMounts"].as_array().into_iter().flatten() {
                    assert!(volumes.contains(&&mount["name"]), "{mount}");
                }
                for probe in ["livenessProbe", "readinessProbe", "startupProbe"].map(|probe| &container[probe]) {
                    let asked = [&probe["httpGet"], &probe["tcpSocket"]].into_iter().find(|asked| asked.is_object());
                    let Some(asked) = asked else { continue };
                    assert!(has_port(workload, &asked["port"]), "{probe}");
                    let path = asked["path"].as_str();
                    assert!(path.is_none_or(|path| document["paths"][path]["get"].is_object()), "{probe}");
                }
            }
        }
        let scaled = at(find(&objects, "HorizontalPodAutoscaler", "sarsen"), "/spec/scaleTargetRef");
        let target = find(&objects, scaled["kind"].as_str().unwrap(), scaled["name"].as_str().unwrap());
        assert_eq!(target["apiVersion"], scaled["apiVersion"]);
        assert!(target["spec"]["replicas"].is_null(), "how many there are one object alone says");
    }
}

#[test]
fn the_program_takes_the_settings_and_nothing_in_place_of_a_secret() {
    let help = help();
    for objects in OVERLAYS.map(overlay) {
        let mut arguments = vec!["sarsen".to_owned()];
        for (variable, value) in settings(&objects) {
            assert!(is_setting(&help, &variable), "{variable} is no setting");
            let flag = variable.trim_start_matches("SARSEN_").to_lowercase().replace('_', "-");
            arguments.extend([format!("--{flag}"), value]);
        }
        let refused = CommandLine::try_parse_from(&arguments).unwrap().flags.settings().err().expect("no key yet");
        assert!(refused.to_string().contains("token-keys"), "{refused}");
        let keys = arguments.iter().position(|argument| argument == "--token-keys").unwrap();
        arguments[keys + 1] = SigningKeys::new_key_text(&Ambient::fixed(0, 1));
        let taken = CommandLine::try_parse_from(&arguments).unwrap().flags.settings().unwrap();
        for (port, address) in [("http", Some(taken.server.listen)), ("metrics", taken.server.metrics_listen)] {
            let known = &containers(find(&objects, "Deployment", "sarsen"))[0]["ports"];
            let known = known.as_array().unwrap().iter().find(|known| known["name"] == port).expect(port);
            assert_eq!(known["containerPort"].as_u64(), address.map(|address| u64::from(address.port())));
            assert!(address.is_some_and(|address| address.ip().is_unspecified()), "probes come from outside the pod");
        }
    }
}

/// operations.md, "Stop".
#[test]
fn instances_are_replaced_one_by_one_and_stop_in_time() {
    for objects in OVERLAYS.map(overlay) {
        let deployment = find(&objects, "Deployment", "sarsen");
        assert_eq!(at(deployment, "/spec/strategy/rollingUpdate/maxUnavailable"), 0);
        assert_eq!(at(deployment, "/spec/strategy/rollingUpdate/maxSurge"), 1);
        let pod = at(deployment, "/spec/template/spec");
        assert_eq!(pod["terminationGracePeriodSeconds"], 60);
        let delay = seconds(&objects, "SARSEN_SHUTDOWN_DELAY_SECONDS");
        let streams = sarsen::http::settings::ServerConfig::STREAMS_END_OVER.as_secs();
        let all = delay + streams + seconds(&objects, "SARSEN_SHUTDOWN_GRACE_SECONDS");
        assert!(delay == 10 && all + 10 <= 60, "{all} seconds, and some for the store");
        let container = &containers(deployment)[0];
        let probe = |probe: &str| {
            let probe = &container[probe];
            (probe["httpGet"]["path"].as_str().unwrap(), probe["periodSeconds"].as_u64().unwrap())
        };
        assert_eq!(probe("readinessProbe"), ("/readyz", 5));
        assert_eq!(probe("livenessProbe"), ("/healthz", 10));
        assert_eq!(probe("startupProbe").0, "/healthz");
        assert!(container["lifecycle"].is_null(), "the delay is the program's");
        assert!(pod["affinity"]["podAntiAffinity"].is_object());
        assert_eq!(at(find(&objects, "PodDisruptionBudget", "sarsen"), "/spec/minAvailable"), 1);
        let autoscaler = find(&objects, "HorizontalPodAutoscaler", "sarsen");
        assert_eq!(at(autoscaler, "/spec/metrics/0/resource/name"), "cpu");
        assert!(!container["resources"]["requests"]["cpu"].is_null(), "a share of nothing cannot be scaled by");
        let policy = find(&objects, "NetworkPolicy", "sarsen");
        assert_eq!(at(policy, "/spec/policyTypes"), &serde_json::json!(["Ingress", "Egress"]));
    }
}

#[test]
fn pods_may_do_nothing_that_they_need_not() {
    for objects in OVERLAYS.map(overlay) {
        for workload in workloads(&objects) {
            let pod = at(workload, "/spec/template/spec");
            assert_eq!(pod["automountServiceAccountToken"], false, "{:?}", name(workload));
            assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
            assert!(pod["securityContext"]["runAsUser"].as_u64().is_some_and(|user| user > 0), "a name is not enough");
            assert_eq!(pod["securityContext"]["seccompProfile"]["type"], "RuntimeDefault");
            for container in containers(workload) {
                let context = &container["securityContext"];
                assert_eq!(context["readOnlyRootFilesystem"], true);
                assert_eq!(context["allowPrivilegeEscalation"], false);
                assert_eq!(context["capabilities"]["drop"], serde_json::json!(["ALL"]));
                assert!(!container["resources"]["limits"]["memory"].is_null());
            }
        }
    }
}
