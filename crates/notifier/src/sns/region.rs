//! What AWS calls its Regions. Source: the endpoint data that AWS publishes with its SDKs.

/// The name of a Region as a CloudWatch notification writes it; its code where the name is not known.
pub(super) fn name(code: &str) -> &str {
    NAMES.iter().find(|(known, _)| *known == code).map_or(code, |(_, name)| name)
}

/// The partition of a Region, which is the second part of every ARN in it.
pub(super) fn partition(code: &str) -> &'static str {
    PARTITIONS.iter().find(|(prefix, _)| code.starts_with(prefix)).map_or("aws", |(_, partition)| partition)
}

const PARTITIONS: [(&str, &str); 3] = [("cn-", "aws-cn"), ("us-gov-", "aws-us-gov"), ("eusc-", "aws-eusc")];

const NAMES: [(&str, &str); 39] = [
    ("af-south-1", "Africa (Cape Town)"),
    ("ap-east-1", "Asia Pacific (Hong Kong)"),
    ("ap-east-2", "Asia Pacific (Taipei)"),
    ("ap-northeast-1", "Asia Pacific (Tokyo)"),
    ("ap-northeast-2", "Asia Pacific (Seoul)"),
    ("ap-northeast-3", "Asia Pacific (Osaka)"),
    ("ap-south-1", "Asia Pacific (Mumbai)"),
    ("ap-south-2", "Asia Pacific (Hyderabad)"),
    ("ap-southeast-1", "Asia Pacific (Singapore)"),
    ("ap-southeast-2", "Asia Pacific (Sydney)"),
    ("ap-southeast-3", "Asia Pacific (Jakarta)"),
    ("ap-southeast-4", "Asia Pacific (Melbourne)"),
    ("ap-southeast-5", "Asia Pacific (Malaysia)"),
    ("ap-southeast-6", "Asia Pacific (New Zealand)"),
    ("ap-southeast-7", "Asia Pacific (Thailand)"),
    ("ca-central-1", "Canada (Central)"),
    ("ca-west-1", "Canada West (Calgary)"),
    ("cn-north-1", "China (Beijing)"),
    ("cn-northwest-1", "China (Ningxia)"),
    ("eu-central-1", "Europe (Frankfurt)"),
    ("eu-central-2", "Europe (Zurich)"),
    ("eu-north-1", "Europe (Stockholm)"),
    ("eu-south-1", "Europe (Milan)"),
    ("eu-south-2", "Europe (Spain)"),
    ("eu-west-1", "Europe (Ireland)"),
    ("eu-west-2", "Europe (London)"),
    ("eu-west-3", "Europe (Paris)"),
    ("eusc-de-east-1", "AWS European Sovereign Cloud (Germany)"),
    ("il-central-1", "Israel (Tel Aviv)"),
    ("me-central-1", "Middle East (UAE)"),
    ("me-south-1", "Middle East (Bahrain)"),
    ("mx-central-1", "Mexico (Central)"),
    ("sa-east-1", "South America (Sao Paulo)"),
    ("us-east-1", "US East (N. Virginia)"),
    ("us-east-2", "US East (Ohio)"),
    ("us-gov-east-1", "AWS GovCloud (US-East)"),
    ("us-gov-west-1", "AWS GovCloud (US-West)"),
    ("us-west-1", "US West (N. California)"),
    ("us-west-2", "US West (Oregon)"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_regions_keep_their_code() {
        assert_eq!(name("us-east-1"), "US East (N. Virginia)");
        assert_eq!(name("eu-central-1"), "Europe (Frankfurt)");
        assert_eq!(name("xx-north-9"), "xx-north-9");
    }

    #[test]
    fn partitions_follow_the_region() {
        let all = ["us-east-1", "cn-north-1", "us-gov-west-1", "eusc-de-east-1"].map(partition);
        assert_eq!(all, ["aws", "aws-cn", "aws-us-gov", "aws-eusc"]);
    }
}
