//! The sheet that a picture is drawn on: its size, its words for those who do not see it, its colours.

use super::ask::Ask;
use super::canvas::Canvas;
use super::geometry::{Point, Tenths};
use super::palette;

/// A finished picture: a whole SVG document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Svg {
    text: String,
    words: PictureText,
}

/// A picture in words, for readers who do not look at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureText {
    /// The picture in a few words, such as "Contiguity, turn 12, white to play".
    pub title: String,
    /// The position, in sentences and notation.
    pub description: String,
}

impl Svg {
    /// The document.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The document's text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The document's title and description.
    pub fn into_picture_text(self) -> PictureText {
        self.words
    }
}

/// The title and size of a picture.
pub(crate) struct Sheet {
    /// Its description in a few words, such as "Contiguity, turn 12, white to play".
    pub(crate) title: String,
    /// The position in words and notation: what a screen reader reads.
    pub(crate) description: String,
    /// The width of what is drawn.
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Sheet {
    /// The document that shows `drawn` on this sheet.
    pub(crate) fn finish(&self, ask: &Ask, drawn: Canvas) -> Svg {
        let drawn = drawn.into_text();
        let mut page = Canvas::new();
        let (width, height) = (Tenths(self.width), Tenths(self.height));
        let narrow = if ask.is_narrow() { " narrow" } else { "" };
        page.markup(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             class=\"sarsen {}{narrow}\">",
            ask.theme
        ));
        page.element("title", &self.title);
        page.element("desc", &self.description);
        page.markup("<style>");
        page.markup(&palette::style(ask.theme, ask.layout));
        page.markup("</style>");
        let middle = Point::new(self.width / 2.0, self.height / 2.0);
        page.rect(middle, self.width, self.height, 18.0, "ground");
        page.markup(&drawn);
        page.markup("</svg>\n");
        let words = PictureText { title: self.title.clone(), description: self.description.clone() };
        Svg { text: page.into_text(), words }
    }
}
