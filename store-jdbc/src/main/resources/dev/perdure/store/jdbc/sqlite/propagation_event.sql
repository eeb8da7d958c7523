-- name: insert
INSERT INTO perdure_propagation_event (shard, task, created_at)
VALUES (:shard, :task, :now);

-- name: any
SELECT EXISTS (SELECT 1 FROM perdure_propagation_event e WHERE e.shard = :shard) AS found;

-- name: take
SELECT e.number, e.task, e.created_at, e.done_up_to, :now - e.created_at AS age_ms
FROM perdure_propagation_event e INDEXED BY perdure_propagation_event_number
WHERE e.shard = :shard
ORDER BY e.number
LIMIT :limit + 0;

-- name: delete
DELETE FROM perdure_propagation_event
WHERE number = :number;

-- name: postpone
-- To the end of the queue, so that others do not wait for an event that cannot be done now.
INSERT INTO perdure_propagation_event (shard, task, created_at, done_up_to)
VALUES (:shard, :task, :created_at, :done_up_to);
