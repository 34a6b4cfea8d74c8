//! Shared components: the document has a parameter, header or response of several operations once.
//!
//! Invariant: only parts that occur at least twice, word for word, are shared, under a descriptive name. If two
//! different parts would have the same name, the second stays where it is.

use std::collections::BTreeMap;

use utoipa::openapi::path::Operation;
use utoipa::openapi::{Components, OpenApi, Ref, RefOr, Response};

use super::paths::operations_mut;
use super::unions::pascal;
use crate::answer::problem::PROBLEM_JSON;

/// Moves what is common into the components.
pub(crate) fn share(document: &mut OpenApi) {
    let mut operations: Vec<&mut Operation> =
        document.paths.paths.values_mut().flat_map(operations_mut).map(|(_, operation)| operation).collect();
    let components = document.components.get_or_insert_default();
    let Components { parameters, headers, responses, .. } = components;
    let mut places = Vec::new();
    for operation in &mut operations {
        places.extend(operation.parameters.iter_mut().flatten().filter_map(|parameter| {
            let RefOr::T(known) = &*parameter else { return None };
            Some((pascal(&known.name), parameter))
        }));
    }
    once(places, "parameters", parameters);
    let mut places = Vec::new();
    for operation in &mut operations {
        for response in operation.responses.responses.values_mut() {
            if let RefOr::T(response) = response {
                let named = response.headers.iter_mut();
                places.extend(named.map(|(name, header)| (pascal(name), header)));
            }
        }
    }
    once(places, "headers", headers);
    let mut places = Vec::new();
    for operation in &mut operations {
        places.extend(operation.responses.responses.iter_mut().filter_map(|(status, response)| {
            let RefOr::T(known) = &*response else { return None };
            Some((response_name(status, known)?, response))
        }));
    }
    once(places, "responses", responses);
}

/// The name of an answer that several operations may give: its codes, or that nothing has changed.
fn response_name(status: &str, response: &Response) -> Option<String> {
    if status == "304" {
        return Some("NotModified".to_owned());
    }
    let RefOr::T(problem) = response.content.get(PROBLEM_JSON)? else { return None };
    let codes: Vec<String> = problem.examples.keys().map(|code| pascal(code)).collect();
    Some(codes.join("Or"))
}

/// Replaces parts that occur more than once under one name by references to one shared component.
fn once<T: Clone + PartialEq>(
    places: Vec<(String, &mut RefOr<T>)>,
    kind: &str,
    shared: &mut BTreeMap<String, RefOr<T>>,
) {
    // The different parts of each name, and how often each occurs.
    let mut counts: BTreeMap<String, Vec<(RefOr<T>, usize)>> = BTreeMap::new();
    for (name, place) in &places {
        let parts = counts.entry(name.clone()).or_default();
        match parts.iter_mut().find(|(part, _)| part == *place) {
            Some((_, count)) => *count += 1,
            None => parts.push(((*place).clone(), 1)),
        }
    }
    for (name, place) in places {
        let common = counts[&name].iter().any(|(part, count)| *count > 1 && part == place);
        if common && shared.entry(name.clone()).or_insert_with(|| place.clone()) == place {
            *place = RefOr::Ref(Ref::new(format!("#/components/{kind}/{name}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use utoipa::openapi::RefOr;

    use super::*;

    #[test]
    fn what_stands_twice_is_shared_and_of_two_different_ones_the_first() {
        let mut all = ["a", "a", "b", "b", "c"].map(|text| RefOr::T(text.to_owned()));
        let mut shared = BTreeMap::new();
        let [one, two, three, four, five] = &mut all;
        let word = |place| ("Word".to_owned(), place);
        let places = vec![word(one), word(two), word(three), word(four), ("Other".to_owned(), five)];
        once(places, "words", &mut shared);
        assert!(
            all[..2]
                .iter()
                .all(|place| matches!(place, RefOr::Ref(to) if to.ref_location == "#/components/words/Word"))
        );
        assert!(all[2..].iter().all(|place| matches!(place, RefOr::T(_))));
        assert!(shared.keys().eq(["Word"]) && shared["Word"] == RefOr::T("a".to_owned()));
    }
}
