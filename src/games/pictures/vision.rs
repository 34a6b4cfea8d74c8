//! Perception of colours: contrast by WCAG 2, and differences for four kinds of colour vision. For tests alone.

/// A kind of colour vision: trichromacy, and the three kinds of dichromacy as Machado, Oliveira and Fernandes (2009)
/// simulate them, in linear light.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Sight {
    Common,
    Protanopia,
    Deuteranopia,
    Tritanopia,
}

type Matrix = [[f64; 3]; 3];

impl Sight {
    pub(crate) const ALL: [Sight; 4] = [Sight::Common, Sight::Protanopia, Sight::Deuteranopia, Sight::Tritanopia];

    const fn matrix(self) -> Matrix {
        match self {
            Sight::Common => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Sight::Protanopia => {
                [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
            }
            Sight::Deuteranopia => {
                [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
            }
            Sight::Tritanopia => {
                [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
            }
        }
    }
}

fn applied(matrix: Matrix, to: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(to).map(|(factor, value)| factor * value).sum())
}

/// Red, green and blue in linear light, 0 to 1.
fn linear(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

fn luminance(colour: &str) -> f64 {
    let [red, green, blue] = linear(colour);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// By WCAG 2: 1 to 21.
pub(crate) fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// CIELAB under D65.
fn lab(colour: &str, sight: Sight) -> [f64; 3] {
    let seen = applied(sight.matrix(), linear(colour)).map(|value| value.clamp(0.0, 1.0));
    let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
    let [x, y, z] = applied(to_xyz, seen);
    let root = |value: f64| {
        if value > 216.0 / 24389.0 { value.cbrt() } else { (24389.0 / 27.0 * value + 16.0) / 116.0 }
    };
    let (x, y, z) = (root(x / 0.95047), root(y), root(z / 1.08883));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The distance of two colours in CIELAB (1976), as `access` has them.
pub(crate) fn difference(one: &str, other: &str, sight: Sight) -> f64 {
    let (one, other) = (lab(one, sight), lab(other, sight));
    one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn known_values_come_out() {
    assert!((contrast("#ffffff", "#000000") - 21.0).abs() < 1e-9);
    assert!((contrast("#ffffff", "#0072b2") - 5.19).abs() < 0.01);
    let greys = difference("#ffffff", "#000000", Sight::Common);
    assert!((greys - 100.0).abs() < 0.1, "{greys}");
    let confused = difference("#d00000", "#6b6b00", Sight::Deuteranopia);
    assert!(confused < difference("#d00000", "#6b6b00", Sight::Common) / 2.0, "{confused}");
}
