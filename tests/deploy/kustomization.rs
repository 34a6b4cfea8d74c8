//! Parts of a kustomization: its resources, those of others, and patches.
//!
//! It knows what ours use and refuses everything else. Patches merge objects and replace lists; where Kubernetes would merge
//! a list by names instead, it refuses too.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::deploy::files::yaml;

/// The objects that a kustomization makes, and every file that was read for it.
pub struct Made {
    pub objects: Vec<Value>,
    pub files: BTreeSet<PathBuf>,
}

/// Makes what the kustomization in this folder says.
pub fn make(folder: &Path) -> Made {
    let file = folder.join("kustomization.yaml").canonicalize().unwrap();
    let documents = yaml(&file);
    let [kustomization] = &documents[..] else { panic!("{}: one document", file.display()) };
    let (mut objects, mut files) = (Vec::new(), BTreeSet::from([file.clone()]));
    for (key, value) in kustomization.as_object().unwrap() {
        match key.as_str() {
            "apiVersion" => assert_eq!(value, "kustomize.config.k8s.io/v1beta1"),
            "kind" => assert_eq!(value, "Kustomization"),
            "resources" | "patches" | "labels" => {}
            other => panic!("{}: {other} is not known here", file.display()),
        }
    }
    for resource in kustomization["resources"].as_array().expect("resources") {
        let path = folder.join(resource.as_str().unwrap()).canonicalize().unwrap();
        if path.is_dir() {
            let made = make(&path);
            objects.extend(made.objects);
            files.extend(made.files);
        } else {
            objects.extend(yaml(&path));
            files.insert(path);
        }
    }
    for patch in kustomization["patches"].as_array().into_iter().flatten() {
        let path = folder.join(patch["path"].as_str().expect("a path")).canonicalize().unwrap();
        for change in yaml(&path) {
            let found = objects.iter_mut().find(|object| name(object) == name(&change));
            merge(found.unwrap_or_else(|| panic!("{}: nothing to patch", path.display())), &change);
        }
        files.insert(path);
    }
    for set in kustomization["labels"].as_array().into_iter().flatten() {
        assert!(set["includeSelectors"].is_null(), "selectors stand where they are used");
        for object in &mut objects {
            for (label, value) in set["pairs"].as_object().unwrap() {
                object["metadata"]["labels"][label] = value.clone();
            }
        }
    }
    Made { objects, files }
}

/// The kind and the name of an object.
pub fn name(object: &Value) -> (&str, &str) {
    (object["kind"].as_str().expect("a kind"), object["metadata"]["name"].as_str().expect("a name"))
}

fn merge(object: &mut Value, change: &Value) {
    match (object, change) {
        (Value::Object(fields), Value::Object(changes)) => {
            for (key, change) in changes {
                merge(fields.entry(key.clone()).or_insert(Value::Null), change);
            }
        }
        (object, change) => {
            let by_name = change.as_array().into_iter().flatten().any(|item| !item["name"].is_null());
            assert!(!by_name, "a list that Kubernetes merges by name: {change}");
            *object = change.clone();
        }
    }
}

#[test]
fn patches_merge_objects_and_replace_lists() {
    let mut object = serde_json::json!({"a": {"b": 1, "c": [1, 2]}, "d": 3});
    merge(&mut object, &serde_json::json!({"a": {"c": [4], "e": {"f": 5}}}));
    assert_eq!(object, serde_json::json!({"a": {"b": 1, "c": [4], "e": {"f": 5}}, "d": 3}));
}
