-- part: lease
SET state = CASE WHEN :start THEN 'running' ELSE 'claimed' END,
    epoch = epoch + 1,
    owner = :worker,
    lease_until = :now + :lease_ms,
    handle_epoch = CASE WHEN queue IS NOT NULL THEN COALESCE(handle_epoch, epoch + 1) END,
    started_at = CASE WHEN :start THEN :now END,
    times_out_at = CASE WHEN :start THEN :now + timeout_ms END,
    updated_at = :now,
    failure_kind = NULL,
    error = NULL,
    give_up_reason = NULL

-- name: due
-- The due tasks of one queue; the caller merges the queues. Here and below the index is named
-- because SQLite has no statistics and assumes that few rows share a shard.
SELECT d.id, d.claim_at, d.failure_kind, d.observers & 64 <> 0 AS has_parents
FROM (
  SELECT unprioritized.id, unprioritized.claim_at, unprioritized.failure_kind, unprioritized.observers
  FROM (
    SELECT s.id, s.claim_at, s.failure_kind, s.observers
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim
    WHERE s.shard = :shard
      AND COALESCE(s.queue, s.kind) = :queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority = 0
      AND s.claim_at <= :now
      AND (s.deadline_at IS NULL OR s.deadline_at > :now)
      AND s.kind NOT IN (SELECT k.kind FROM perdure_kind_limit k WHERE k.shard = :shard)
    ORDER BY s.claim_at
    LIMIT :free_slots + 0
  ) unprioritized
  UNION ALL
  SELECT prioritized.id, prioritized.claim_at, prioritized.failure_kind, prioritized.observers
  FROM (
    SELECT s.id, s.claim_at, s.failure_kind, s.observers
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim_by_priority
    WHERE s.shard = :shard
      AND COALESCE(s.queue, s.kind) = :queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority <> 0
      AND s.claim_at <= :now + 1000000
      AND s.due_at <= :now
      AND (s.deadline_at IS NULL OR s.deadline_at > :now)
      AND s.kind NOT IN (SELECT k.kind FROM perdure_kind_limit k WHERE k.shard = :shard)
    ORDER BY s.claim_at
    LIMIT :free_slots + 0
  ) prioritized
) d
ORDER BY d.claim_at, d.id
LIMIT :free_slots + 0;

-- name: take
UPDATE perdure_task_state
-- insert: lease
WHERE shard = :shard
  AND id IN (SELECT unhex(j.value) FROM json_each(:ids) j)
  AND state IN ('pending', 'retry_pending')
  AND hold = 0;

-- name: take_limited
UPDATE perdure_task_state
-- insert: lease
WHERE shard = :shard
  AND id IN (SELECT unhex(j.value) FROM json_each(:ids) j)
  AND state IN ('pending', 'retry_pending')
  AND hold = 2;

-- name: before
SELECT
  s.id, COALESCE(s.queue, s.kind) AS queue, s.claim_at, s.failure_kind,
  s.observers & 64 <> 0 AS has_parents
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id IN (SELECT unhex(j.value) FROM json_each(:ids) j);

-- name: next_due
-- With priorities the claim order differs from the due order, so the next due time is unknown. If it is
-- time to look at a limit of several queues, that may be for the tasks of another queue: the tasks of
-- this one start when they are due.
SELECT
  (
    SELECT s.due_at
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim
    WHERE s.shard = :shard
      AND COALESCE(s.queue, s.kind) = :queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority = 0
      AND s.claim_at > :now
    ORDER BY s.claim_at
    LIMIT 1
  ) AS due_at,
  EXISTS (
    SELECT 1
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim_by_priority
    WHERE s.shard = :shard
      AND COALESCE(s.queue, s.kind) = :queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority <> 0
  ) AS prioritized,
  (
    SELECT min(l.look_at)
    FROM perdure_limit l INDEXED BY perdure_limit_look
    WHERE l.shard = :shard
      AND l.queue = :queue
      AND l.look_at IS NOT NULL
  ) AS limited_at,
  (
    SELECT max(l.look_at, :now + 100)
    FROM perdure_limit l INDEXED BY perdure_limit_look
    WHERE l.shard = :shard
      AND l.queue = 'perdure:any'
      AND l.look_at > :now
      AND EXISTS (
        SELECT 1
        FROM perdure_task_state s INDEXED BY perdure_task_state_limited
        WHERE s.shard = :shard
          AND s.limit_key = l.key
          AND COALESCE(s.queue, s.kind) = :queue
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 2)
    ORDER BY l.look_at
    LIMIT 1
  ) AS shared_at,
  (
    SELECT NULLIF(max(min(min(
      COALESCE((
        SELECT s.due_at
        FROM perdure_task_state s INDEXED BY perdure_task_state_limited
        WHERE s.shard = :shard
          AND s.limit_key = l.key
          AND COALESCE(s.queue, s.kind) = :queue
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 2
          AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
          AND (s.deadline_at IS NULL OR s.deadline_at > :now)
        ORDER BY s.claim_at
        LIMIT 1), 9223372036854775807),
      COALESCE((
        SELECT CASE WHEN count(*) < 100 THEN min(p.due_at) ELSE min(min(p.due_at), :now + 1000) END
        FROM (
          SELECT s.due_at
          FROM perdure_task_state s INDEXED BY perdure_task_state_limited
          WHERE s.shard = :shard
            AND s.limit_key = l.key
            AND COALESCE(s.queue, s.kind) = :queue
            AND s.state IN ('pending', 'retry_pending')
            AND s.hold = 2
            AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
            AND (s.deadline_at IS NULL OR s.deadline_at > :now)
          ORDER BY s.claim_at
          LIMIT 100
        ) p), 9223372036854775807))), :now + 100), 9223372036854775807)
    FROM perdure_limit l INDEXED BY perdure_limit_look
    WHERE l.shard = :shard
      AND l.queue = 'perdure:any'
      AND l.look_at <= :now
  ) AS shared_due_at;
