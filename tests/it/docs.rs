//! What the documentation says is so.

use crate::process::{ROOT, run};

/// Every relative link in the project's pages leads somewhere.
#[test]
fn links_lead_somewhere() {
    let pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned);
    let mut pages: Vec<String> = pages.into_iter().collect();
    let mut folders = vec![format!("{ROOT}/docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let text = path.to_str().unwrap().to_owned();
            if path.is_dir() {
                folders.push(text);
            } else if text.ends_with(".md") {
                pages.push(text.trim_start_matches(&format!("{ROOT}/")).to_owned());
            }
        }
    }
    let mut links = 0;
    for page in pages {
        let text = std::fs::read_to_string(format!("{ROOT}/{page}")).unwrap();
        let folder = std::path::Path::new(&page).parent().unwrap().to_owned();
        for part in text.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            links += 1;
            let path = std::path::Path::new(ROOT).join(&folder).join(target);
            assert!(path.exists(), "{page} links to {target}, which is not there");
        }
    }
    assert!(links > 5, "{links}");
}

/// Every command that the program has is in the README or the guide, and its help has a line about it.
#[test]
fn commands_are_documented() {
    let help = run(&["--help"]).out;
    let readme = std::fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    for command in
        ["run", "demo", "backtest", "bench", "explain", "check", "simulate", "status", "healthcheck"]
    {
        assert!(help.contains(&format!("  {command} ")), "{command} is not in the help");
        assert!(readme.contains(&format!("`{command}")), "{command} is not in the README");
    }
}
