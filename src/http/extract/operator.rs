//! Operators: from the `Authorization` header to an [`Operator`] who has the scope that the operation needs.
//!
//! Invariant: a handler that takes [`Admin`] names the scope in its signature, and cannot be reached without it. What it
//! does then is audited before ([`sarsen_service::admin::AuditLog::record`]); the use cases ask for the proof.

use std::marker::PhantomData;
use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::LocalBoxFuture;

use super::caller::{bearer_token, service, verified};
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use sarsen_accounts::auth::{Operator, ProgramToken, Scope, TokenError, TokenFlaw};

/// A scope that an operation needs.
pub(crate) trait Needed {
    const SCOPE: Scope;
}

/// `admin:read`.
#[derive(Debug)]
pub(crate) struct Read;
/// `admin:moderate`.
#[derive(Debug)]
pub(crate) struct Moderate;
/// `admin:operate`.
#[derive(Debug)]
pub(crate) struct Operate;

impl Needed for Read {
    const SCOPE: Scope = Scope::Read;
}

impl Needed for Moderate {
    const SCOPE: Scope = Scope::Moderate;
}

impl Needed for Operate {
    const SCOPE: Scope = Scope::Operate;
}

/// An operator with the scope `S`.
#[derive(Debug)]
pub(crate) struct Admin<S> {
    operator: Operator,
    scope: PhantomData<S>,
}

impl<S> Deref for Admin<S> {
    type Target = Operator;
    fn deref(&self) -> &Operator {
        &self.operator
    }
}

impl<S: Needed> FromRequest for Admin<S> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Admin<S>, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let operator = operator(&request, S::SCOPE).await?;
            Ok(Admin { operator, scope: PhantomData })
        })
    }
}

async fn operator(request: &HttpRequest, needed: Scope) -> Result<Operator, Problem> {
    let token = bearer_token(request)?.ok_or(Code::Unauthenticated)?;
    let service = service(request)?;
    let operator = if let Ok(token) = token.parse::<ProgramToken>() {
        // A valid token of a program never has an operator's scope.
        verified(request, token).await?;
        None
    } else {
        match service.tokens.verify_operator(token) {
            // A token of another kind: a player's, which lacks the scope if it is valid.
            Err(TokenError::Invalid(TokenFlaw::Header)) => {
                service.tokens.verify(token)?;
                None
            }
            verified => Some(verified?),
        }
    };
    operator.filter(|operator| operator.scopes.include(needed)).ok_or_else(|| {
        let detail = format!("this needs an operator's token with the scope {}", needed.name());
        Problem::new(Code::ScopeMissing).scope(needed.name()).detail(detail)
    })
}
