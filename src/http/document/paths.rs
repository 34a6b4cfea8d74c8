//! The paths of a document and what is known of them.

use utoipa::openapi::path::{Operation, Parameter, ParameterIn, PathItem};
use utoipa::openapi::{OpenApi, RefOr};

use crate::edge::routes::{KnownRoute, ProgramAccess};
use sarsen_accounts::auth::ProgramScope;

/// A path's operations with their methods.
pub(crate) fn operations(item: &PathItem) -> impl Iterator<Item = (&'static str, &Operation)> {
    [("GET", &item.get), ("POST", &item.post), ("PUT", &item.put), ("PATCH", &item.patch), ("DELETE", &item.delete)]
        .into_iter()
        .filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
}

/// The same, to be changed.
pub(crate) fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    [
        ("GET", &mut item.get),
        ("POST", &mut item.post),
        ("PUT", &mut item.put),
        ("PATCH", &mut item.patch),
        ("DELETE", &mut item.delete),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// Every route that the document knows.
pub(crate) fn routes(document: &OpenApi) -> impl Iterator<Item = KnownRoute<'_>> {
    document.paths.paths.iter().flat_map(move |(path, item)| {
        operations(item).filter_map(move |(method, operation)| {
            let operation_id = operation.operation_id.as_deref()?;
            let (takes_query, programs) = (takes_query(document, operation), programs_of(operation));
            Some(KnownRoute { path, method, operation_id, takes_query, programs })
        })
    })
}

/// The programs that may call the operation.
fn programs_of(operation: &Operation) -> ProgramAccess {
    let scopes = operation.extensions.as_ref().and_then(|extensions| extensions.get("x-scopes"));
    match scopes.and_then(|scopes| scopes.get(0)?.as_str()) {
        // It looks at no caller.
        None => ProgramAccess::Any,
        Some(scope) => ProgramScope::by_name(scope).map_or(ProgramAccess::None, ProgramAccess::With),
    }
}

fn takes_query(document: &OpenApi, operation: &Operation) -> bool {
    let in_query = |parameter: &Parameter| parameter.parameter_in == ParameterIn::Query;
    operation.parameters.iter().flatten().any(|parameter| match parameter {
        RefOr::T(parameter) => in_query(parameter),
        RefOr::Ref(shared) => {
            let shared = shared.ref_location.rsplit('/').next().unwrap_or_default();
            let components = document.components.as_ref();
            let shared = components.and_then(|components| components.parameters.get(shared));
            matches!(shared, Some(RefOr::T(parameter)) if in_query(parameter))
        }
    })
}
