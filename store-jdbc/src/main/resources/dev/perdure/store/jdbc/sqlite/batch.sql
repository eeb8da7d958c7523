-- name: insert
INSERT INTO batch (shard, id, created_at, size)
VALUES (:shard, :id, :now, :size)
ON CONFLICT DO NOTHING;

-- name: expired
SELECT s.batch, count(*) AS tasks, max(s.ended_at) AS ended_at
FROM task_state s INDEXED BY task_state_old
WHERE s.shard = :shard
  AND s.ended_at < :now - :age_ms
GROUP BY s.batch
HAVING count(*) = (SELECT count(*) FROM task t WHERE t.shard = :shard AND t.batch = s.batch)
ORDER BY ended_at, s.batch
LIMIT :limit;

-- name: purge
DELETE FROM batch
WHERE shard = :shard
  AND id = :batch;
