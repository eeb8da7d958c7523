-- name: list
SELECT k.kind, k.rules, k.source, k.updated_at
FROM perdure_kind_limit k
WHERE k.shard = :shard
ORDER BY k.kind;

-- name: lock_timeout
-- not needed: there is one writer

-- name: lock
-- not needed: there is one writer

-- name: put
INSERT INTO perdure_kind_limit (shard, kind, rules, source, updated_at)
VALUES (:shard, :kind, :rules, :source, :now)
ON CONFLICT (shard, kind) DO UPDATE
SET rules = excluded.rules,
    source = excluded.source,
    updated_at = excluded.updated_at;

-- name: delete
DELETE FROM perdure_kind_limit
WHERE shard = :shard
  AND kind = :kind;

-- name: change
-- The limits of a kind whose keys begin with the same prefix allow something else from now on.
UPDATE perdure_limit
SET max = :max,
    per_ms = :per_ms,
    burst = :burst,
    look_at = :now,
    updated_at = :now
WHERE shard = :shard
  AND key IN (
    SELECT l.key
    FROM perdure_limit l
    WHERE l.shard = :shard
      AND l.key > :after
      AND l.key < :end
    ORDER BY l.key
    LIMIT :limit + 0)
RETURNING key;

-- name: due
-- Due tasks of kinds with limits that do not have those yet. In a queue with many other tasks, only
-- the first ones are looked at: the others would not start before those.
SELECT
  -- insert: columns
FROM (
  SELECT u.id
  FROM (
    SELECT s.id, s.kind
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim
    WHERE s.shard = :shard
      AND COALESCE(s.queue, s.kind) = :queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority = 0
      AND s.claim_at <= :now
    ORDER BY s.claim_at
    LIMIT :max_scanned + 0
  ) u
  WHERE u.kind IN (SELECT k.kind FROM perdure_kind_limit k WHERE k.shard = :shard)
  UNION ALL
  SELECT p.id
  FROM (
    SELECT s.id, s.kind
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim_by_priority
    WHERE s.shard = :shard
      AND COALESCE(s.queue, s.kind) = :queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority <> 0
      AND s.claim_at <= :now + 1000000
      AND s.due_at <= :now
    ORDER BY s.claim_at
    LIMIT :max_scanned + 0
  ) p
  WHERE p.kind IN (SELECT k.kind FROM perdure_kind_limit k WHERE k.shard = :shard)
  LIMIT :limit + 0
) g
JOIN perdure_task_state s
  ON s.shard = :shard AND s.id = g.id
-- insert: definition
;

-- name: leased
-- Claimed and running tasks of a kind whose limits have changed.
SELECT
  -- insert: columns
FROM perdure_task_state s INDEXED BY perdure_task_state_leased
-- insert: definition
WHERE s.shard = :shard
  AND s.state IN ('claimed', 'running')
  AND s.kind = :kind
  AND s.id > :after
ORDER BY s.id
LIMIT :limit + 0;

-- name: tasks
SELECT
  -- insert: columns
FROM perdure_task_state s
-- insert: definition
WHERE s.shard = :shard
  AND s.id IN (SELECT unhex(j.value) FROM json_each(:ids) j);

-- part: columns
  s.id, COALESCE(s.queue, s.kind) AS queue, s.kind, s.limits, t.metadata, t.rules,
  s.state IN ('claimed', 'running') AS leased

-- part: definition
JOIN perdure_task t
  ON t.shard = s.shard AND t.batch = s.batch AND t.id = s.id
