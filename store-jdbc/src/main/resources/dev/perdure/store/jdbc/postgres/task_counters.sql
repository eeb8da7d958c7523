-- name: add
-- The rows are found, and locked ones skipped, as in lease.heartbeat.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
input AS NOT MATERIALIZED (
  SELECT
    g.item_index, CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.epoch, g.success,
    g.failures, g.lease_ms,
    CASE WHEN g.item_index >= 0 THEN ARRAY['claimed', 'running'] END AS leased_states
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:epochs AS bigint[]),
    CAST(:successes AS bigint[]), CAST(:failures AS bigint[]), CAST(:leases_ms AS bigint[])
  ) AS g (item_index, id, epoch, success, failures, lease_ms)
  WHERE g.item_index * 0 = 0
    AND g.epoch * 0 = 0
),
unlocked AS MATERIALIZED (
  SELECT g.item_index, g.shard, g.id, g.epoch, g.success, g.failures, g.lease_ms,
    g.leased_states
  FROM input g
  JOIN perdure_task_state s ON s.shard = g.shard AND s.id = g.id
  WHERE s.state = ANY (g.leased_states)
    AND s.epoch = g.epoch
  FOR UPDATE OF s SKIP LOCKED
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
CROSS JOIN unlocked g
WHERE s.shard = g.shard
  AND s.id = g.id
  AND s.state = ANY (g.leased_states)
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
