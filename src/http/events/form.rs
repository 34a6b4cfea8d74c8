//! The forms in which a feed's items go out.

use actix_web::web::Bytes;

use sarsen_base::ambient::Timestamp;

/// The first bytes of each item of a stream, before the time at which it is sent. Until then a placeholder of the same
/// length takes its place, since the bytes are written once for all readers.
const BEGINS: &str = r#"{"server_time":"#;
const UNSENT: &str = r#""0000-00-00T00:00:00.000Z","#;

/// The form in which items go out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A page of JSON.
    Page,
    Stream(StreamForm),
}

/// The form of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StreamForm {
    /// `text/event-stream`.
    ServerSent,
    /// `application/x-ndjson`.
    JsonLines,
}

/// The number of forms.
const FORMS: usize = 3;

/// One item of a feed, written once for whichever form it goes out in.
pub(crate) struct Item {
    /// Its id, after which a client resumes.
    pub(crate) id: String,
    pub(crate) json: Bytes,
}

impl Form {
    /// A number of its own: one for items with words, one for those without.
    pub(crate) fn number(self, narrated: bool) -> usize {
        let number = match self {
            Form::Stream(StreamForm::ServerSent) => 0,
            Form::Stream(StreamForm::JsonLines) => 1,
            Form::Page => 2,
        };
        number + if narrated { FORMS } else { 0 }
    }

    /// The items in this form; for a page, as they stand in its array.
    pub(crate) fn write(self, items: &[Item]) -> Vec<u8> {
        let mut text = Vec::with_capacity(items.iter().map(|item| item.id.len() + item.json.len() + 16).sum());
        for (index, Item { id, json }) in items.iter().enumerate() {
            match self {
                Form::Page if index > 0 => text.push(b','),
                Form::Page | Form::Stream(StreamForm::JsonLines) => {}
                Form::Stream(StreamForm::ServerSent) => {
                    text.extend_from_slice(b"id: ");
                    text.extend_from_slice(id.as_bytes());
                    text.extend_from_slice(b"\ndata: ");
                }
            }
            match (self, json.split_first()) {
                (Form::Stream(_), Some((b'{', properties))) => {
                    text.extend_from_slice(BEGINS.as_bytes());
                    text.extend_from_slice(UNSENT.as_bytes());
                    text.extend_from_slice(properties);
                }
                _ => text.extend_from_slice(json),
            }
            text.extend_from_slice(match self {
                Form::Page => b"",
                Form::Stream(StreamForm::ServerSent) => b"\n\n",
                Form::Stream(StreamForm::JsonLines) => b"\n",
            });
        }
        text
    }
}

/// The `count` items of a stream, with `now` as the time at which they are sent.
pub(crate) fn sent_at(items: &[u8], count: usize, now: Timestamp) -> Vec<u8> {
    let mut text = items.to_vec();
    let moment = now.rfc3339();
    let mut from = 0;
    for _ in 0..count {
        // Nothing within an item looks like it: in a text, quotes are escaped.
        let left = text.get(from..).unwrap_or_default();
        let Some(begins) = left.windows(BEGINS.len()).position(|bytes| bytes == BEGINS.as_bytes()) else { break };
        from += begins + BEGINS.len() + 1;
        if let Some(place) = text.get_mut(from..from + moment.len()) {
            place.copy_from_slice(moment.as_bytes());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_behind_each_other() {
        let item = |id: &str| Item { id: id.to_owned(), json: Bytes::from_static(br#"{"a":1}"#) };
        let items = [item("1"), item("2")];
        let written = |form: Form| {
            let text = sent_at(&form.write(&items), 2, Timestamp(1_700_000_000_120));
            String::from_utf8(text).unwrap().replace(r#"{"server_time":"2023-11-14T22:13:20.120Z","a":1}"#, "sent")
        };
        assert_eq!(written(Form::Page), r#"{"a":1},{"a":1}"#);
        assert_eq!(written(Form::Stream(StreamForm::JsonLines)), "sent\nsent\n");
        assert_eq!(written(Form::Stream(StreamForm::ServerSent)), "id: 1\ndata: sent\n\nid: 2\ndata: sent\n\n");
        assert_eq!(Form::Page.write(&[]), b"");
    }
}
