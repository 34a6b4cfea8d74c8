//! The forms in which a feed's items go out.

use actix_web::web::Bytes;

/// The form in which items go out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A page of JSON.
    Page,
    /// A stream.
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

/// How many forms there are.
const FORMS: usize = 3;

/// One item of a feed, written once for whichever form it goes out in.
pub(crate) struct Item {
    /// Its id, after which a client resumes.
    pub(crate) id: String,
    /// It as JSON.
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
            text.extend_from_slice(json);
            text.extend_from_slice(match self {
                Form::Page => b"",
                Form::Stream(StreamForm::ServerSent) => b"\n\n",
                Form::Stream(StreamForm::JsonLines) => b"\n",
            });
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_behind_each_other() {
        let item = |id: &str| Item { id: id.to_owned(), json: Bytes::from_static(b"{}") };
        let items = [item("1"), item("2")];
        let written = |form: Form| String::from_utf8(form.write(&items)).unwrap();
        assert_eq!(written(Form::Page), "{},{}");
        assert_eq!(written(Form::Stream(StreamForm::JsonLines)), "{}\n{}\n");
        assert_eq!(written(Form::Stream(StreamForm::ServerSent)), "id: 1\ndata: {}\n\nid: 2\ndata: {}\n\n");
        assert_eq!(Form::Page.write(&[]), b"");
    }
}
