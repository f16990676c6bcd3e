-- What the use of the quota and the service tiers add to a reading, and to the reference level of a ticket.
ALTER TABLE readings ADD COLUMN estimated_tpm_quota_usage_p50 NUMERIC;
ALTER TABLE readings ADD COLUMN estimated_tpm_quota_usage_p95 NUMERIC;
ALTER TABLE readings ADD COLUMN estimated_tpm_quota_usage_sum NUMERIC;
ALTER TABLE readings ADD COLUMN estimated_tpm_quota_usage_sample_count NUMERIC;
-- Requests that each tier served.
ALTER TABLE readings ADD COLUMN served_reserved NUMERIC;
ALTER TABLE readings ADD COLUMN served_priority NUMERIC;
ALTER TABLE readings ADD COLUMN served_default NUMERIC;
ALTER TABLE readings ADD COLUMN served_flex NUMERIC;

ALTER TABLE tickets ADD COLUMN usual_quota_tokens REAL;
-- Shares; all three are NULL where CloudWatch has no tiers.
ALTER TABLE tickets ADD COLUMN usual_reserved_share REAL;
ALTER TABLE tickets ADD COLUMN usual_priority_share REAL;
ALTER TABLE tickets ADD COLUMN usual_flex_share REAL;
