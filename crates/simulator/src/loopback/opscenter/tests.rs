use super::*;

fn caller() -> Caller {
    Caller {
        access_key: "AKIA".to_owned(),
        region: "us-east-1".to_owned(),
        account: None,
        home: "111122223333".to_owned(),
        arn: "arn:aws:iam::111122223333:user/loopback".to_owned(),
    }
}

fn call_as(center: &OpsCenter, caller: &Caller, operation: &str, body: &Value) -> Result<Value, AwsError> {
    let answer = center.answer(operation, body.to_string().as_bytes(), caller, Timestamp::UNIX_EPOCH)?;
    Ok(serde_json::from_slice(&answer).unwrap())
}

fn call(center: &OpsCenter, operation: &str, body: &Value) -> Result<Value, AwsError> {
    call_as(center, &caller(), operation, body)
}

fn data(dedup: &str) -> Value {
    let value = json!({"dedupString": dedup}).to_string();
    json!({"/aws/dedup": {"Type": "SearchableString", "Value": value}})
}

fn ticket(dedup: &str) -> Value {
    json!({"Title": "TTFT creeps", "Source": "otpsd", "Description": "since Monday", "OperationalData": data(dedup)})
}

fn with(field: &str, value: Value) -> Value {
    let mut ticket = ticket("otpsd-a");
    ticket[field] = value;
    ticket
}

#[test]
fn what_is_open_is_not_opened_again() {
    let center = OpsCenter::default();
    let first = call(&center, "CreateOpsItem", &ticket("otpsd-a")).unwrap()["OpsItemId"].clone();
    assert_eq!(first, "oi-000000000001");
    let again = call(&center, "CreateOpsItem", &ticket("otpsd-a")).unwrap_err();
    assert_eq!((again.status, again.shape), (400, "OpsItemAlreadyExistsException"));
    assert_eq!(again.fields, [("OpsItemId", first.clone())]);
    assert!(call(&center, "CreateOpsItem", &ticket("otpsd-b")).is_ok());

    // Another Region or account knows nothing of it.
    let abroad = Caller { region: "eu-west-1".to_owned(), ..caller() };
    assert!(call_as(&center, &abroad, "CreateOpsItem", &ticket("otpsd-a")).is_ok());
    assert!(call_as(&center, &abroad, "GetOpsItem", &json!({"OpsItemId": first})).is_err());

    for open in ["InProgress", "Pending"] {
        call(&center, "UpdateOpsItem", &json!({"OpsItemId": first, "Status": open})).unwrap();
        assert!(call(&center, "CreateOpsItem", &ticket("otpsd-a")).is_err(), "{open}");
    }
    call(&center, "UpdateOpsItem", &json!({"OpsItemId": first, "Status": "Resolved"})).unwrap();
    let second = call(&center, "CreateOpsItem", &ticket("otpsd-a")).unwrap()["OpsItemId"].clone();
    assert_ne!(first, second);
    let reopened = call(&center, "UpdateOpsItem", &json!({"OpsItemId": first, "Status": "Open"}));
    assert_eq!(reopened.unwrap_err().fields, [("OpsItemId", second)], "there is another one by now");
}

#[test]
fn an_update_changes_what_it_names() {
    let center = OpsCenter::default();
    let mut request = with("Severity", json!("3"));
    request["Notifications"] = json!([{"Arn": "arn:aws:sns:us-east-1:111122223333:ops"}]);
    let id = call(&center, "CreateOpsItem", &request).unwrap()["OpsItemId"].clone();
    assert_eq!(center.items()[0].notifications, ["arn:aws:sns:us-east-1:111122223333:ops"]);
    let more = json!({"otpsd/seen": {"Type": "String", "Value": "2"}});
    let update = json!({"OpsItemId": id, "Description": "still", "OperationalData": more});
    assert_eq!(call(&center, "UpdateOpsItem", &update).unwrap(), json!({}));
    let item = call(&center, "GetOpsItem", &json!({"OpsItemId": id})).unwrap()["OpsItem"].clone();
    assert_eq!((&item["Title"], &item["Description"]), (&json!("TTFT creeps"), &json!("still")));
    assert_eq!(
        (&item["Severity"], &item["Status"], &item["Version"]),
        (&json!("3"), &json!("Open"), &json!("2"))
    );
    assert_eq!(item["OperationalData"]["otpsd/seen"]["Value"], "2");
    assert_eq!(item["OpsItemArn"], "arn:aws:ssm:us-east-1:111122223333:opsitem/oi-000000000001");
    let delete = json!({"OpsItemId": id, "OperationalDataToDelete": ["otpsd/seen"]});
    call(&center, "UpdateOpsItem", &delete).unwrap();
    assert_eq!(center.items()[0].data.len(), 1);
    assert_eq!(center.items()[0].updates, 2);
    let other = json!({"OpsItemId": id, "OperationalData": data("otpsd-b")});
    assert_eq!(call(&center, "UpdateOpsItem", &other).unwrap_err().shape, "OpsItemInvalidParameterException");
    let unknown = json!({"OpsItemId": "oi-00000000ffff"});
    assert_eq!(call(&center, "UpdateOpsItem", &unknown).unwrap_err().shape, "OpsItemNotFoundException");
    let no_id = json!({"OpsItemId": "7"});
    assert_eq!(call(&center, "UpdateOpsItem", &no_id).unwrap_err().shape, "ValidationException");
}

