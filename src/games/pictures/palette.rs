//! The colours of pictures, and the style sheet that is made of them.
//!
//! Pieces have the colours of Okabe and Ito, which stay apart for every kind of colour vision. Invariants, which tests
//! compute for both themes: the rims of pieces and the marks have a contrast of at least 3:1 to every surface that
//! pieces can lie on, text one of 4.5:1.

use super::ask::{Layout, Theme};

/// A colour as `#rrggbb`, in both themes.
struct Shade {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn shade(name: &'static str, light: &'static str, dark: &'static str) -> Shade {
    Shade { name, light, dark }
}

/// The surfaces that pieces can lie on.
const SURFACES: &[Shade] = &[
    shade("ground", "#f6f2e9", "#15171b"),
    shade("plate", "#d6cdbb", "#1d2026"),
    shade("stone", "#eae4d6", "#2a2e36"),
    shade("night", "#b3bdd0", "#222c44"),
    shade("day", "#fbf0c8", "#4d4629"),
    shade("slate", "#b5cde0", "#1f3b52"),
    shade("card", "#ffffff", "#22262e"),
];

const INKS: &[Shade] = &[
    shade("edge", "#111111", "#f5f5f5"),
    shade("ink", "#1b1a18", "#f1efe9"),
    shade("soft", "#4b4740", "#b6bac3"),
    shade("rim", "#5f5849", "#a3aaba"),
    shade("back", "#5b6a88", "#3a465e"),
];

/// Marks, which lie on every surface.
const MARKS: &[Shade] =
    &[shade("lit", "#8f2f78", "#f0a3d2"), shade("legal", "#005f46", "#4fdcae"), shade("last", "#8a4300", "#ffb454")];

/// Fills of pieces, and what is written on them; alike in both themes.
const PIECES: &[(&str, &str, &str)] = &[
    ("white", "#ffffff", "#000000"),
    ("blue", "#0072b2", "#ffffff"),
    ("green", "#009e73", "#000000"),
    ("yellow", "#f0e442", "#000000"),
    ("red", "#d55e00", "#000000"),
    ("black", "#000000", "#ffffff"),
];

/// The style sheet. Every selector begins with the picture's own class, since a picture within a page shares
/// its style sheet with the page.
const RULES: &str = "\
.sarsen{font-family:system-ui,sans-serif}\
.sarsen text{fill:var(--ink);text-anchor:middle;dominant-baseline:central;pointer-events:none}\
.sarsen .s{text-anchor:start}.sarsen .e{text-anchor:end}\
.sarsen .h{font-size:30px;font-weight:700}.sarsen .l{font-size:22px;font-weight:600}\
.sarsen .m{font-size:18px}.sarsen .t{font-size:15px}.sarsen .u{font-size:11px}.sarsen .v{font-size:10.5px}.sarsen .w{font-size:9.5px}.sarsen .c{font-size:13px}\
.sarsen .b{font-weight:700}.sarsen text.soft{fill:var(--soft)}\
.sarsen .ground{fill:var(--ground)}.sarsen .plate{fill:var(--plate);stroke:var(--rim);stroke-width:1.5}\
.sarsen .stone,.sarsen .night,.sarsen .day,.sarsen .slate,.sarsen .card{stroke:var(--rim);stroke-width:1.2}\
.sarsen .stone{fill:var(--stone)}.sarsen .night{fill:var(--night)}.sarsen .day{fill:var(--day)}\
.sarsen .clear{fill:transparent;stroke:var(--rim);stroke-width:1.2}.sarsen .slate{fill:var(--slate)}.sarsen .card{fill:var(--card)}\
.sarsen .back{fill:var(--back);stroke:var(--edge);stroke-width:1.2}\
.sarsen .line{fill:none;stroke:var(--rim);stroke-width:1.5}\
.sarsen .pen{fill:none;stroke:var(--edge);stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}\
.sarsen .chalk{fill:none;stroke:#fff;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}\
.sarsen .solid{fill:var(--edge)}.sarsen .dim{opacity:.75}.sarsen .still{pointer-events:none}\
.sarsen .lit{fill:none;stroke:var(--lit);stroke-width:5}\
.sarsen .legal{fill:none;stroke:var(--legal);stroke-width:3;stroke-linecap:round;stroke-dasharray:.1 6.5}\
.sarsen .last{fill:none;stroke:var(--last);stroke-width:2.4}\
.sarsen .way{fill:none;stroke:var(--last);stroke-width:3;stroke-linecap:round;stroke-linejoin:round}\
.sarsen .turn{fill:none;stroke:var(--edge);stroke-width:3.5}";

/// The larger type of a narrow picture, 1000 wide: 26 is more than 9 pixels where 360 are all that there is.
const NARROW: &str = "\
.sarsen.narrow .h{font-size:44px}.sarsen.narrow .l{font-size:34px}.sarsen.narrow .m{font-size:31px}\
.sarsen.narrow .t,.sarsen.narrow .c{font-size:28px}\
.sarsen.narrow .u,.sarsen.narrow .v,.sarsen.narrow .w{font-size:26px}";

/// The style sheet of a picture.
pub(crate) fn style(theme: Theme, layout: Layout) -> String {
    let mut style = RULES.to_owned();
    if layout == Layout::Narrow {
        style += NARROW;
    }
    for (name, fill, ink) in PIECES {
        style += &format!(
            ".sarsen .{name}{{fill:{fill};stroke:var(--edge);stroke-width:1.6}}.sarsen .strip-{name}{{fill:{fill};stroke:var(--rim);stroke-width:.7}}\
             .sarsen .on-{name}{{fill:{ink};stroke:{ink}}}.sarsen text.on-{name}{{stroke:none}}"
        );
    }
    // A black strip needs a rim in the dark, a dark one in the light.
    style += ".sarsen .strip-black{stroke:var(--edge);stroke-width:1.4}";
    let shades = |of: fn(&Shade) -> &'static str| {
        let all = SURFACES.iter().chain(INKS).chain(MARKS);
        all.map(|shade| format!("--{}:{};", shade.name, of(shade))).collect::<String>()
    };
    let (light, dark) = (shades(|shade| shade.light), shades(|shade| shade.dark));
    style += &match theme {
        Theme::Light => format!(".sarsen.light{{{light}}}"),
        Theme::Dark => format!(".sarsen.dark{{{dark}}}"),
        Theme::Auto => {
            format!(".sarsen.auto{{{light}}}@media (prefers-color-scheme:dark){{.sarsen.auto{{{dark}}}}}")
        }
    };
    style
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::vision::{Sight, contrast, difference};

