//! Somebody who talks to the service, and what is answered.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::contract;
use crate::world::DEADLINE;

/// A caller with or without a token, at one instance.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    pub base: String,
    pub token: Option<String>,
    pub refresh_token: String,
    /// The player's id; empty without a token.
    pub id: String,
}

/// An answer, read to its end.
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub async fn of(response: reqwest::Response) -> Answer {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("no JSON: {} {}", self.status, self.text()))
    }

    /// The body of a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text());
        if self.bytes.is_empty() { Value::Null } else { self.json() }
    }

    /// The body of a failure, which must be this one in the form that every failure has.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        assert_eq!(
            (self.status, self.header("content-type")),
            (status, Some("application/problem+json")),
            "{}",
            self.text()
        );
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        assert_eq!(problem["type"], format!("/problems/{code}"), "{problem}");
        assert!(problem["title"].is_string() && problem["detail"].is_string(), "{problem}");
        let request_id = self.header("x-request-id").expect("a request id");
        assert_eq!(problem["instance"], request_id, "{problem}");
        assert_eq!(self.header("www-authenticate").is_some(), status == 401, "{problem}");
        problem
    }
}

impl Client {
    pub fn new(http: reqwest::Client, base: String) -> Client {
        Client { http, base, token: None, refresh_token: String::new(), id: String::new() }
    }

    /// The same caller at another instance.
    pub fn at(&self, base: String) -> Client {
        Client { base, ..self.clone() }
    }

    /// The same caller without a token.
    pub fn without_token(&self) -> Client {
        Client { token: None, ..self.clone() }
    }

    /// The same caller with another token.
    pub fn with_token(&self, token: &str) -> Client {
        Client { token: Some(token.to_owned()), ..self.clone() }
    }

    /// The caller that the answer to a sign-in names.
    pub fn signed_in(&self, answer: &Value) -> Client {
        Client {
            token: Some(answer["access_token"].as_str().unwrap().to_owned()),
            refresh_token: answer["refresh_token"].as_str().unwrap().to_owned(),
            id: answer["player"]["id"].as_str().unwrap().to_owned(),
            ..self.clone()
        }
    }

    /// A request that carries the token.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a request. Whatever is answered must be what the document says of the operation.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        let request = request.build().unwrap();
        let (method, path) = (request.method().to_string(), request.url().path().to_owned());
        let answer = Answer::of(self.http.execute(request).await.unwrap()).await;
        contract::check(&method, &path, &answer);
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn get_with(&self, path: &str, header: &str, value: &str) -> Answer {
        self.send(self.request(Method::GET, path).header(header, value)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::POST, path).json(&body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::PUT, path).json(&body)).await
    }

    /// A request without a body.
    pub async fn call(&self, method: &str, path: &str) -> Answer {
        self.send(self.request(method.parse().unwrap(), path)).await
    }

    /// A request with a body as it is.
    pub async fn post_raw(&self, path: &str, content_type: Option<&str>, body: impl Into<Vec<u8>>) -> Answer {
        let request = self.request(Method::POST, path).body(body.into());
        self.send(match content_type {
            Some(kind) => request.header("content-type", kind),
            None => request,
        })
        .await
    }

    /// Makes a match of Contiguity that differs from the usual one in `fields`.
    pub async fn create(&self, fields: Value) -> Value {
        let mut body = json!({"game": "contiguity"});
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.post("/v1/matches", body).await.ok()
    }

    /// The match as the caller sees it.
    pub async fn read(&self, id: &str) -> Value {
        self.get(&format!("/v1/matches/{id}")).await.ok()
    }

    /// Something that needs no body done to a match.
    pub async fn act(&self, id: &str, what: &str) -> Answer {
        self.call("POST", &format!("/v1/matches/{id}/{what}")).await
    }

    /// A move by notation.
    pub async fn play(&self, id: &str, decision: &str, notation: &str) -> Answer {
        self.post(&format!("/v1/matches/{id}/moves"), json!({"decision_id": decision, "notation": notation})).await
    }

    /// The same with an idempotency key.
    pub async fn play_keyed(&self, id: &str, decision: &str, notation: &str, key: &str) -> Answer {
        let body = json!({"decision_id": decision, "notation": notation});
        let request = self.request(Method::POST, &format!("/v1/matches/{id}/moves"));
        self.send(request.json(&body).header("idempotency-key", key)).await
    }

    /// All events of the match that the caller is told.
    pub async fn events(&self, id: &str) -> Vec<Value> {
        let page = self.get(&format!("/v1/matches/{id}/events?limit=1000")).await.ok();
        assert_eq!(page["next_cursor"], Value::Null);
        page["items"].as_array().unwrap().clone()
    }

    /// The same, once they are so many: they follow the steps they tell of, some moments later where instances share
    /// a store.
    pub async fn inbox_of(&self, count: usize) -> Vec<Value> {
        let start = Instant::now();
        loop {
            let inbox = self.inbox().await;
            if inbox.len() >= count {
                assert_eq!(inbox.len(), count);
                return inbox;
            }
            assert!(start.elapsed() < DEADLINE, "{inbox:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// All of the caller's own events so far.
    pub async fn inbox(&self) -> Vec<Value> {
        let page = self.get("/v1/me/events?limit=1000").await.ok();
        page["items"].as_array().unwrap().clone()
    }
}
