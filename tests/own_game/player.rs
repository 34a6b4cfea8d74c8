//! Somebody who talks to the service over HTTP.

use reqwest::{Client, Method, Response};
use serde_json::{Value, json};

/// A caller with or without a token.
#[derive(Clone)]
pub struct Player {
    http: Client,
    base: String,
    token: Option<String>,
}

impl Player {
    /// Somebody who only looks.
    pub fn without_token(base: String) -> Player {
        let http = Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap();
        Player { http, base, token: None }
    }

    /// A new guest.
    pub async fn guest(&self, name: &str) -> Player {
        let signed_in = self.post("/v1/players", json!({"name": name})).await;
        Player { token: Some(signed_in["access_token"].as_str().unwrap().to_owned()), ..self.clone() }
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Response {
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        request.send().await.unwrap()
    }

    /// The text of a success.
    pub async fn text(&self, path: &str) -> String {
        let answer = self.send(Method::GET, path, None).await;
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.text().await.unwrap()
    }

    /// The body of a success.
    pub async fn get(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path).await).unwrap()
    }

    /// The body of a success.
    pub async fn post(&self, path: &str, body: Value) -> Value {
        let answer = self.send(Method::POST, path, Some(body)).await;
        let (status, body) = (answer.status(), answer.json::<Value>().await.unwrap());
        assert!(status.is_success(), "{path}: {body}");
        body
    }

    /// The problem that a request meets.
    pub async fn refused(&self, path: String, body: Value) -> Value {
        let answer = self.send(Method::POST, &path, Some(body)).await;
        assert_eq!(answer.headers()["content-type"], "application/problem+json", "{path}");
        answer.json().await.unwrap()
    }
}
