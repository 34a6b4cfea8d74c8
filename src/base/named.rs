//! Enumerations whose variants have names.

/// Declares an enumeration of variants without fields, each with its name, and the constant `ALL` and the functions
/// `name` and `by_name` of it.
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* pub enum $kind:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$meta])*
        pub enum $kind {
            $($(#[$doc])* $variant,)+
        }

        impl $kind {
            /// All of them, in order.
            pub const ALL: [$kind; [$($name),+].len()] = [$($kind::$variant),+];

            /// Returns its stable name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($kind::$variant => $name,)+
                }
            }

            /// Returns the one of this name.
            pub fn by_name(name: &str) -> Option<$kind> {
                $kind::ALL.into_iter().find(|known| known.name() == name)
            }
        }
    };
}
