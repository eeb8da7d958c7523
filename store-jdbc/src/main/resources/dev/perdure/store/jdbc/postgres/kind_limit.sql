-- name: list
SELECT k.kind, k.rules, k.source, k.updated_at
FROM perdure_kind_limit k
WHERE k.shard = :shard
ORDER BY k.kind;

-- name: lock_timeout
SELECT set_config('lock_timeout', '2s', true);

-- name: lock
-- Waits for the claims that have read the table, so that none of them starts a task that does not
-- count. Claims that begin meanwhile wait, but not for long.
LOCK TABLE perdure_kind_limit IN ACCESS EXCLUSIVE MODE;

-- name: put
INSERT INTO perdure_kind_limit (shard, kind, rules, source, updated_at)
VALUES (
  :shard, :kind, :rules, :source, COALESCE(CAST(:now AS timestamptz), clock_timestamp()))
ON CONFLICT (shard, kind) DO UPDATE
SET rules = EXCLUDED.rules,
    source = EXCLUDED.source,
    updated_at = EXCLUDED.updated_at;

-- name: delete
DELETE FROM perdure_kind_limit k
WHERE k.shard = :shard
  AND k.kind = :kind;

-- name: change
-- The limits of a kind whose keys begin with the same prefix allow something else from now on. Claims
-- never wait for a limit, so this cannot deadlock.
WITH changed AS (
  SELECT l.key
  FROM perdure_limit l
  WHERE l.shard = :shard
    AND l.key > :after
    AND l.key < :end
  ORDER BY l.key
  LIMIT :limit
  FOR UPDATE
)
UPDATE perdure_limit l
SET max = :max,
    per_ms = :per_ms,
    burst = :burst,
    look_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp()),
    updated_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp())
WHERE l.shard = :shard
  AND l.key = ANY (ARRAY(SELECT c.key FROM changed c))
RETURNING l.key;

-- name: due
-- Due tasks of kinds with limits that do not have those yet. In a queue with many other tasks, only
-- the first ones are looked at: the others would not start before those.
SELECT
  -- insert: columns
FROM unnest((SELECT CAST(:queues AS text[]))) AS q (queue)
CROSS JOIN LATERAL (
  SELECT u.id, u.batch, u.queue, u.kind, u.limits
  FROM (
    SELECT s.id, s.batch, COALESCE(s.queue, s.kind) AS queue, s.kind, s.limits
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND COALESCE(s.queue, s.kind) = q.queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority = 0
      AND s.claim_at <= (
        SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()))
    ORDER BY s.claim_at
    LIMIT :max_scanned
  ) u
  WHERE u.kind = ANY (CAST(:kinds AS text[]))
  UNION ALL
  SELECT p.id, p.batch, p.queue, p.kind, p.limits
  FROM (
    SELECT s.id, s.batch, COALESCE(s.queue, s.kind) AS queue, s.kind, s.limits
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND COALESCE(s.queue, s.kind) = q.queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority <> 0
      AND s.claim_at <= (
        SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp())) + INTERVAL '1000 seconds'
      AND s.due_at <= (
        SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()))
    ORDER BY s.claim_at
    LIMIT :max_scanned
  ) p
  WHERE p.kind = ANY (CAST(:kinds AS text[]))
  LIMIT :limit
) s
-- insert: definition
LIMIT :limit;

-- name: leased
-- Claimed and running tasks of kinds whose limits have changed.
SELECT
  -- insert: columns
FROM (
  SELECT s.id, s.batch, COALESCE(s.queue, s.kind) AS queue, s.kind, s.limits
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.state IN ('claimed', 'running')
    AND s.kind = ANY (CAST(:kinds AS text[]))
    AND s.id > :after
  ORDER BY s.id
  LIMIT :limit
) s
-- insert: definition
ORDER BY s.id;

-- name: tasks
SELECT
  -- insert: columns
FROM unnest(CAST(:ids AS uuid[])) AS g (id)
CROSS JOIN LATERAL (
  SELECT s.id, s.batch, COALESCE(s.queue, s.kind) AS queue, s.kind, s.limits
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = g.id
  LIMIT 1
) s
-- insert: definition
;

-- part: columns
  s.id, s.queue, s.kind, s.limits, t.metadata, t.rules

-- part: definition
CROSS JOIN LATERAL (
  SELECT t.metadata, t.rules
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = s.batch
    AND t.id = s.id
  LIMIT 1
) t
