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
  AND v.id IN (
    SELECT s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_leased
    WHERE s.shard = :shard
      AND s.state IN ('claimed', 'running')
      AND s.owner IS NOT NULL
      AND (s.lease_until <= :now
        OR (s.lease_until IS NULL
          AND NOT EXISTS (SELECT 1 FROM perdure_node n WHERE n.id = s.owner AND n.dead_at IS NULL)))
    LIMIT :limit + 0);

-- name: inactive
SELECT
  -- insert: task
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.id IN (
    SELECT s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_inactive
    WHERE s.shard = :shard
      AND s.state = 'running'
      AND s.times_out_at <= :now
      AND (s.lease_until IS NOT NULL OR s.owner IS NULL)
    ORDER BY s.times_out_at
    LIMIT :limit + 0)
ORDER BY v.times_out_at;

-- name: past_deadline
SELECT
  -- insert: task
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.id IN (
    SELECT s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_deadline
    WHERE s.shard = :shard
      AND s.ended_at IS NULL
      AND s.deadline_at <= :now
    ORDER BY s.deadline_at
    LIMIT :limit + 0)
ORDER BY v.deadline_at;

-- name: find
SELECT
  -- insert: task
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.id = :id;

-- name: find_all
-- :ids is a JSON array of ids in hexadecimal.
SELECT
  -- insert: task
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.id IN (SELECT unhex(j.value) FROM json_each(:ids) j);

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
      LIMIT :limit + 0
    ) c
  ) AS attempts,
  (
    SELECT count(*)
    FROM (
      SELECT 1 AS one
      FROM perdure_dependency x
      WHERE x.shard = s.shard
        AND x.child = s.id
      LIMIT :limit + 0
    ) c
  ) AS parents,
  (
    SELECT count(*)
    FROM (
      SELECT 1 AS one
      FROM perdure_dependency x
      WHERE x.shard = s.shard
        AND x.parent = s.id
      LIMIT :limit + 0
    ) c
  ) AS children,
  s.schedule
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = :id;
