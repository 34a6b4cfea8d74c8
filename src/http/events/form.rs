//! The forms in which a stream's items go out.

use actix_web::web::Bytes;

/// The form of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `text/event-stream`.
    ServerSent,
    /// `application/x-ndjson`.
    JsonLines,
}

/// One item of a feed, written once for whichever form it goes out in.
pub struct Item {
    /// Its id, after which a client resumes.
    pub id: String,
    /// It as JSON.
    pub json: Bytes,
}

impl Form {
    /// The items in this form.
    pub fn write(self, items: &[Item]) -> Vec<u8> {
        let mut text = Vec::new();
        for Item { id, json } in items {
            if self == Form::ServerSent {
                text.extend_from_slice(b"id: ");
                text.extend_from_slice(id.as_bytes());
                text.extend_from_slice(b"\ndata: ");
                text.extend_from_slice(json);
                text.extend_from_slice(b"\n\n");
            } else {
                text.extend_from_slice(json);
                text.extend_from_slice(b"\n");
            }
        }
        text
    }
}
