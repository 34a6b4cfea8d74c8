//! Pictures as a browser shows them: how large their text is, that it stays on the sheet, and what the pixels' contrast
//! is.

use sarsen::games::{GameSettings, Games};
use sarsen::pictures::{Ask, DrawnPart, Layout, Theme};
use sarsen::rules::Viewer;
use serde_json::Value;

use crate::browser::matches::Table;
use crate::browser::tab::{Browsing, Tab, WIDE};
use crate::browser::{World, make};

/// Game, seats, moves.
const SHOWN: [(&str, u8, usize); 5] = [
    ("contiguity", 2, 14),
    ("absolution", 3, 38),
    ("sacrifice_roulette", 4, 30),
    ("thief_of_the_sacred_fire", 1, 3),
    ("henge", 3, 60),
];

const PARTS: [Option<DrawnPart>; 5] =
    [None, Some(DrawnPart::Board), Some(DrawnPart::Hand), Some(DrawnPart::Mats), Some(DrawnPart::Tracks)];

/// The pictures of these matches that are asked for alike, each with what it shows.
fn pictures(ask: &Ask) -> Vec<(String, String)> {
    let games = Games::standard(GameSettings::default());
    let names = ["Ann", "Ben", "Cat", "Dan"].map(|name| Some(name.to_owned())).to_vec();
    let drawn = |(id, seats, moves)| {
        let table = Table::new(&**games.newest(id).unwrap(), &Value::Null, seats, 3).steps(moves);
        let own = table.viewers().next().unwrap();
        let of = |viewer: Viewer| table.drawn(viewer, Ask { names: names.clone(), ..ask.clone() }).into_text();
        (format!("{id} {ask:?}"), of(own))
    };
    SHOWN.into_iter().map(drawn).collect()
}

/// Puts a picture into the page, `width` pixels wide.
async fn put(tab: &Tab, svg: &str, width: u32) {
    let page = format!("<div style=\"width:{width}px\">{svg}</div>");
    let page = serde_json::to_string(&page).unwrap();
    tab.run(&format!("document.body.style.margin = 0; document.body.innerHTML = {page}; undefined")).await;
}

/// Texts that are lower than 9 pixels, or lie beside the sheet.
const MISPLACED: &str = "(svg) => {
    const sheet = svg.getBoundingClientRect();
    const scale = sheet.width / svg.viewBox.baseVal.width;
    return [...svg.querySelectorAll('text')].flatMap((text) => {
        const height = parseFloat(getComputedStyle(text).fontSize) * scale;
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const beside = left < sheet.left - 1 || right > sheet.right + 1 || top < sheet.top - 1 || bottom > sheet.bottom + 1;
        return height < 9 || beside ? [`${text.textContent}: ${height} px, ${left} to ${right}`] : [];
    });
}";

#[tokio::test(flavor = "multi_thread")]
async fn text_is_never_under_9_pixels_and_stays_on_the_sheet() {
    let browsing = Browsing::start(WIDE);
    let tab = browsing.tab("about:blank").await;
    for (layout, widths) in [(Layout::Narrow, &[360, 768][..]), (Layout::Wide, &[950, 1240, 1280])] {
        for part in PARTS {
            for (what, svg) in pictures(&Ask { layout, part, coordinates: true, ..Ask::default() }) {
                let is_wide = layout == Layout::Wide && what.starts_with("henge");
                for width in widths.iter().filter(|width| !is_wide || **width >= 1240) {
                    put(&tab, &svg, *width).await;
                    let shown = format!("[document.querySelector('svg')].flatMap({MISPLACED})");
                    let misplaced: Vec<String> = tab.ask(&shown).await;
                    assert!(misplaced.is_empty(), "{what} at {width} pixels: {misplaced:#?}");
                }
            }
        }
    }
    tab.close().await;
    browsing.close().await;
}

