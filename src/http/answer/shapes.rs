//! The shapes that only the games know.
//!
//! In a schema they are names, `#[schema(value_type = Move)]` on a field that holds ready-made JSON; the document fills
//! them in from the games that it is made of.

/// Declares a type that is only a name in schemas.
macro_rules! shape {
    ($(#[$meta:meta])* $vis:vis $name:ident) => {
        $(#[$meta])*
        $vis struct $name;

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::Schema::default().into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
        }
    };
}

pub(crate) use shape;

shape! {
    /// A move of whichever game.
    pub Move
}
shape! {
    /// An event of a match, in its life or in its game.
    pub MatchEvent
}
shape! {
    /// The part of a match's state that the caller may know.
    pub View
}
