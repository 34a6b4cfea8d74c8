//! Writing SVG, element by element.
//!
//! Invariant: what is given as text is escaped here and nowhere else; classes are words of this crate. Elements that are
//! opened are closed, for what is inside them is written by a closure.

use std::fmt::{self, Display, Write};

use super::geometry::{Point, Tenths};

/// The picture drawn so far.
#[derive(Default)]
pub(crate) struct Canvas(String);

/// Text as XML may hold it, in elements and attributes alike.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for symbol in self.0.chars() {
            match symbol {
                '&' => f.write_str("&amp;"),
                '<' => f.write_str("&lt;"),
                '>' => f.write_str("&gt;"),
                '"' => f.write_str("&quot;"),
                '\'' => f.write_str("&#39;"),
                '\t' | '\n' | '\r' => f.write_char(' '),
                // XML has no place for these, not even by number.
                '\0'..' ' | '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER),
                other => f.write_char(other),
            }?;
        }
        Ok(())
    }
}

impl Canvas {
    /// Something empty to draw on.
    pub(crate) fn new() -> Canvas {
        Canvas(String::with_capacity(64 * 1024))
    }

    /// Returns what has been drawn.
    pub(super) fn into_text(self) -> String {
        self.0
    }

    /// Writing into a text does not fail.
    fn write(&mut self, what: fmt::Arguments<'_>) {
        let _ = self.0.write_fmt(what);
    }

    /// Markup of this crate, without escaping.
    pub(super) fn markup(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// An element that holds nothing but `text`.
    pub(super) fn element(&mut self, name: &str, text: &str) {
        self.write(format_args!("<{name}>{}</{name}>", Escaped(text)));
    }

    /// An attribute of the element that is being opened.
    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        self.write(format_args!(" {name}=\"{}\"", Escaped(value)));
    }

    /// A group of this class; `inside` draws what is in it.
    pub(crate) fn group(&mut self, class: &str, inside: impl FnOnce(&mut Canvas)) {
        self.write(format_args!("<g class=\"{class}\">"));
        inside(self);
        self.0.push_str("</g>");
    }

    /// A piece: a group that tells what it is.
    pub(crate) fn piece(&mut self, title: &str, inside: impl FnOnce(&mut Canvas)) {
        self.0.push_str("<g class=\"piece\">");
        self.element("title", title);
        inside(self);
        self.0.push_str("</g>");
    }

    pub(crate) fn circle(&mut self, at: Point, radius: f64, class: &str) {
        let (x, y, r) = (Tenths(at.x), Tenths(at.y), Tenths(radius));
        self.write(format_args!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"));
    }

    /// A rectangle around `at`, with round corners of `corner`.
    pub(crate) fn rect(&mut self, at: Point, width: f64, height: f64, corner: f64, class: &str) {
        let (x, y) = (Tenths(at.x - width / 2.0), Tenths(at.y - height / 2.0));
        let (width, height, corner) = (Tenths(width), Tenths(height), Tenths(corner));
        self.write(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{corner}\"/>"
        ));
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, class: &str) {
        self.write(format_args!("<path class=\"{class}\" d=\"M{from}L{to}\"/>"));
    }

    /// A closed shape with these corners.
    pub(crate) fn shape(&mut self, corners: &[Point], class: &str) {
        self.write(format_args!("<path class=\"{class}\" d=\"M"));
        for (index, corner) in corners.iter().enumerate() {
            let between = if index == 0 { "" } else { "L" };
            self.write(format_args!("{between}{corner}"));
        }
        self.0.push_str("Z\"/>");
    }

    /// A shape by what `d` says, in path data.
    pub(crate) fn path(&mut self, d: fmt::Arguments<'_>, class: &str) {
        self.write(format_args!("<path class=\"{class}\" d=\"{d}\"/>"));
    }

    /// A line of text about `at`; the class says how large it is and which part of it is at that point.
    pub(crate) fn label(&mut self, at: Point, class: &str, text: &str) {
        let (x, y) = (Tenths(at.x), Tenths(at.y));
        self.write(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", Escaped(text)));
    }

    /// The same, turned clockwise about `at`.
    pub(crate) fn turned_label(&mut self, at: Point, degrees: f64, class: &str, text: &str) {
        let (degrees, text) = (Tenths(degrees), Escaped(text));
        self.write(format_args!(
            "<text class=\"{class}\" transform=\"translate({at}) rotate({degrees})\">{text}</text>"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        let mut canvas = Canvas::new();
        let hostile = "</text><script>alert('1')</script>\" onload=\"x\u{0}\u{8}\n&amp;";
        canvas.label(Point::new(0.0, 0.0), "t", hostile);
        canvas.piece(hostile, |_| {});
        let text = canvas.into_text();
        assert_eq!(text.matches('<').count(), 6, "{text}");
        assert!(!text.contains("alert('") && !text.contains("\" onload") && text.contains("&amp;amp;"), "{text}");
        assert!(!text.contains(|symbol: char| symbol.is_control()), "{text}");
    }
}
