//! Edits of texts, for the tests of what reads them: the nearer a text is to a sound one, the further its reader goes.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// What separates words.
const BETWEEN: &[u8] = b" \t\r\n=,[]{}\"'#:";

#[derive(Debug, Clone)]
enum Edit {
    /// So many bytes are gone.
    Remove(Index, usize),
    /// Something stands in between.
    Insert(Index, Vec<u8>),
    /// A word is another one.
    Word(Index, Vec<u8>),
    /// A line stands at another place too.
    Repeat(Index, Index),
    /// A line is gone.
    Drop(Index),
    /// The rest is that of another text.
    Splice(Index, Vec<u8>, Index),
}

/// Texts that are a few edits away from one of `sound`. `words` are what their language knows.
pub(crate) fn edited(sound: Vec<Vec<u8>>, words: &[&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let odd = [
        "",
        "-1",
        "0",
        "1e999",
        "nan",
        "18446744073709551616",
        "1970-01-01",
        "\u{feff}",
        "\0",
        "é",
        "\\",
        "\"\"\"",
        "[[",
        "\n",
        "\r",
    ];
    let words: Vec<Vec<u8>> = words.iter().chain(&odd).map(|word| word.as_bytes().to_vec()).collect();
    let piece = || prop_oneof![4 => select(words.clone()), 1 => any::<u8>().prop_map(|byte| vec![byte])];
    let index = any::<Index>;
    let edit = prop_oneof![
        2 => (index(), 1..12_usize).prop_map(|(at, count)| Edit::Remove(at, count)),
        2 => (index(), piece()).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        4 => (index(), piece()).prop_map(|(at, piece)| Edit::Word(at, piece)),
        2 => (index(), index()).prop_map(|(from, to)| Edit::Repeat(from, to)),
        2 => index().prop_map(Edit::Drop),
        1 => (index(), select(sound.clone()), index()).prop_map(|(at, other, from)| Edit::Splice(at, other, from)),
    ];
    (select(sound), prop::collection::vec(edit, 1..8))
        .prop_map(|(text, edits)| edits.iter().fold(text, |text, edit| edit.apply(text)))
}

impl Edit {
    fn apply(&self, mut text: Vec<u8>) -> Vec<u8> {
        let place = |index: &Index, text: &[u8]| index.index(text.len() + 1);
        match self {
            Self::Remove(at, count) => {
                let at = place(at, &text);
                text.drain(at..(at + count).min(text.len()));
            }
            Self::Insert(at, piece) => {
                let at = place(at, &text);
                text.splice(at..at, piece.iter().copied());
            }
            Self::Word(at, piece) => {
                let at = place(at, &text);
                let is_between = |byte: &u8| BETWEEN.contains(byte);
                let start = text[..at].iter().rposition(is_between).map_or(0, |before| before + 1);
                let end = text[at..].iter().position(is_between).map_or(text.len(), |length| at + length);
                text.splice(start..end, piece.iter().copied());
            }
            Self::Repeat(from, to) => {
                let mut lines = lines(&text);
                let line = lines[from.index(lines.len())];
                lines.insert(to.index(lines.len() + 1), line);
                text = lines.concat();
            }
            Self::Drop(at) => {
                let mut lines = lines(&text);
                lines.remove(at.index(lines.len()));
                text = lines.concat();
            }
            Self::Splice(at, other, from) => {
                text.truncate(place(at, &text));
                text.extend_from_slice(&other[place(from, other)..]);
            }
        }
        text
    }
}

/// At least one.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').chain(text.is_empty().then_some(text)).collect()
}
