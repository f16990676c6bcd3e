//! Which of AWS's endpoints are called.

use super::Values;
use crate::quote::quoted;
use crate::table::Table;

/// Warns of choices that change nothing, and of endpoints that there are not.
pub(super) fn can_be_called(table: &mut Table<'_, '_, '_>, values: &Values) {
    for (key, setting) in [("fips", &values.fips), ("dual-stack", &values.dual_stack)] {
        let (Some(true), Some(at)) = (setting.value, setting.at) else { continue };
        let Some(address) = values.endpoint_url.at else { continue };
        let message = format!("`{key}` changes nothing here: `endpoint-url` is called");
        let draft = table.report.warning(at, message);
        draft.hint("leave out one of them").see(address, "this address is called");
    }
    let (Some(true), Some(at), None) = (values.fips.value, values.fips.at, values.endpoint_url.at) else {
        return;
    };
    for (region, region_at) in values.regions.value.iter().flatten().flatten() {
        if !has_fips(region) {
            let message = format!("AWS has no FIPS endpoints in {}", quoted(region));
            let draft = table.report.warning(*region_at, message);
            draft.hint("they are in the United States and Canada").see(at, "FIPS endpoints are called");
        }
    }
}

/// Those that the endpoints of AWS's own SDKs have for CloudWatch and STS are in the United States and Canada.
fn has_fips(region: &str) -> bool {
    ["us-", "ca-"].iter().any(|country| region.starts_with(country))
}
