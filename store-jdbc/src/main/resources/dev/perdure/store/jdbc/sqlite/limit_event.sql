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

-- name: of_key
SELECT e.number, e.queue, e.key, e.freed, e.max, e.per_ms, e.burst
FROM perdure_limit_event e INDEXED BY perdure_limit_event_of_key
WHERE e.shard = :shard
  AND e.key = :key
ORDER BY e.number
LIMIT :limit + 0;

-- name: delete
DELETE FROM perdure_limit_event
WHERE number IN (SELECT j.value FROM json_each(:numbers) j);

-- name: delete_unexplained
-- in limit.open
