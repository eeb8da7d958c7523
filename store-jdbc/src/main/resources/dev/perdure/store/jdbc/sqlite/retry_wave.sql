-- The waiting retries in a range of due times, read from the index of retries only. entries is how
-- many were read, and retries how many of them count: not paused or parked, and of the kind, if one
-- is given. Each range is a query of its own: grouping by range would sort all entries.

-- part: counts
  count(*) AS entries,
  count(*) FILTER (WHERE e.hold & 9 = 0 AND (:kind IS NULL OR e.kind = :kind)) AS retries
FROM (
  SELECT s.kind, s.hold
  FROM perdure_task_state s INDEXED BY perdure_task_state_retry
  WHERE s.shard = :shard
    AND s.state = 'retry_pending'
    AND s.due_at > :after
    AND s.due_at <= :up_to
  ORDER BY s.due_at
  LIMIT :limit + 0
) e

-- name: count
SELECT
  -- insert: counts
;

-- name: count_by_kind
SELECT
  e.kind,
  -- insert: counts
GROUP BY e.kind;

-- name: next
SELECT s.due_at
FROM perdure_task_state s INDEXED BY perdure_task_state_retry
WHERE s.shard = :shard
  AND s.state = 'retry_pending'
  AND s.due_at > :now
ORDER BY s.due_at
LIMIT 1;
