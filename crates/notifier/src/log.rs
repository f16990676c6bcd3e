//! The daemon's own log.

use domain::{Act, Channel, DeliveryError, Message, NoticeKind, Receipt};

/// A channel that always takes what it is given.
pub(crate) struct LogChannel {
    name: String,
}

impl LogChannel {
    pub(crate) fn new(name: String) -> Self {
        Self { name }
    }

    fn write(&self, message: &Message) {
        let (channel, kind, key) = (self.name.as_str(), message.kind.as_str(), message.key.as_str());
        let text = message.body.as_str();
        match message.kind {
            NoticeKind::Page => tracing::warn!(channel, kind, key, text, "{}", message.summary),
            NoticeKind::Resolve | NoticeKind::Ticket(_) => {
                tracing::info!(channel, kind, key, text, "{}", message.summary);
            }
        }
    }
}

impl Channel for LogChannel {
    fn name(&self) -> &str {
        &self.name
    }

    fn deliver<'a>(
        &'a self,
        message: &'a Message,
        _: Option<&'a str>,
    ) -> Act<'a, Result<Receipt, DeliveryError>> {
        Box::pin(async {
            self.write(message);
            Ok(Receipt::default())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    use domain::{ChannelPlan, Rule};

    use crate::{render, sample};

    #[tokio::test]
    async fn a_page_is_a_warning_and_the_rest_is_not() {
        let plan = ChannelPlan::Log { name: "all".to_owned() };
        let messages = sample::with_context(&Rule::default(), "2026-12-03T06:17:02Z", |context| {
            [
                render::page(&sample::paged(), &plan, context),
                render::resolve(&sample::resolved(), &plan, context),
            ]
        });
        let file = tempfile::tempfile().unwrap();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .flatten_event(true)
            .with_writer(Mutex::new(file.try_clone().unwrap()))
            .finish();
        let guard = tracing::subscriber::set_default(subscriber);
        for message in &messages {
            LogChannel::new("log.all".to_owned()).deliver(message, None).await.unwrap();
        }
        drop(guard);
        let lines = read(file);
        assert_eq!(lines.len(), 2);
        for (line, message, level) in [(&lines[0], &messages[0], "WARN"), (&lines[1], &messages[1], "INFO")] {
            assert_eq!(line["level"], level);
            assert_eq!(line["message"], message.summary.as_str());
            assert_eq!(line["channel"], "log.all");
            assert_eq!(line["kind"], message.kind.as_str());
            assert_eq!(line["key"], message.key.as_str());
            assert_eq!(line["text"], message.body.as_str());
        }
    }

    fn read(mut file: std::fs::File) -> Vec<serde_json::Value> {
        use std::io::{Read, Seek};
        let mut text = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}
