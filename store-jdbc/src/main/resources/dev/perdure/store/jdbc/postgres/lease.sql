-- name: heartbeat
-- The rows are looked up one by one by primary key, as in task_state.apply. With constants as states
-- the planner would read the index of leased tasks instead. Rows that another transaction is writing
-- are skipped: a handler can end its attempt in a transaction that stays open for a long time, and
-- waiting for it would keep the other rows locked.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
input AS NOT MATERIALIZED (
  SELECT
    g.item_index, CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.epoch, g.success,
    g.expected_count, g.lease_ms,
    CASE WHEN g.item_index >= 0 THEN ARRAY['claimed', 'running'] END AS leased_states
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:epochs AS bigint[]),
    CAST(:successes AS bigint[]), CAST(:expected_counts AS bigint[]), CAST(:leases_ms AS bigint[])
  ) AS g (item_index, id, epoch, success, expected_count, lease_ms)
  WHERE g.item_index * 0 = 0
    AND g.epoch * 0 = 0
),
unlocked AS MATERIALIZED (
  SELECT g.item_index, g.shard, g.id, g.epoch, g.success, g.expected_count, g.lease_ms,
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
        THEN COALESCE(clock.now + g.lease_ms * INTERVAL '1 millisecond', s.lease_until)
    END,
    success = COALESCE(g.success, s.success),
    work_base = CASE
      WHEN g.success IS NULL THEN s.work_base
      ELSE LEAST(s.failures, 4000000000000000000)
    END,
    expected_count = COALESCE(g.expected_count, s.expected_count),
    updated_at = clock.now
FROM clock
CROSS JOIN unlocked g
WHERE s.shard = g.shard
  AND s.id = g.id
  AND s.state = ANY (g.leased_states)
  AND s.epoch = g.epoch
RETURNING g.item_index;

-- name: leases_of
SELECT s.id, s.epoch
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.owner = :owner
  AND s.state IN ('claimed', 'running');