#[test]
fn limits_are_inclusive_and_reserved_names_are_refused() {
    let create = |request: &Value| call(&OpsCenter::default(), "CreateOpsItem", request);
    for (field, max) in [("Title", 1_024), ("Source", 128), ("Description", 2_048), ("Severity", 64)] {
        assert!(create(&with(field, json!("é".repeat(max)))).is_ok(), "{field}");
        let message = create(&with(field, json!("é".repeat(max + 1)))).unwrap_err().message;
        assert!(message.contains(&format!("at '{}' failed", field.to_lowercase())), "{message}");
        assert!(message.ends_with(&format!("less than or equal to {max}")), "{message}");
    }
    for (field, value) in
        [("Title", json!(" ")), ("Title", json!(null)), ("Priority", json!(6)), ("Priority", json!(0))]
    {
        assert_eq!(
            create(&with(field, value.clone())).unwrap_err().shape,
            "ValidationException",
            "{field} {value}"
        );
    }
    let invalid = "OpsItemInvalidParameterException";
    assert_eq!(create(&with("Source", json!("my-AWS-tool"))).unwrap_err().shape, invalid);
    let text = json!({"Type": "String", "Value": "x"});
    for key in ["aws/x", "/aws/x", "Amazon", "/ssm/y", "amznkey"] {
        assert_eq!(create(&with("OperationalData", json!({key: text}))).unwrap_err().shape, invalid, "{key}");
    }
    let sized = |bytes| with("OperationalData", json!({"k": {"Type": "String", "Value": "x".repeat(bytes)}}));
    assert!(create(&sized(20 * 1_024)).is_ok());
    assert_eq!(create(&sized(20 * 1_024 + 1)).unwrap_err().shape, invalid);
    let no_dedup = json!({"/aws/dedup": {"Type": "SearchableString", "Value": "otpsd-a"}});
    assert_eq!(create(&with("OperationalData", no_dedup)).unwrap_err().shape, invalid);
}

#[test]
fn filters_find_by_what_is_searchable() {
    let center = OpsCenter::default();
    for dedup in ["otpsd-a", "otpsd-b", "otpsd-c"] {
        call(&center, "CreateOpsItem", &ticket(dedup)).unwrap();
    }
    assert!(center.move_by_hand("oi-000000000002", "Resolved", Timestamp::UNIX_EPOCH));
    assert!(!center.move_by_hand("oi-000000000002", "Done", Timestamp::UNIX_EPOCH));
    let filter = |key: &str, operator: &str, values: &[&str]| json!({"Key": key, "Operator": operator, "Values": values});
    let found = |filters: Vec<Value>| {
        let answer = call(&center, "DescribeOpsItems", &json!({"OpsItemFilters": filters})).unwrap();
        let items = answer["OpsItemSummaries"].as_array().unwrap().clone();
        items.iter().map(|item| item["OpsItemId"].as_str().unwrap()[14..].to_owned()).collect::<String>()
    };
    let pair = |dedup: &str| {
        let value = json!({"dedupString": dedup}).to_string();
        json!({"key": "/aws/dedup", "value": value}).to_string()
    };
    assert_eq!(found(vec![]), "321");
    assert_eq!(found(vec![filter("OperationalData", "Equal", &[&pair("otpsd-b")])]), "2");
    assert_eq!(
        found(vec![
            filter("OperationalData", "Equal", &[&pair("otpsd-b")]),
            filter("Status", "Equal", &["Open"])
        ]),
        ""
    );
    assert_eq!(found(vec![filter("Status", "Equal", &["Open", "InProgress"])]), "31");
    assert_eq!(found(vec![filter("OperationalDataValue", "Contains", &["otpsd-c"])]), "3");
    assert_eq!(found(vec![filter("Source", "Equal", &["otpsd"])]), "321");
    let refused =
        |filter: Value| call(&center, "DescribeOpsItems", &json!({"OpsItemFilters": [filter]})).unwrap_err();
    assert_eq!(refused(filter("Colour", "Equal", &["red"])).shape, "ValidationException");
    assert_eq!(refused(filter("Status", "Contains", &["Op"])).shape, "ValidationException");
    assert_eq!(refused(filter("OperationalData", "Equal", &["otpsd-a"])).shape, "ValidationException");

    let first = call(&center, "DescribeOpsItems", &json!({"MaxResults": 2})).unwrap();
    assert_eq!(first["OpsItemSummaries"].as_array().unwrap().len(), 2);
    let rest = call(&center, "DescribeOpsItems", &json!({"MaxResults": 2, "NextToken": first["NextToken"]}))
        .unwrap();
    assert_eq!(rest["OpsItemSummaries"][0]["OpsItemId"], "oi-000000000001");
    assert_eq!(rest.get("NextToken"), None);
}