    const THEMES: [fn(&Shade) -> &'static str; 2] = [|shade| shade.light, |shade| shade.dark];

    fn named(shades: &'static [Shade], name: &str) -> &'static Shade {
        shades.iter().find(|shade| shade.name == name).unwrap()
    }

    /// Text on a surface has enough contrast.
    fn stands_out(upper: &Shade, lower: &Shade, least: f64) {
        for (theme, of) in ["light", "dark"].into_iter().zip(THEMES) {
            let found = contrast(of(upper), of(lower));
            assert!(found >= least, "{} on {} in {theme}: {found:.2}", upper.name, lower.name);
        }
    }

    #[test]
    fn lines_and_marks_stand_out_from_every_surface() {
        for surface in SURFACES {
            let lines = ["edge", "rim"].map(|name| named(INKS, name));
            for line in lines.into_iter().chain(MARKS) {
                stands_out(line, surface, 3.0);
            }
        }
        stands_out(named(INKS, "edge"), named(INKS, "back"), 3.0);
    }

    #[test]
    fn text_can_be_read() {
        for surface in SURFACES {
            stands_out(named(INKS, "ink"), surface, 4.5);
            stands_out(named(INKS, "soft"), surface, 4.5);
        }
        for (name, fill, ink) in PIECES {
            assert!(contrast(fill, ink) >= 4.5, "what is written on {name}");
        }
        for of in THEMES {
            assert!(contrast("#ffffff", of(named(INKS, "back"))) >= 4.5, "the backs of cards");
        }
    }

    #[test]
    fn pieces_stay_apart_for_every_kind_of_colour_vision() {
        for sight in Sight::ALL {
            for (index, (name, fill, _)) in PIECES.iter().enumerate() {
                for (other, other_fill, _) in &PIECES[..index] {
                    let found = difference(fill, other_fill, sight);
                    assert!(found >= 15.0, "{name} and {other} for {sight:?}: {found:.1}");
                }
            }
        }
    }

    #[test]
    fn a_theme_brings_its_own_colours_only() {
        let style = |theme| style(theme, Layout::Wide);
        assert!(style(Theme::Light).contains("#f6f2e9") && !style(Theme::Light).contains("#15171b"));
        assert!(style(Theme::Dark).contains("#15171b") && !style(Theme::Dark).contains("#f6f2e9"));
        let auto = style(Theme::Auto);
        assert!(auto.contains("#15171b") && auto.contains("@media (prefers-color-scheme:dark)"));
    }
}
