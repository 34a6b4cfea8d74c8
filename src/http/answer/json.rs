//! JSON answers, written once, straight into the bytes that are sent.
//!
//! Growing a buffer from nothing copies an answer of 10 KB seven times.

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde::Serialize;

use crate::answer::problem::Problem;

/// More than most answers need, in bytes.
pub(crate) const ROOM: usize = 16 * 1024;

/// The answer with `bytes` of JSON as its body.
pub(crate) fn json(answer: &mut HttpResponseBuilder, bytes: Vec<u8>) -> HttpResponse {
    answer.content_type(ContentType::json()).body(bytes)
}

/// The value as a body.
pub(crate) fn body(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(ROOM);
    append(value, &mut bytes)?;
    Ok(bytes)
}

/// Appends `value` to `into`.
pub(crate) fn append(value: &impl Serialize, into: &mut Vec<u8>) -> Result<(), Problem> {
    serde_json::to_writer(into, value).map_err(|error| Problem::internal(error.to_string()))
}

/// An object that is written property by property, where its parts come from several places. The caller of
/// [`Object::key`] writes that property's value before it asks for the next key.
pub(crate) struct Object<'a> {
    into: &'a mut Vec<u8>,
    empty: bool,
}

impl<'a> Object<'a> {
    /// Begins an object at the end of `into`.
    pub(crate) fn begin(into: &'a mut Vec<u8>) -> Object<'a> {
        into.push(b'{');
        Object { into, empty: true }
    }

    /// Appends the properties of an object alone to `into`, for [`Object::ready`].
    pub(crate) fn within(into: &'a mut Vec<u8>) -> Object<'a> {
        Object { into, empty: true }
    }

    /// Returns the buffer for the value of a property whose name needs no escaping.
    pub(crate) fn key(&mut self, name: &str) -> &mut Vec<u8> {
        self.separate();
        self.into.push(b'"');
        self.into.extend_from_slice(name.as_bytes());
        self.into.extend_from_slice(b"\":");
        self.into
    }

    /// Writes a property.
    pub(crate) fn property(&mut self, name: &str, value: &impl Serialize) -> Result<(), Problem> {
        append(value, self.key(name))
    }

    /// Writes properties that stand ready, one at least, as they stand in an object.
    pub(crate) fn ready(&mut self, properties: &[u8]) {
        self.separate();
        self.into.extend_from_slice(properties);
    }

    pub(crate) fn end(self) {
        self.into.push(b'}');
    }

    fn separate(&mut self) {
        if !std::mem::take(&mut self.empty) {
            self.into.push(b',');
        }
    }
}

/// Writes an array of what `write` writes of each item.
pub(crate) fn array<T, E>(
    items: impl IntoIterator<Item = T>,
    into: &mut Vec<u8>,
    mut write: impl FnMut(T, &mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    into.push(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            into.push(b',');
        }
        write(item, into)?;
    }
    into.push(b']');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_arrays_are_separated_by_commas() {
        let mut into = b"[".to_vec();
        Object::begin(&mut into).end();
        into.push(b',');
        let mut object = Object::begin(&mut into);
        object.property("a", &"\"").unwrap();
        array([1, 2], object.key("b"), append_one).unwrap();
        array([], object.key("c"), append_one).unwrap();
        object.ready(br#""d":{},"e":null"#);
        object.property("f", &[0; 0]).unwrap();
        object.end();
        into.push(b']');
        assert_eq!(String::from_utf8(into).unwrap(), r#"[{},{"a":"\"","b":[1,2],"c":[],"d":{},"e":null,"f":[]}]"#);
    }

    fn append_one(number: i32, into: &mut Vec<u8>) -> Result<(), Problem> {
        append(&number, into)
    }
}
