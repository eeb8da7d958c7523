-- name: add
UPDATE perdure_task_state
SET times_out_at = CASE WHEN times_out_at IS NOT NULL THEN :now + timeout_ms END,
    lease_until = CASE
      WHEN lease_until IS NOT NULL
        THEN max(lease_until, COALESCE(:now + :lease_ms, lease_until))
    END,
    success = success + :success,
    failures = failures + :failures,
    updated_at = :now
WHERE shard = :shard
  AND id = :id
  AND state IN ('claimed', 'running')
  AND epoch = :epoch
  AND success <= 9223372036854775807 - :success
  AND failures <= 9223372036854775807 - :failures;

-- name: update_task
UPDATE perdure_task_state
SET priority = COALESCE(:priority, priority),
    claim_at = due_at - COALESCE(:priority, priority) * 1000,
    expected_count = COALESCE(:expected_count, expected_count),
    updated_at = :now
WHERE shard = :shard
  AND id = :id
  AND ended_at IS NULL
  AND (:epoch IS NULL OR (epoch = :epoch AND state IN ('claimed', 'running')));

-- name: update_metadata
UPDATE perdure_task
SET metadata = :metadata,
    metadata_index = :metadata_index
WHERE shard = :shard
  AND batch = (SELECT s.batch FROM perdure_task_state s WHERE s.shard = :shard AND s.id = :id)
  AND id = :id;