/// The pictures of the playground, side by side where there is room, and enlarged.
#[tokio::test(flavor = "multi_thread")]
async fn no_text_of_the_playgrounds_pictures_is_under_9_pixels() {
    let pictures =
        "[...document.querySelectorAll('.picture')].map((picture) => picture.shadowRoot.querySelector('svg'))";
    let misplaced = format!("{pictures}.flatMap({MISPLACED})");
    for size in [(360, 740), (820, 1180), (1024, 768), (1280, 800)] {
        // Against bots the one picture is as wide as the page.
        for (game, others) in [("contiguity", ""), ("contiguity", "easy"), ("absolution", ""), ("henge", "easy")] {
            let world = World::start(size).await;
            let tab = world.playground().await;
            tab.run(&format!("document.getElementById('others').value = {others:?}")).await;
            make(&tab, game, 2, &[]).await;
            tab.until(&format!("{pictures}.every((svg) => svg)")).await;
            let found: Vec<String> = tab.ask(&misplaced).await;
            assert!(found.is_empty(), "{game} at {size:?}: {found:#?}");
            tab.run(&format!("{pictures}[0].dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))")).await;
            let enlarged =
                "document.querySelector('dialog[open] .picture')?.shadowRoot.querySelector('svg:not(.narrow)')";
            tab.until(enlarged).await;
            let found: Vec<String> = tab.ask(&format!("[{enlarged}].flatMap({MISPLACED})")).await;
            assert!(found.is_empty(), "{game}, enlarged at {size:?}: {found:#?}");
            tab.close().await;
            world.stop().await;
        }
    }
}

/// Samples the pixels of every text, and of every piece and of what is around it.
const FAINT: &str = "(async () => {
    const svg = document.querySelector('svg');
    const sheet = svg.getBoundingClientRect();
    const image = new Image();
    image.src = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(svg));
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.round(sheet.width), Math.round(sheet.height)];
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    const light = (value) => value <= 10.31 ? value / 255 / 12.92 : ((value / 255 + .055) / 1.055) ** 2.4;
    const luminance = ([red, green, blue]) => .2126 * light(red) + .7152 * light(green) + .0722 * light(blue);
    const contrast = (one, other) => {
        const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (bright + .05) / (dark + .05);
    };
    // The colours of a box by how often they are there.
    const colours = ({ left, top, right, bottom }, grown = 0) => {
        const [x, y] = [Math.floor(left - sheet.left - grown), Math.floor(top - sheet.top - grown)];
        const [width, height] = [right - left + 2 * grown, bottom - top + 2 * grown].map((length) => Math.max(1, Math.ceil(length)));
        const { data } = pen.getImageData(x, y, width, height);
        const found = new Map();
        for (let at = 0; at < data.length; at += 4) {
            const colour = data.slice(at, at + 3).join();
            found.set(colour, (found.get(colour) ?? 0) + 1);
        }
        return [...found].sort(([, one], [, other]) => other - one).map(([colour]) => colour.split(',').map(Number));
    };
    const close = (one, other) => one.every((part, at) => Math.abs(part - other[at]) < 12);
    const faint = [];
    for (const text of svg.querySelectorAll('text')) {
        const ink = getComputedStyle(text).fill.match(/[0-9]+/g).slice(0, 3).map(Number);
        const box = text.getBoundingClientRect();
        // A piece may lie on an id.
        const covers = ({ left, right, top, bottom }) => left < box.right && right > box.left && top < box.bottom && bottom > box.top;
        if ([...svg.querySelectorAll('.piece')].some((piece) => !piece.contains(text) && covers(piece.getBoundingClientRect()))) continue;
        const found = colours(box);
        const ground = found.find((colour) => !close(colour, ink)) ?? ink;
        if (contrast(ink, ground) < 4.5) faint.push(`${text.textContent}: ${ink} on ${ground}`);
    }
    for (const piece of svg.querySelectorAll('.piece:not([data-card])')) {
        const box = piece.getBoundingClientRect();
        const [ground] = colours({ left: box.left, right: box.right, top: box.bottom + 3, bottom: box.bottom + 5 });
        if (!colours(box).some((colour) => contrast(colour, ground) >= 3)) faint.push(`${piece.textContent} on ${ground}`);
    }
    return faint;
})()";

#[tokio::test(flavor = "multi_thread")]
async fn pixels_of_text_and_pieces_have_enough_contrast_in_both_themes() {
    let browsing = Browsing::start(WIDE);
    let tab = browsing.tab("about:blank").await;
    for theme in [Theme::Light, Theme::Dark] {
        for layout in [Layout::Wide, Layout::Narrow] {
            for (what, svg) in pictures(&Ask { theme, layout, coordinates: true, ..Ask::default() }) {
                put(&tab, &svg, 1280).await;
                let faint: Vec<String> = tab.ask(FAINT).await;
                assert!(faint.is_empty(), "{what}: {faint:#?}");
            }
        }
    }
    tab.close().await;
    browsing.close().await;
}
