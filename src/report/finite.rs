//! Is every number in a value finite?
//!
//! JSON has no NaN and serde_json writes null for it, which would turn a fault into "unknown". This serializer writes
//! nothing: it walks whatever can be serialized, so a field added later is checked without anybody thinking of it.

use std::fmt;

use serde::{
    Serialize, Serializer,
    ser::{
        Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant,
    },
};

/// Where the number stands, innermost part first.
#[derive(Debug, Default)]
pub struct NotFinite {
    path: Vec<String>,
    /// Set where the value refused to be serialized at all.
    refused: Option<String>,
}

/// Fails at the first number that is NaN or infinite.
pub(super) fn check(value: &impl Serialize) -> Result<(), NotFinite> {
    value.serialize(Walk)
}

impl NotFinite {
    fn below(mut self, part: impl fmt::Display) -> Self {
        self.path.push(part.to_string());
        self
    }
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
        match &self.refused {
            None => write!(f, "{} is", path.join(".")),
            Some(why) => write!(f, "{} cannot be checked ({why})", path.join(".")),
        }
    }
}

impl std::error::Error for NotFinite {}

impl serde::ser::Error for NotFinite {
    fn custom<T: fmt::Display>(message: T) -> Self {
        NotFinite {
            path: Vec::new(),
            refused: Some(message.to_string()),
        }
    }
}

struct Walk;

/// A walk through a sequence or map, at its `at`-th item.
struct Items {
    at: usize,
}

type Checked = Result<(), NotFinite>;

fn number(finite: bool) -> Checked {
    if finite { Ok(()) } else { Err(NotFinite::default()) }
}

macro_rules! nothing_to_check {
    ($($method:ident($type:ty)),+ $(,)?) => {$(
        fn $method(self, _: $type) -> Checked { Ok(()) }
    )+};
}

impl Serializer for Walk {
    type Ok = ();
    type Error = NotFinite;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Items;
    type SerializeStruct = Items;
    type SerializeStructVariant = Items;

    nothing_to_check!(
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_char(char),
        serialize_str(&str),
        serialize_bytes(&[u8]),
        serialize_unit_struct(&'static str),
    );

    fn serialize_f32(self, v: f32) -> Checked {
        number(v.is_finite())
    }

    fn serialize_f64(self, v: f64) -> Checked {
        number(v.is_finite())
    }

    fn serialize_none(self) -> Checked {
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Checked {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Checked {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Checked {
        Ok(())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Checked {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Checked {
        value.serialize(self).map_err(|e| e.below(variant))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, NotFinite> {
        Ok(Items { at: 0 })
    }

    fn serialize_tuple(self, _: usize) -> Result<Items, NotFinite> {
        Ok(Items { at: 0 })
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items, NotFinite> {
        Ok(Items { at: 0 })
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Items, NotFinite> {
        Ok(Items { at: 0 })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Items, NotFinite> {
        Ok(Items { at: 0 })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items, NotFinite> {
        Ok(Items { at: 0 })
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Items, NotFinite> {
        Ok(Items { at: 0 })
    }
}

impl Items {
    fn item<T: ?Sized + Serialize>(&mut self, value: &T) -> Checked {
        let at = self.at;
        self.at += 1;
        value.serialize(Walk).map_err(|e| e.below(at))
    }
}

macro_rules! numbered_items {
    ($($trait:ident::$method:ident),+ $(,)?) => {$(
        impl $trait for Items {
            type Ok = ();
            type Error = NotFinite;
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Checked { self.item(value) }
            fn end(self) -> Checked { Ok(()) }
        }
    )+};
}
numbered_items!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
);

macro_rules! named_items {
    ($($trait:ident),+) => {$(
        impl $trait for Items {
            type Ok = ();
            type Error = NotFinite;
            fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Checked {
                value.serialize(Walk).map_err(|e| e.below(key))
            }
            fn end(self) -> Checked { Ok(()) }
        }
    )+};
}
named_items!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Items {
    type Ok = ();
    type Error = NotFinite;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Checked {
        key.serialize(Walk)
            .map_err(|_| NotFinite::custom("a key of a map is no text"))
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Checked {
        self.item(value)
    }

    fn end(self) -> Checked {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    struct Inner {
        bounds: Option<[f64; 2]>,
    }

    #[test]
    fn the_place_of_the_number_is_said() {
        let value = BTreeMap::from([(
            "rows",
            vec![
                Inner { bounds: None },
                Inner {
                    bounds: Some([1.0, f64::NAN]),
                },
            ],
        )]);
        assert_eq!(check(&value).unwrap_err().to_string(), "0.1.bounds.1 is");
    }

    #[test]
    fn both_widths_and_both_infinities_are_found() {
        assert!(check(&f32::NEG_INFINITY).is_err());
        assert!(check(&Some(f64::INFINITY)).is_err());
        assert!(check(&(1.0f64, f32::MAX, f64::MIN_POSITIVE, "NaN")).is_ok());
    }
}
