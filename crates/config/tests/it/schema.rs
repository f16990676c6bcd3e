//! The JSON Schema that editors read.

use config::schema_json;
use jsonschema::Validator;
use serde_json::Value;

pub(crate) fn validator() -> Validator {
    jsonschema::draft202012::new(&serde_json::from_str(&schema_json()).unwrap()).unwrap()
}

fn is_taken(validator: &Validator, text: &str) -> bool {
    let json: Value = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
    validator.is_valid(&json)
}

#[test]
fn the_committed_one_is_the_one_that_otpsd_prints() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/otpsd.schema.json");
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(committed == schema_json(), "run `otpsd schema > config/otpsd.schema.json`");
    let document: Value = serde_json::from_str(&committed).unwrap();
    jsonschema::draft202012::meta::validate(&document).unwrap();
    assert!(config::REFERENCE.starts_with("#:schema ./otpsd.schema.json\n"), "editors find it by this line");
}

#[test]
fn it_takes_what_the_project_ships() {
    let validator = validator();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/examples");
    let mut examples: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    assert!(examples.len() >= 3);
    examples.push(config::REFERENCE.to_owned());
    for text in examples {
        assert!(is_taken(&validator, &text), "{text}");
    }
}

#[test]
fn it_refuses_what_can_be_seen_without_the_rest() {
    let validator = validator();
    for text in [
        "page-below = 0.8\n",
        "[alrm]\npage-below = 0.8\n",
        "[alarm]\npage-belw = 0.8\n",
        "[alarm]\npage-below = 80\n",
        "[alarm]\npage-below = 1.0\n",
        "[alarm]\npage-below = \"0.8\"\n",
        "[alarm]\nmode = \"off\"\n",
        "[alarm]\nperiod = 250\n",
        "[alarm]\nmin-samples = 0\n",
        "[alarm]\nevaluation-periods = 13\n",
        "[[alarm]]\npage-below = 0.8\n",
        "[baseline]\nhistory = 14\n",
        "[baseline]\nhistory = \"14\"\n",
        "[baseline]\nhistory = \"two weeks\"\n",
        "[ticket]\ndays = 0\n",
        "[override.batch]\npage-below = 0.7\n",
        "[override.batch]\nmatch = {}\npage-below = 0.7\n",
        "[override.batch]\nmatch = { models = [\"*haiku*\"] }\nlabels = { tier = \"2\" }\n",
        "[override.batch]\nmatch = { model = \"*\" }\nlabels = { cost_centre = \"4711\" }\n",
        "[override.batch]\nmatch = { model = \"*\" }\ngroup-by = \"series\"\n",
        "[override]\nmatch = { model = \"*\" }\n",
        "[default.cloudwatch]\naccount-id = \"111122223333\"\n",
        "[default.prometheus]\nurl = \"http://127.0.0.1:9090\"\n",
        "[source.main]\nregions = [\"us-east-1\"]\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1a\"]\n",
        "[source.cloudwatch.main]\nregions = []\n",
        "[source.cloudwatch.main]\nregions = \"us-east-1\"\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\nignore = [\"[a-z]*\"]\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\nsettle-delay = 2\n",
        "[channel.pagerduty.oncall]\nrouting-key = \"R0TESTTESTTESTTESTTESTTESTTEST00\"\n",
        "[channel.pagerduty.oncall]\n",
        "[channel.pagerduty.oncall]\nrouting-key = { env = \"A\", file = \"b\" }\n",
        "[channel.slack.ops]\n",
        "[channel.log.all]\nlevel = \"info\"\n",
        "[channel.sns.\"my topic\"]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:t\"\n",
        "[channel.sns.ops]\ntopic-arn = \"llm-pages\"\n",
        "[channel.sns.ops]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:t\"\nin-flight = 65\n",
        "[channel.jira.llm]\nurl = \"https://example.atlassian.net\"\nproject = \"LLMOPS-17\"\ntoken = { env = \"T\" }\n",
        "[route.page]\nchannels = [\"log.all\"]\n",
        "[[route.pages]]\nchannels = [\"log.all\"]\n",
        "[[route.page]]\nmodels = [\"*haiku*\"]\n",
        "[[route.page]]\nchannels = [\"oncall\"]\n",
        "[[route.ticket]]\ncauses = [\"weather\"]\nchannels = [\"log.all\"]\n",
        "[[route.page]]\nhours = { from = \"22:00\", to = \"07:00\" }\nchannels = [\"log.all\"]\n",
        "[[route.page]]\nhours = { from = \"10pm\", to = \"07:00\", zone = \"UTC\" }\nchannels = [\"log.all\"]\n",
        "[maintenance.weekly]\nfrom = \"22:00\"\nzone = \"UTC\"\n",
    ] {
        assert!(!is_taken(&validator, text), "{text}");
    }
}
