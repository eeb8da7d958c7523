-- name: any
-- Whether a claim may find limits to look at. One statement, so that claims without limits pay little.
SELECT
  EXISTS (SELECT 1 FROM perdure_kind_limit k) AS has_kinds,
  EXISTS (SELECT 1 FROM perdure_limit_event e)
  OR EXISTS (
    SELECT 1
    FROM perdure_limit l INDEXED BY perdure_limit_look
    WHERE l.look_at IS NOT NULL
      AND l.look_at <= :now) AS found;

-- name: open
-- in waiting, lock and due

-- name: waiting
-- The first due tasks of a queue that wait for a limit.
SELECT
  waiting.id, waiting.kind, waiting.task_queue, waiting.claim_at, waiting.due_at, waiting.limits, waiting.work
FROM (
  SELECT unprioritized.id, unprioritized.kind, unprioritized.task_queue, unprioritized.claim_at, unprioritized.due_at,
    unprioritized.limits, unprioritized.work
  FROM (
    SELECT
      -- insert: waiting
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
      AND s.claim_at <= :now
    ORDER BY s.claim_at
    LIMIT :limit + 0
  ) unprioritized
  UNION ALL
  SELECT prioritized.id, prioritized.kind, prioritized.task_queue, prioritized.claim_at, prioritized.due_at,
    prioritized.limits, prioritized.work
  FROM (
    SELECT
      -- insert: waiting
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
      AND s.claim_at <= :now + 1000000
      AND s.due_at <= :now
    ORDER BY s.claim_at
    LIMIT :limit + 0
  ) prioritized
) waiting
ORDER BY waiting.claim_at, waiting.id
LIMIT :limit + 0;

-- part: waiting
      s.id, s.kind, COALESCE(s.queue, s.kind) AS task_queue, s.claim_at, s.due_at, s.limits,
      max(
        min(COALESCE(s.expected_count, 0), 4000000000000000000) - (
          min(s.success, 4000000000000000000) + min(s.failures, 4000000000000000000)
          - s.work_base), 0) AS work
    FROM perdure_task_state s INDEXED BY perdure_task_state_limited
    WHERE s.shard = :shard
      AND s.limit_key = :key
      AND COALESCE(s.queue, s.kind) = :queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND (s.deadline_at IS NULL OR s.deadline_at > :now)

-- name: create
-- The rows are written whole: a claim is the only one that changes them.
INSERT OR REPLACE INTO perdure_limit (
  shard, key, queue, type, max, per_ms, burst, used, next_start_at, look_at, updated_at
)
SELECT
  :shard, j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5,
  j.value ->> 6, j.value ->> 7, j.value ->> 8, :now
FROM json_each(:rows) j;

-- name: find
SELECT l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at
FROM json_each(:keys) j
CROSS JOIN perdure_limit l
  ON l.shard = :shard AND l.key = j.value;

-- name: lock
SELECT
  l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at,
  EXISTS (
    SELECT 1
    FROM perdure_limit_event e INDEXED BY perdure_limit_event_of_key
    WHERE e.shard = :shard
      AND e.key = :key
      AND e.max IS NOT NULL
      AND (e.max <> l.max OR e.per_ms IS NOT l.per_ms OR e.burst <> l.burst)) AS rule_changed
FROM perdure_limit l
WHERE l.shard = :shard
  AND l.key = :key;

-- name: due
-- Limits of a queue to look at. One of several queues is looked at only if a task of the served ones is
-- due: one of another queue may be due for long if no claim serves that.
SELECT l.key, l.look_at
FROM perdure_limit l INDEXED BY perdure_limit_look
WHERE l.shard = :shard
  AND l.queue = :queue
  AND l.look_at <= :now
  AND (:queue <> 'perdure:any' OR EXISTS (
    SELECT 1
    FROM perdure_task_state s INDEXED BY perdure_task_state_limited
    WHERE s.shard = :shard
      AND s.limit_key = l.key
      AND COALESCE(s.queue, s.kind) IN (SELECT j.value FROM json_each(:queues) j)
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
      AND s.claim_at <= :now
      AND (s.deadline_at IS NULL OR s.deadline_at > :now)
  ) OR EXISTS (
    SELECT 1
    FROM perdure_task_state s INDEXED BY perdure_task_state_limited
    WHERE s.shard = :shard
      AND s.limit_key = l.key
      AND COALESCE(s.queue, s.kind) IN (SELECT j.value FROM json_each(:queues) j)
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
      AND s.claim_at <= :now + 1000000
      AND s.due_at <= :now
      AND (s.deadline_at IS NULL OR s.deadline_at > :now)))
