-- name: insert
INSERT INTO perdure_limit_event (shard, queue, key, freed, max, per_ms, burst, created_at)
VALUES (:shard, :queue, :key, :freed, :max, :per_ms, :burst, :now);

-- name: rules
-- in of_queue

-- name: of_queue
-- Limits with events, the oldest first.
SELECT e.key, e.created_at
FROM perdure_limit_event e INDEXED BY perdure_limit_event_queue
WHERE e.shard = :shard
  AND e.queue = :queue
ORDER BY e.number
LIMIT :limit + 0;

-- name: of_keys
-- The events of each limit come in the order of their numbers.
SELECT e.number, e.queue, e.key, e.freed, e.max, e.per_ms, e.burst
FROM json_each(:keys) j
CROSS JOIN perdure_limit_event e INDEXED BY perdure_limit_event_of_key
  ON e.shard = :shard AND e.key = j.value
ORDER BY e.key, e.number
LIMIT :limit + 0;

-- name: delete
DELETE FROM perdure_limit_event
WHERE number IN (SELECT j.value FROM json_each(:numbers) j);

-- name: delete_unexplained
-- in limit.open

-- name: delete_old
-- Old events of limits that do not exist and that no task waits for. No worker claims from their
-- queue, so no claim has looked at them.
DELETE FROM perdure_limit_event
WHERE number IN (
  SELECT o.number
  FROM (
    SELECT e.number, e.key, e.created_at
    FROM perdure_limit_event e INDEXED BY perdure_limit_event_queue
    WHERE e.shard = :shard
    ORDER BY e.queue, e.number
    LIMIT :limit + 0
  ) o
  WHERE o.created_at < :now - :age_ms
    AND NOT EXISTS (
      SELECT 1
      FROM perdure_limit l
      WHERE l.shard = :shard
        AND l.key = o.key)
    AND NOT EXISTS (
      SELECT 1
      FROM perdure_task_state s INDEXED BY perdure_task_state_limited
      WHERE s.shard = :shard
        AND s.limit_key = o.key
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2));
