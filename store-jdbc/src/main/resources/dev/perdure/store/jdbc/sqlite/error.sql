-- The errors of failed tasks, read from their own index only.

-- name: pairs
-- The next combination of an error and a kind; the caller jumps from one to the next.
SELECT
  s.error, s.kind,
  (
    SELECT n.ended_at
    FROM perdure_task_state n INDEXED BY perdure_task_state_error
    WHERE n.shard = s.shard
      AND n.state = 'failure'
      AND n.error = s.error
      AND n.kind = s.kind
    ORDER BY n.ended_at DESC, n.id DESC
    LIMIT 1
  ) AS last_at,
  (
    SELECT n.id
    FROM perdure_task_state n INDEXED BY perdure_task_state_error
    WHERE n.shard = s.shard
      AND n.state = 'failure'
      AND n.error = s.error
      AND n.kind = s.kind
    ORDER BY n.ended_at DESC, n.id DESC
    LIMIT 1
  ) AS newest
FROM perdure_task_state s INDEXED BY perdure_task_state_error
WHERE s.shard = :shard
  AND s.state = 'failure'
  AND (s.error, s.kind) > (:error, :kind)
ORDER BY s.error, s.kind
LIMIT 1;

-- name: counts
-- The newest failed tasks of one combination.
SELECT
  :error AS error, :kind AS kind, NULL AS failure_kind, e.give_up_reason,
  (e.ended_at - :from) / :step_ms AS bucket, count(*) AS tasks, min(e.ended_at) AS first_at,
  max(e.ended_at) AS last_at, NULL AS sample
FROM (
  SELECT s.ended_at, s.give_up_reason
  FROM perdure_task_state s INDEXED BY perdure_task_state_error
  WHERE s.shard = :shard
    AND s.state = 'failure'
    AND s.error = :error
    AND s.kind = :kind
    AND s.ended_at >= :from
  ORDER BY s.ended_at DESC, s.id DESC
  LIMIT :limit + 0
) e
GROUP BY e.give_up_reason, (e.ended_at - :from) / :step_ms;

-- name: without_error
-- Tasks that failed before errors were recorded. Their number only shrinks.
SELECT
  NULL AS error, e.kind, e.failure_kind, e.give_up_reason,
  (e.ended_at - :from) / :step_ms AS bucket, count(*) AS tasks, min(e.ended_at) AS first_at,
  max(e.ended_at) AS last_at, max(e.id) AS sample
FROM (
  SELECT s.id, s.kind, s.failure_kind, s.give_up_reason, s.ended_at
  FROM perdure_task_state s INDEXED BY perdure_task_state_error
  WHERE s.shard = :shard
    AND s.state = 'failure'
    AND s.error IS NULL
    AND s.ended_at >= :from
  LIMIT :limit + 0
) e
GROUP BY e.kind, e.failure_kind, e.give_up_reason, (e.ended_at - :from) / :step_ms;

-- name: retries
-- The waiting retries that are due next, each with when it last changed.
SELECT
  e.error, e.kind, CASE WHEN e.error IS NULL THEN e.failure_kind END AS failure_kind,
  NULL AS give_up_reason,
  CASE WHEN e.updated_at < :from THEN -1 ELSE (e.updated_at - :from) / :step_ms END AS bucket,
  count(*) AS tasks, min(e.updated_at) AS first_at, max(e.updated_at) AS last_at,
  max(e.id) AS sample
FROM (
  SELECT s.id, s.error, s.kind, s.failure_kind, s.updated_at
  FROM perdure_task_state s INDEXED BY perdure_task_state_retry
  WHERE s.shard = :shard
    AND s.state = 'retry_pending'
  ORDER BY s.due_at, s.id
  LIMIT :limit + 0
) e
GROUP BY 1, 2, 3, 5;

-- name: last_attempts
SELECT
  a.task, a.epoch, a.number, a.worker, a.started_at, a.ended_at, a.outcome, a.failure_kind,
  a.status, a.code, a.message, a.exception_types, NULL AS stack, a.delay_ms, a.next_at, NULL AS result
FROM json_each(:ids) j
CROSS JOIN perdure_attempt a
  ON a.shard = :shard AND a.task = unhex(j.value)
WHERE a.epoch = (
  SELECT max(l.epoch)
  FROM perdure_attempt l
  WHERE l.shard = :shard
    AND l.task = a.task);
