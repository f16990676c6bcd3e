//! For people: what is wrong, the line with a caret, and what to do.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::{Place, Problem, Severity};

/// Columns of a terminal, of a log and of a mail.
const WIDTH: usize = 80;

/// All problems, an empty line between two of them; the empty text when there is none. `styled` adds colours, for a
/// terminal.
#[must_use]
pub fn text(problems: &[Problem], styled: bool) -> String {
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() }.term_width(WIDTH);
    let one = |problem: &Problem| renderer.render(&[group(problem)]) + "\n";
    problems.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn group(problem: &Problem) -> Group<'_> {
    let (level, name) = match problem.severity {
        Severity::Error => (Level::ERROR, "error: "),
        Severity::Warning => (Level::WARNING, "warning: "),
    };
    let mut group = Group::with_title(level.primary_title(wrapped(&problem.message, WIDTH - name.len())));
    group = match problem.place.as_ref().and_then(|place| Some((place, place.excerpt.as_deref()?))) {
        Some((place, excerpt)) => {
            group.element(snippet(&problem.file, place, excerpt, AnnotationKind::Primary, None))
        }
        None => group.element(match &problem.place {
            Some(place) => Origin::path(&problem.file).line(place.line).char_column(place.column),
            None => Origin::path(&problem.file),
        }),
    };
    if let Some(related) = &problem.related
        && let Some(excerpt) = &related.place.excerpt
    {
        let label = Some(related.label.as_str());
        group =
            group.element(snippet(&related.file, &related.place, excerpt, AnnotationKind::Context, label));
    }
    if let Some(hint) = &problem.hint {
        let gutter = problem.place.as_ref().map_or(0, |place| place.line.to_string().len());
        group = group.element(
            Level::HELP.with_name("hint").message(wrapped(hint, WIDTH - gutter - " = hint: ".len())),
        );
    }
    group
}

fn snippet<'p>(
    file: &'p str,
    place: &Place,
    excerpt: &'p str,
    kind: AnnotationKind,
    label: Option<&'p str>,
) -> Snippet<'p, Annotation<'p>> {
    let byte = |column: usize| {
        excerpt.char_indices().nth(column.saturating_sub(1)).map_or(excerpt.len(), |(byte, _)| byte)
    };
    let start = byte(place.column);
    let end = place.end_column.map_or(excerpt.len(), byte);
    Snippet::source(excerpt)
        .path(file)
        .line_start(place.line)
        .annotation(kind.span(start..end.max(start)).label(label))
}

/// Breaks a text at spaces so that no line is wider, unless a single word is.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
