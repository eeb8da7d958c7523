-- name: add
-- Rows that another transaction is writing are skipped, as in task_state.heartbeat.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
unlocked AS MATERIALIZED (
  SELECT s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = ANY (CAST(:ids AS uuid[]))
    AND s.state IN ('claimed', 'running')
  FOR UPDATE SKIP LOCKED
)
UPDATE perdure_task_state s
SET times_out_at = CASE
      WHEN s.times_out_at IS NOT NULL THEN clock.now + s.timeout_ms * INTERVAL '1 millisecond'
    END,
    lease_until = CASE
      WHEN s.lease_until IS NOT NULL
        THEN GREATEST(s.lease_until, clock.now + g.lease_ms * INTERVAL '1 millisecond')
    END,
    success = s.success + g.success,
    failures = s.failures + g.failures,
    updated_at = clock.now
FROM clock
CROSS JOIN unnest(
  CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:epochs AS bigint[]),
  CAST(:successes AS bigint[]), CAST(:failures AS bigint[]), CAST(:leases_ms AS bigint[])
) AS g (item_index, id, epoch, success, failures, lease_ms)
WHERE s.shard = :shard
  AND s.id = g.id
  AND s.id = ANY (ARRAY(SELECT unlocked.id FROM unlocked))
  AND s.state IN ('claimed', 'running')
  AND s.epoch = g.epoch
  AND s.success <= 9223372036854775807 - g.success
  AND s.failures <= 9223372036854775807 - g.failures
RETURNING g.item_index;

-- name: update_task
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
updated AS (
  UPDATE perdure_task_state s
  SET priority = COALESCE(CAST(:priority AS integer), s.priority),
      claim_at = s.due_at
        - COALESCE(CAST(:priority AS integer), s.priority) * INTERVAL '1 second',
      expected_count = COALESCE(CAST(:expected_count AS bigint), s.expected_count),
      updated_at = clock.now
  FROM clock
  WHERE s.shard = :shard
    AND s.id = :id
    AND s.ended_at IS NULL
    AND (CAST(:epoch AS bigint) IS NULL
      OR (s.epoch = :epoch AND s.state IN ('claimed', 'running')))
  RETURNING s.batch, s.id
),
updated_metadata AS (
  UPDATE perdure_task t
  SET metadata = :metadata,
      metadata_index = :metadata_index
  FROM updated r
  WHERE t.shard = :shard
    AND t.batch = r.batch
    AND t.id = r.id
    AND CAST(:metadata AS text) IS NOT NULL
)
SELECT 0 AS item_index
FROM updated r;

-- name: update_metadata
-- in update_task
