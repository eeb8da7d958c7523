-- part: task
  v.id, v.batch, v.run, v.kind, v.queue, v.priority, v.state, v.hold, v.due_at, v.epoch,
  v.handle_epoch, v.owner, v.attempt, v.losses, v.retry_base, v.retry_since, v.unmet,
  v.unmet_failed, v.prev_delay_ms, v.timeout_ms, v.deadline_at, v.started_at, v.ended_at,
  v.updated_at, v.failure_kind, v.give_up_reason, v.success, v.failures, v.expected_count, v.cancel_action, v.created_at, v.name,
  v.payload, v.metadata, v.policy, v.policy_as_given, v.strategy, v.idempotency_key, v.local_id,
  v.actions, v.trace, v.rules, v.dedupe_key, v.message, v.code, v.result, v.error

-- name: orphans
SELECT
  -- insert: task
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.state IN ('claimed', 'running')
  AND v.owner IS NOT NULL
  AND (v.lease_until <= CAST(:now AS timestamptz)
    OR (v.lease_until IS NULL
      AND NOT EXISTS (SELECT FROM perdure_node n WHERE n.id = v.owner AND n.dead_at IS NULL)))
LIMIT :limit;

-- name: inactive
SELECT
  -- insert: task
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.state = 'running'
  AND v.times_out_at <= CAST(:now AS timestamptz)
  AND (v.lease_until IS NOT NULL OR v.owner IS NULL)
ORDER BY v.times_out_at
LIMIT :limit;

-- name: past_deadline
SELECT
  -- insert: task
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.ended_at IS NULL
  AND v.deadline_at <= CAST(:now AS timestamptz)
ORDER BY v.deadline_at
LIMIT :limit;

-- name: find
SELECT
  -- insert: task
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.id = :id;

-- name: find_all
-- Looks up each task as find does. Without the LIMIT the lookups would become one join with a
-- different plan.
SELECT
  -- insert: task
FROM unnest(CAST(:ids AS uuid[])) AS i (id)
CROSS JOIN LATERAL (
  SELECT
    -- insert: task
  FROM perdure_task_view v
  WHERE v.shard = :shard
    AND v.id = i.id
  LIMIT 1) v;

-- name: relations
-- Each count reads one range of an index and stops at the limit.
SELECT
  (
    SELECT count(*)
    FROM (
      SELECT 1 AS one
      FROM perdure_attempt x
      WHERE x.shard = s.shard
        AND x.task = s.id
      LIMIT :limit
    ) c
  ) AS attempts,
  (
    SELECT count(*)
    FROM (
      SELECT 1 AS one
      FROM perdure_dependency x
      WHERE x.shard = s.shard
        AND x.child = s.id
      LIMIT :limit
    ) c
  ) AS parents,
  (
    SELECT count(*)
    FROM (
      SELECT 1 AS one
      FROM perdure_dependency x
      WHERE x.shard = s.shard
        AND x.parent = s.id
      LIMIT :limit
    ) c
  ) AS children,
  s.schedule
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = :id;
