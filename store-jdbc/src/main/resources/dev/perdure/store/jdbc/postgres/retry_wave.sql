-- The waiting retries in ranges of due times, read from the index of retries only. entries is how many
-- were read, and retries how many of them count: not paused or parked, and of the kind, if one is
-- given. ORDER BY follows the index: without statistics the planner would read a bitmap of it, and
-- then the table.

-- part: ranges
FROM unnest(CAST(:after AS timestamptz[]), CAST(:up_to AS timestamptz[])) WITH ORDINALITY
  AS r (after, up_to, place)

-- part: counts
    count(*) AS entries,
    count(*) FILTER (
      WHERE e.hold & 9 = 0 AND (CAST(:kind AS text) IS NULL OR e.kind = :kind)) AS retries
  FROM (
    SELECT s.kind, s.hold
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'retry_pending'
      AND s.due_at > r.after
      AND s.due_at <= r.up_to
    ORDER BY s.due_at
    LIMIT :limit
  ) e

-- name: count
SELECT r.place - 1 AS range_index, c.entries, c.retries
-- insert: ranges
CROSS JOIN LATERAL (
  SELECT
    -- insert: counts
) c;

-- name: count_by_kind
SELECT r.place - 1 AS range_index, c.kind, c.entries, c.retries
-- insert: ranges
CROSS JOIN LATERAL (
  SELECT
    e.kind,
    -- insert: counts
  GROUP BY e.kind
) c;

-- name: next
SELECT s.due_at
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.state = 'retry_pending'
  AND s.due_at > :now
ORDER BY s.due_at
LIMIT 1;
