//! Deserializers for JSON and for the texts of a query.
//!
//! Invariant: no value passes as another kind: no list as a struct, no object as the name of a value, no fraction
//! as an integer.

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::fault::{Misread, in_words};

/// A value given by a client.
#[derive(Clone, Copy)]
pub(super) enum Given<'de> {
    Json(&'de Value),
    /// A parameter of a query, whose text decides its kind.
    Text(&'de str),
}

impl<'de> Given<'de> {
    fn text(self) -> Option<&'de str> {
        match self {
            Given::Json(json) => json.as_str(),
            Given::Text(text) => Some(text),
        }
    }

    fn boolean(self) -> Option<bool> {
        match self {
            Given::Json(json) => json.as_bool(),
            Given::Text(text) => text.parse().ok(),
        }
    }

    fn integer(self) -> Option<i128> {
        match self {
            Given::Json(json) => json.as_i64().map(i128::from).or_else(|| json.as_u64().map(i128::from)),
            Given::Text(text) => text.parse().ok().filter(|_| !text.starts_with('+')),
        }
    }

    fn number(self) -> Option<f64> {
        match self {
            Given::Json(json) => json.as_f64(),
            Given::Text(text) => text.parse().ok().filter(|number: &f64| number.is_finite()),
        }
    }

    fn visit_list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self {
            Given::Json(Value::Array(items)) => visitor.visit_seq(Items { items, place: 0 }),
            _ => Err(wrong(&visitor)),
        }
    }

    fn visit_object<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self {
            Given::Json(Value::Object(object)) => visit_entries(of_object(object), visitor),
            _ => Err(wrong(&visitor)),
        }
    }
}

fn wrong<'de, V: Visitor<'de>>(visitor: &V) -> Misread {
    Misread::has_to_be(in_words(visitor))
}

fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Misread> {
    match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(number), ..) => visitor.visit_u64(number),
        (None, Some(number), _) => visitor.visit_i64(number),
        (None, None, Some(number)) => visitor.visit_f64(number),
        (None, None, None) => Err(wrong(&visitor)),
    }
}

fn of_object<'de>(object: &'de Map<String, Value>) -> impl Iterator<Item = (&'de str, Given<'de>)> {
    object.iter().map(|(key, value)| (key.as_str(), Given::Json(value)))
}

macro_rules! integers {
    ($($read:ident $visit:ident $type:ty),+) => {
        $(fn $read<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
            match self.integer().and_then(|number| <$type>::try_from(number).ok()) {
                Some(number) => visitor.$visit(number),
                None => Err(wrong(&visitor)),
            }
        })+
    };
}

macro_rules! texts {
    ($($read:ident),+) => {
        $(fn $read<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
            match self.text() {
                Some(text) => visitor.visit_borrowed_str(text),
                None => Err(wrong(&visitor)),
            }
        })+
    };
}

impl<'de> Deserializer<'de> for Given<'de> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self {
            Given::Text(text) => visitor.visit_borrowed_str(text),
            Given::Json(Value::Null) => visitor.visit_unit(),
            Given::Json(Value::Bool(value)) => visitor.visit_bool(*value),
            Given::Json(Value::Number(number)) => visit_number(number, visitor),
            Given::Json(Value::String(text)) => visitor.visit_borrowed_str(text),
            Given::Json(Value::Array(_)) => self.visit_list(visitor),
            Given::Json(Value::Object(_)) => self.visit_object(visitor),
        }
    }

    integers!(
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64
    );

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let number = self.integer().ok_or_else(|| wrong(&visitor))?;
        // One too great is still one, which a range refuses.
        visitor.visit_i64(number.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
    }

    texts!(deserialize_char, deserialize_str, deserialize_string, deserialize_identifier);

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.boolean() {
            Some(value) => visitor.visit_bool(value),
            None => Err(wrong(&visitor)),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.number() {
            Some(value) => visitor.visit_f64(value),
            None => Err(wrong(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        if let Given::Json(Value::Null) = self { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        if let Given::Json(Value::Null) = self { visitor.visit_unit() } else { Err(wrong(&visitor)) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misread> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.visit_list(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Misread> {
        self.visit_list(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.visit_list(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.visit_object(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.visit_object(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        if let Some(name) = self.text() {
            return visitor.visit_enum(StrDeserializer::new(name));
        }
        match self {
            Given::Json(Value::Object(object)) if object.len() == 1 => {
                let (name, held) = of_object(object).next().ok_or_else(|| Misread::none_of(names))?;
                visitor.visit_enum(Holding { name, held, names })
            }
            _ => Err(Misread::none_of(names)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! { i128 u128 bytes byte_buf }
}

/// An object without a value of its own.
pub(super) struct Entries<I>(pub(super) I);

impl<'de, I: Iterator<Item = (&'de str, Given<'de>)>> Deserializer<'de> for Entries<I> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visit_entries(self.0, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

fn visit_entries<'de, V, I>(entries: I, visitor: V) -> Result<V::Value, Misread>
where
    V: Visitor<'de>,
    I: Iterator<Item = (&'de str, Given<'de>)>,
{
    visitor.visit_map(Properties { entries, next: None })
}

struct Properties<'de, I> {
    entries: I,
    next: Option<(&'de str, Given<'de>)>,
}

impl<'de, I: Iterator<Item = (&'de str, Given<'de>)>> MapAccess<'de> for Properties<'de, I> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misread> {
        self.next = self.entries.next();
        self.next.map(|(name, _)| seed.deserialize(BorrowedStrDeserializer::new(name))).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Misread> {
        let (name, value) = self.next.take().ok_or_else(|| Misread::custom("a value without a name"))?;
        seed.deserialize(value).map_err(|fault| fault.under(name))
    }
}

struct Items<'de> {
    items: &'de [Value],
    place: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Misread;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misread> {
        let Some(item) = self.items.get(self.place) else { return Ok(None) };
        let place = self.place;
        self.place += 1;
        seed.deserialize(Given::Json(item)).map(Some).map_err(|fault| fault.under(&format!("[{place}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len() - self.place)
    }
}

/// A variant by the name of the only property of an object, which holds the variant's content.
struct Holding<'de> {
    name: &'de str,
    held: Given<'de>,
    names: &'static [&'static str],
}

impl<'de> EnumAccess<'de> for Holding<'de> {
    type Error = Misread;
    type Variant = Holding<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Holding<'de>), Misread> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<Misread>::new(self.name))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Holding<'de> {
    type Error = Misread;

    /// A variant that holds nothing is a string.
    fn unit_variant(self) -> Result<(), Misread> {
        Err(Misread::none_of(self.names))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Misread> {
        seed.deserialize(self.held).map_err(|fault| fault.under(self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Misread> {
        self.held.visit_list(visitor).map_err(|fault| fault.under(self.name))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Misread> {
        self.held.visit_object(visitor).map_err(|fault| fault.under(self.name))
    }
}
