//! Tests of the texts that open and those that do not.

use super::*;
use sarsen_games::fixture::Fixture;

fn opens(sandbox: &Sandbox, text: &str) -> bool {
    sandbox.seals.open(text, &mut KindHint::default()).is_some()
}

/// A position of each game.
fn sealed(sandbox: &Sandbox) -> Vec<String> {
    let first = |game| sandbox.seal(&first(sandbox, game, None, DiceSeed([3; 32])).position).unwrap();
    sandbox.games.ids().into_iter().map(first).collect()
}

#[test]
fn a_changed_text_does_not_open() {
    let sandbox = sandbox(1);
    for text in sealed(&sandbox) {
        assert!(opens(&sandbox, &text));
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            assert!(!opens(&sandbox, &String::from_utf8(changed).unwrap()), "changed at {at}");
        }
        for wrong in ["", "sp1.", "sp1.AAAA", "sp2.AAAA", "é", &text[..text.len() - 4], &text[4..], &format!("{text}A")]
        {
            assert!(!opens(&sandbox, wrong), "{wrong}");
        }
    }
}

#[test]
fn a_position_lives_as_long_as_its_key() {
    let ambient = Ambient::fixed(0, 7);
    let (old, new) = (SigningKeys::new_key_text(&ambient), SigningKeys::new_key_text(&ambient));
    let with = |text: &str| Sandbox::new(games(), &SigningKeys::parse(text).unwrap(), ambient.clone()).unwrap();
    let (before, both, after) = (with(&old), with(&format!("{new},{old}")), with(&new));
    for (ours, theirs) in sealed(&before).iter().zip(sealed(&both)) {
        assert!(opens(&both, ours) && !opens(&after, ours), "a key opens until it is dropped");
        assert!(opens(&after, &theirs) && !opens(&before, &theirs), "the first key seals");
    }
    // Another service has other keys.
    assert!(sealed(&sandbox(8)).iter().all(|text| !opens(&both, text)));
}

#[test]
fn a_position_of_other_rules_does_not_open() {
    let ambient = Ambient::fixed(0, 9);
    let keys = keys(&ambient);
    let with = |games: Games| Sandbox::new(Arc::new(games), &keys, ambient.clone()).unwrap();
    let of = |sandbox: &Sandbox| sandbox.seal(&first(sandbox, "fixture", None, DiceSeed([3; 32])).position).unwrap();
    let (one, two) = (with(Games::of(Vec::new()).with(Fixture::<1>)), with(Games::of(Vec::new()).with(Fixture::<2>)));
    assert!(opens(&one, &of(&one)) && opens(&two, &of(&two)));
    assert!(!opens(&two, &of(&one)) && !opens(&one, &of(&two)));
}

#[test]
fn a_text_tells_nothing_but_its_length() {
    let sandbox = sandbox(1);
    let reached = first(&sandbox, "absolution", None, DiceSeed([3; 32]));
    let state = reached.position.state.store().unwrap();
    let text = sandbox.seal(&reached.position).unwrap();
    // A byte of form, seed and position of the dice, the state, and what encryption adds.
    let bytes = 1 + 32 + 8 + state.get().len() + 12 + 16;
    assert_eq!(text.len(), "sp1.".len() + (bytes * 4).div_ceil(3));
    assert!(text["sp1.".len()..].bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
}
