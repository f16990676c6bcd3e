//! Where calls go, as the SDK makes it out, without a network.

use std::sync::{Arc, Mutex};

use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use domain::{CloudWatchPlan, MetricSet, Source};
use poller::CloudWatch;

use super::{config, fixed_credentials, plan, request};

/// Notes where requests would go, and connects to nobody.
#[derive(Debug, Clone, Default)]
struct Note(Arc<Mutex<Vec<String>>>);

impl HttpConnector for Note {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let address = request.uri().split('/').take(3).collect::<Vec<_>>().join("/");
        self.0.lock().unwrap().push(address);
        HttpConnectorFuture::ready(Err(ConnectorError::user("there is no network".into())))
    }
}

/// Where CloudWatch and STS are asked.
async fn asked(region: &str, fips: bool, dual_stack: bool) -> [String; 2] {
    let plan = CloudWatchPlan {
        regions: vec![region.to_owned()],
        endpoint_url: None,
        fips,
        dual_stack,
        ..plan(String::new())
    };
    let note = Note::default();
    let connector = note.clone();
    let client = http_client_fn(move |_, _| SharedHttpConnector::new(connector.clone()));
    let config = config(fixed_credentials()).into_builder().http_client(client).build();
    let source = CloudWatch::with_config(&plan, &config).await.remove(0);
    source.read(&request(&["a"], MetricSet::Decode)).await.unwrap_err();
    let nobody = CloudWatchPlan { account_id: None, ..plan };
    CloudWatch::with_config(&nobody, &config).await.remove(0).account().await.unwrap_err();
    let mut asked = note.0.lock().unwrap().clone();
    asked.dedup();
    asked.try_into().unwrap()
}

#[tokio::test]
async fn fips_and_dual_stack_lead_to_their_endpoints() {
    assert_eq!(
        asked("us-east-1", false, false).await,
        ["https://monitoring.us-east-1.amazonaws.com", "https://sts.us-east-1.amazonaws.com"]
    );
    assert_eq!(
        asked("us-east-1", true, false).await,
        ["https://monitoring-fips.us-east-1.amazonaws.com", "https://sts-fips.us-east-1.amazonaws.com"]
    );
    assert_eq!(
        asked("eu-west-1", false, true).await,
        ["https://monitoring.eu-west-1.api.aws", "https://sts.eu-west-1.api.aws"]
    );
    assert_eq!(
        asked("us-west-2", true, true).await,
        ["https://monitoring-fips.us-west-2.api.aws", "https://sts-fips.us-west-2.api.aws"]
    );
}
