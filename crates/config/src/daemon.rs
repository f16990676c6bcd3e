//! `[daemon]`: the process.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use domain::{DaemonPlan, LogPlan};
use toml::de::DeValue;

use crate::environment::Environment;
use crate::table::{Fault, Table};
use crate::value::{choice, text, word};
use crate::{Purpose, address, secret_url};

pub(crate) fn read(
    mut table: Table<'_, '_, '_>,
    surroundings: (Purpose, &dyn Environment),
) -> Option<DaemonPlan> {
    let listen = table.setting("listen", SocketAddr::from((Ipv4Addr::LOCALHOST, 9464)), listen);
    let public_url = table.optional("public-url", text(address::base));
    let state_dir = table.setting("state-dir", "/var/lib/otpsd".to_owned(), text(word));
    let log = table.setting(
        "log",
        LogPlan::Auto,
        choice(&[("auto", LogPlan::Auto), ("human", LogPlan::Human), ("json", LogPlan::Json)]),
    );
    let heartbeat_url = table.optional("heartbeat-url", secret_url::read("HEARTBEAT_URL"));
    let heartbeat_url =
        secret_url::resolve_optional(table.report, surroundings, "heartbeat-url", heartbeat_url);
    let folder = state_dir.at.map_or_else(|| Path::new(""), |at| table.report.folder(at.file));
    Some(DaemonPlan {
        listen: listen.value?,
        public_url: public_url.value?,
        state_dir: folder.join(state_dir.value?),
        log: log.value?,
        heartbeat_url: heartbeat_url?,
    })
}

/// A bare port is understood well enough to say what it should be.
fn listen(value: &DeValue<'_>) -> Result<SocketAddr, Fault> {
    match value {
        DeValue::Integer(port) => address::socket(port.as_str()),
        other => text(address::socket)(other),
    }
}
