-- name: insert
INSERT INTO perdure_propagation_event (shard, task, created_at)
SELECT :shard, g.task, COALESCE(CAST(:now AS timestamptz), clock_timestamp())
FROM unnest(CAST(:tasks AS uuid[])) AS g (task);

-- name: any
SELECT EXISTS (SELECT FROM perdure_propagation_event e WHERE e.shard = :shard) AS found;

-- name: take
SELECT
  e.number, e.task, e.created_at, e.done_up_to,
  CAST(1000 * EXTRACT(epoch FROM
    COALESCE(CAST(:now AS timestamptz), clock_timestamp()) - e.created_at) AS bigint) AS age_ms
FROM perdure_propagation_event e
WHERE e.shard = :shard
ORDER BY e.number
LIMIT :limit
FOR UPDATE SKIP LOCKED;

-- name: delete
-- By an array of keys: a join could read the whole table.
DELETE FROM perdure_propagation_event e
WHERE e.shard = :shard
  AND e.number = ANY (CAST(:numbers AS bigint[]));

-- name: postpone
-- To the end of the queue, so that others do not wait for an event that cannot be done now.
INSERT INTO perdure_propagation_event (shard, task, created_at, done_up_to)
SELECT :shard, g.task, g.created_at, g.done_up_to
FROM unnest(
  CAST(:tasks AS uuid[]), CAST(:created_at AS timestamptz[]), CAST(:done_up_to AS uuid[])
) AS g (task, created_at, done_up_to);
