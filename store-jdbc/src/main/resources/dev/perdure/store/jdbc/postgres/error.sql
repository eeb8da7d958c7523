-- The errors of failed tasks, read from their own index only. ORDER BY follows the index, and rows are
-- looked up one by one, because without statistics other plans would look just as cheap.

-- name: pairs
-- The combinations of an error and a kind, each found by jumping over the tasks of the one before.
WITH RECURSIVE pair AS (
  (
    SELECT s.error, s.kind
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.error > ''
    ORDER BY s.error, s.kind
    LIMIT 1
  )
  UNION ALL
  SELECT n.error, n.kind
  FROM pair p
  CROSS JOIN LATERAL (
    SELECT s.error, s.kind
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND (s.error, s.kind) > (p.error, p.kind)
    ORDER BY s.error, s.kind
    LIMIT 1
  ) n
)
SELECT p.error, p.kind, newest.ended_at AS last_at, newest.id AS newest
FROM (
  SELECT pair.error, pair.kind
  FROM pair
  LIMIT :limit
) p
CROSS JOIN LATERAL (
  SELECT s.ended_at, s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.state = 'failure'
    AND s.error = p.error
    AND s.kind = p.kind
  ORDER BY s.ended_at DESC, s.id DESC
  LIMIT 1
) newest;

-- name: counts
-- The newest failed tasks of each combination. width_bucket tells which part of the time each is in.
SELECT
  p.error, p.kind, NULL AS failure_kind, c.give_up_reason, c.bucket, c.tasks, c.first_at, c.last_at,
  NULL AS sample
FROM unnest(CAST(:errors AS text[]), CAST(:kinds AS text[])) AS p (error, kind)
CROSS JOIN LATERAL (
  SELECT
    e.give_up_reason, e.bucket, count(*) AS tasks, min(e.ended_at) AS first_at,
    max(e.ended_at) AS last_at
  FROM (
    SELECT
      s.ended_at, s.give_up_reason,
      width_bucket(s.ended_at, CAST(:starts AS timestamptz[])) - 1 AS bucket
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.error = p.error
      AND s.kind = p.kind
      AND s.ended_at >= CAST(:from AS timestamptz)
    ORDER BY s.ended_at DESC, s.id DESC
    LIMIT :limit
  ) e
  GROUP BY e.give_up_reason, e.bucket
) c;

-- name: without_error
-- Tasks that failed before errors were recorded. Their number only shrinks.
SELECT
  NULL AS error, e.kind, e.failure_kind, e.give_up_reason, e.bucket, count(*) AS tasks,
  min(e.ended_at) AS first_at, max(e.ended_at) AS last_at, max(e.id) AS sample
FROM (
  SELECT
    s.kind, s.failure_kind, s.give_up_reason, s.ended_at, CAST(s.id AS text) AS id,
    width_bucket(s.ended_at, CAST(:starts AS timestamptz[])) - 1 AS bucket
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.state = 'failure'
    AND s.error IS NULL
    AND s.ended_at >= CAST(:from AS timestamptz)
  ORDER BY s.kind, s.ended_at
  LIMIT :limit
) e
GROUP BY e.kind, e.failure_kind, e.give_up_reason, e.bucket;

-- name: retries
-- The waiting retries that are due next, each with when it last changed.
SELECT
  e.error, e.kind, CASE WHEN e.error IS NULL THEN e.failure_kind END AS failure_kind,
  NULL AS give_up_reason, e.bucket, count(*) AS tasks, min(e.updated_at) AS first_at,
  max(e.updated_at) AS last_at, max(e.id) AS sample
FROM (
  SELECT
    s.error, s.kind, s.failure_kind, s.updated_at, CAST(s.id AS text) AS id,
    width_bucket(s.updated_at, CAST(:starts AS timestamptz[])) - 1 AS bucket
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.state = 'retry_pending'
  ORDER BY s.due_at, s.id
  LIMIT :limit
) e
GROUP BY e.error, e.kind, CASE WHEN e.error IS NULL THEN e.failure_kind END, e.bucket;

-- name: last_attempts
SELECT
  a.task, a.epoch, a.number, a.worker, a.started_at, a.ended_at, a.outcome, a.failure_kind,
  a.status, a.code, a.message, a.exception_types, NULL AS stack, a.delay_ms, a.next_at, NULL AS result
FROM unnest(CAST(:ids AS uuid[])) AS i (id)
CROSS JOIN LATERAL (
  SELECT
    a.task, a.epoch, a.number, a.worker, a.started_at, a.ended_at, a.outcome, a.failure_kind,
    a.status, a.code, a.message, a.exception_types, a.delay_ms, a.next_at
  FROM perdure_attempt a
  WHERE a.shard = :shard
    AND a.task = i.id
  ORDER BY a.epoch DESC
  LIMIT 1
) a;
