//! Notices what AWS throttled, also what the SDK tries again by itself.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use aws_sdk_cloudwatch::config::interceptors::FinalizerInterceptorContextRef;
use aws_sdk_cloudwatch::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_cloudwatch::error::{BoxError, ProvideErrorMetadata};
use aws_sdk_cloudwatch::operation::get_metric_data::GetMetricDataError;
use aws_sdk_cloudwatch::operation::list_metrics::ListMetricsError;

use super::Quota;
use crate::cloudwatch::failure::is_throttling;

/// Tells a quota of every attempt that was throttled.
#[derive(Debug, Clone, Default)]
pub(in crate::cloudwatch) struct Throttles {
    /// Whose it is, once the account is known.
    pub(in crate::cloudwatch) quota: Arc<OnceLock<Arc<Quota>>>,
}

impl Intercept for Throttles {
    fn name(&self) -> &'static str {
        "Throttles"
    }

    fn read_after_attempt(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let by_status = context.response().is_some_and(|response| response.status().as_u16() == 429);
        let by_code = || {
            let error = context.output_or_error()?.err()?.as_operation_error()?;
            let of_data = error.downcast_ref::<GetMetricDataError>().map(ProvideErrorMetadata::code);
            of_data.or_else(|| error.downcast_ref::<ListMetricsError>().map(ProvideErrorMetadata::code))?
        };
        if (by_status || by_code().is_some_and(is_throttling))
            && let Some(quota) = self.quota.get()
        {
            quota.throttled(Instant::now());
        }
        Ok(())
    }
}