ORDER BY l.look_at
LIMIT :limit + 0;

-- name: queues
-- The queues of all tasks that wait for a limit. The index leads from one to the next.
WITH RECURSIVE every (queue) AS (
  SELECT (
    SELECT COALESCE(s.queue, s.kind)
    FROM perdure_task_state s INDEXED BY perdure_task_state_limited
    WHERE s.shard = :shard
      AND s.limit_key = :key
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
    ORDER BY COALESCE(s.queue, s.kind)
    LIMIT 1
  )
  UNION ALL
  SELECT (
    SELECT COALESCE(s.queue, s.kind)
    FROM perdure_task_state s INDEXED BY perdure_task_state_limited
    WHERE s.shard = :shard
      AND s.limit_key = :key
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND COALESCE(s.queue, s.kind) > every.queue
    ORDER BY COALESCE(s.queue, s.kind)
    LIMIT 1
  )
  FROM every
  WHERE every.queue IS NOT NULL
)
SELECT every.queue
FROM every
WHERE every.queue IS NOT NULL
LIMIT 1000;

-- name: later
-- When the next task of a queue is due that waits for a limit, which is unknown if very many have a
-- priority; and for a limit of several queues, how many are due, counted up to one more than started.
SELECT
  (
    SELECT s.due_at
    FROM perdure_task_state s INDEXED BY perdure_task_state_limited
    WHERE s.shard = :shard
      AND s.limit_key = :key
      AND COALESCE(s.queue, s.kind) = :queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
      AND s.claim_at > :now
    ORDER BY s.claim_at
    LIMIT 1
  ) AS unprioritized,
  min(p.due_at) AS prioritized,
  count(*) >= 100 AS next_due_unknown,
  CASE WHEN :any_queue THEN (
    SELECT count(*)
    FROM (
      SELECT 1
      FROM perdure_task_state s INDEXED BY perdure_task_state_limited
      WHERE s.shard = :shard
        AND s.limit_key = :key
        AND COALESCE(s.queue, s.kind) = :queue
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
        AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
        AND s.claim_at <= :now
        AND (s.deadline_at IS NULL OR s.deadline_at > :now)
      LIMIT :started + 1)
  ) + (
    SELECT count(*)
    FROM (
      SELECT 1
      FROM perdure_task_state s INDEXED BY perdure_task_state_limited
      WHERE s.shard = :shard
        AND s.limit_key = :key
        AND COALESCE(s.queue, s.kind) = :queue
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
        AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
        AND s.claim_at <= :now + 1000000
        AND s.due_at <= :now
        AND (s.deadline_at IS NULL OR s.deadline_at > :now)
      LIMIT :started + 1)
  ) ELSE 0 END AS due
FROM (
  SELECT s.due_at
  FROM perdure_task_state s INDEXED BY perdure_task_state_limited
  WHERE s.shard = :shard
    AND s.limit_key = :key
    AND COALESCE(s.queue, s.kind) = :queue
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 2
    AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
    AND s.due_at > :now
  ORDER BY s.claim_at
  LIMIT 100
) p;

-- name: work
-- What the claimed and running tasks with limits still have to do.
SELECT
  s.limits,
  max(
    min(COALESCE(s.expected_count, 0), 4000000000000000000) - (
      min(s.success, 4000000000000000000) + min(s.failures, 4000000000000000000)
      - s.work_base), 0) AS work
FROM perdure_task_state s INDEXED BY perdure_task_state_leased
WHERE s.shard = :shard
  AND s.state IN ('claimed', 'running')
  AND s.limits IS NOT NULL;

-- name: move
-- To another limit, which is reached.
UPDATE perdure_task_state
SET limit_key = :key
WHERE shard = :shard
  AND id = :id
  AND state IN ('pending', 'retry_pending')
  AND hold = 2;

-- name: of_task
-- What a change of the task does to its limits.
SELECT
  s.limits, COALESCE(s.queue, s.kind) AS queue, s.observers & 35 <> 0 AS observed,
  s.state IN ('pending', 'retry_pending') AND s.hold = 2 AS waits
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = :id;
