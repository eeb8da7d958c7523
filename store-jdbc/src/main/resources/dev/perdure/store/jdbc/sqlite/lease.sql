-- name: heartbeat
UPDATE perdure_task_state
SET times_out_at = CASE WHEN times_out_at IS NOT NULL THEN :now + timeout_ms END,
    lease_until = CASE
      WHEN lease_until IS NOT NULL THEN COALESCE(:now + :lease_ms, lease_until)
    END,
    success = COALESCE(:success, success),
    work_base = CASE
      WHEN :success IS NULL THEN work_base
      ELSE min(failures, 4000000000000000000)
    END,
    expected_count = COALESCE(:expected_count, expected_count),
    updated_at = :now
WHERE shard = :shard
  AND id = :id
  AND state IN ('claimed', 'running')
  AND epoch = :epoch;

-- name: leases_of
SELECT s.id, s.epoch
FROM perdure_task_state s INDEXED BY perdure_task_state_leased
WHERE s.shard = :shard
  AND s.owner = :owner
  AND s.state IN ('claimed', 'running');
