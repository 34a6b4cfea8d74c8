//! Exports: what they hold, and what is not taken for one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use sarsen::ambient::{Ambient, Timestamp};
use sarsen::matches::table::examining::changed_at;
use sarsen::store::{Store, WholeMatch};
use sarsen::transfer::{FORMAT, export, import};

use crate::transfer::{Faults, all, embedded, green, players};

async fn exported(directory: &Path, since: Option<Timestamp>, from: &dyn Store) -> export::Exported {
    export::export(from, directory, since, &Ambient::system(), &mut Faults::default()).await.unwrap()
}

#[tokio::test]
async fn an_export_is_its_owners_alone() {
    let dir = tempfile::tempdir().unwrap();
    players::fill(&dir.path().join("store"), 3).await;
    let (store, out) = (embedded(&dir.path().join("store")).await, dir.path().join("a/b"));
    exported(&out, None, &*store).await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&out), 0o700);
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(&out).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(mode(&entry.path()), 0o600, "{:?}", entry.path());
        names.push(entry.file_name().into_string().unwrap());
    }
    names.sort();
    let kinds =
        ["audit", "inboxes", "items", "jobs", "statuses", "matches", "players", "ratings", "revocations", "sessions"]
            .map(|kind| format!("{kind}.ndjson.gz"));
    let mut wanted = [&kinds[..], &["manifest.json".to_owned()]].concat();
    wanted.sort();
    assert_eq!(names, wanted);
    let again = export::export(&*store, &out, None, &Ambient::system(), &mut Faults::default()).await;
    assert!(
        again.unwrap_err().to_string().ends_with("is not empty; name a directory that is, or that is not there yet")
    );
    store.close().await;
}

#[tokio::test]
async fn what_is_no_whole_export_is_refused_before_anything_is_written() {
    let dir = tempfile::tempdir().unwrap();
    players::fill(&dir.path().join("store"), 3).await;
    let (store, out) = (embedded(&dir.path().join("store")).await, dir.path().join("out"));
    exported(&out, None, &*store).await;
    store.close().await;
    let target = embedded(&dir.path().join("target")).await;
    let (matches, manifest) = (out.join("matches.ndjson.gz"), out.join("manifest.json"));
    let (whole, said) = (fs::read(&matches).unwrap(), fs::read_to_string(&manifest).unwrap());
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    let newer = said.replace("\"format\": 1", &format!("\"format\": {}", FORMAT + 1));
    let fewer = said.replace("\"lines\": 3", "\"lines\": 4");
    type Case<'a> = (&'a Path, Option<Vec<u8>>, &'a str);
    let cases: [Case<'_>; 8] = [
        (&matches, Some(whole[..whole.len() - 9].to_vec()), "it is not whole"),
        (&matches, Some(damaged), "it is damaged"),
        (&matches, None, "lacks matches.ndjson.gz, which its manifest names"),
        (&manifest, None, "has no manifest.json: it is no export, or one that was not finished"),
        (&manifest, Some(newer.into_bytes()), "is an export of format 2, and this release reads formats up to 1"),
        (&manifest, Some(fewer.into_bytes()), "fewer lines than the manifest says"),
        (&manifest, Some(b"{}".to_vec()), "has a manifest.json that is not that of an export"),
        (&manifest, Some(b"[".to_vec()), "has a manifest.json that is not that of an export"),
    ];
    for (file, content, told) in cases {
        let before = fs::read(file).unwrap();
        match content {
            Some(content) => fs::write(file, content).unwrap(),
            None => fs::remove_file(file).unwrap(),
        }
        let refusal = import::import(&*target, &out, &mut Faults::default()).await.unwrap_err();
        let refusal = sarsen::commands::chain(&refusal);
        assert!(refusal.contains(told), "{refusal}");
        assert_eq!(all(async |from| target.match_ids(from.as_ref()).await.unwrap()).await, []);
        assert_eq!(all(async |from| target.player_ids(from.as_ref()).await.unwrap()).await, []);
        fs::write(file, before).unwrap();
    }
    let nowhere = import::import(&*target, &dir.path().join("nowhere"), &mut Faults::default()).await;
    assert!(nowhere.unwrap_err().to_string().ends_with("nowhere is no directory"));
    import::import(&*target, &out, &mut Faults::default()).await.unwrap();
    green(&target).await;
    target.close().await;
}

#[tokio::test]
async fn nothing_is_imported_where_something_is_newer() {
    let dir = tempfile::tempdir().unwrap();
    players::fill(&dir.path().join("store"), 4).await;
    let (store, out) = (embedded(&dir.path().join("store")).await, dir.path().join("out"));
    exported(&out, None, &*store).await;
    let ids = all(async |from| store.match_ids(from.as_ref()).await.unwrap()).await;
    let whole = store.whole_match(&ids[2]).await.unwrap().unwrap();
    store.close().await;
    let target = embedded(&dir.path().join("target")).await;
    let newer = WholeMatch { version: whole.version + 1, ..whole.clone() };
    target.restore_match(newer.clone()).await.unwrap();
    let refusal = import::import(&*target, &out, &mut Faults::default()).await.unwrap_err().to_string();
    let told = format!(
        "the store has 1 match and no players in a newer state, or in another of the same number, such as {}",
        whole.id
    );
    assert!(refusal.starts_with(&told), "{refusal}");
    assert_eq!(all(async |from| target.match_ids(from.as_ref()).await.unwrap()).await, std::slice::from_ref(&whole.id));
    assert_eq!(target.whole_match(&whole.id).await.unwrap(), Some(newer));
    target.close().await;
}

#[tokio::test]
async fn since_leaves_out_what_has_not_changed() {
    let dir = tempfile::tempdir().unwrap();
    players::fill(&dir.path().join("store"), 12).await;
    let store = embedded(&dir.path().join("store")).await;
    let mut changed = Vec::new();
    for id in all(async |from| store.match_ids(from.as_ref()).await.unwrap()).await {
        changed.push(changed_at(&store.whole_match(&id).await.unwrap().unwrap().stored).unwrap());
    }
    changed.sort();
    for since in [changed[0], changed[6], Timestamp(changed[11].0 + 1)] {
        let wanted = changed.iter().filter(|changed| **changed >= since).count() as u64;
        let out = dir.path().join(format!("since {}", since.0));
        let tally = exported(&out, Some(since), &*store).await.tally;
        assert_eq!((tally.matches, tally.players), (wanted, 8));
    }
    store.close().await;
}
