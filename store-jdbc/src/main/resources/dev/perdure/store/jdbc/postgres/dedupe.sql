-- name: holders
-- The live tasks that have these dedupe keys. Each key is looked up by itself, as in task_state.apply.
SELECT g.key AS dedupe_key, s.id, s.batch, s.state, s.observers & 8 <> 0 AS may_run_again
FROM unnest(CAST(:keys AS text[])) AS g (key)
CROSS JOIN LATERAL (
  SELECT s.id, s.batch, s.state, s.observers
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.dedupe_key = g.key
    AND s.ended_at IS NULL
  LIMIT 1
) s;

-- name: is_dedupe_key_taken
-- Those of these ended tasks whose dedupe key a live task has. The unique index decides in the end;
-- this keeps a revive that must wait from being tried and rolled back again and again.
SELECT s.id, s.state, s.epoch
FROM unnest(CAST(:ids AS uuid[])) AS g (id)
CROSS JOIN LATERAL (
  SELECT s.id, s.state, s.epoch, s.dedupe_key
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = g.id
    AND s.ended_at IS NOT NULL
  OFFSET 0
) s
CROSS JOIN LATERAL (
  SELECT
  FROM perdure_task_state h
  WHERE h.shard = :shard
    AND h.dedupe_key = s.dedupe_key
    AND h.ended_at IS NULL
  LIMIT 1
) h;

-- part: holders_to_lock
SELECT s.id
FROM (
  SELECT
    CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id,
    COALESCE(g.is_parent, false) AS is_parent,
    CASE WHEN g.item_index >= 0 THEN ARRAY['claimed', 'running'] END AS leased_states
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:are_parents AS boolean[])
  ) AS g (item_index, id, is_parent)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
JOIN perdure_task_state s ON s.shard = g.shard AND s.id = g.id
WHERE (g.is_parent OR NOT s.state = ANY (g.leased_states))
ORDER BY s.id

-- name: share_holders
-- Keeps tasks that a submission duplicates from being claimed before it commits: they see what the
-- caller's transaction writes. Other submissions of the same keys do not wait. A task that is
-- claimed already is not locked, so that its end does not wait for the caller. The rows are locked
-- in the order of their ids, and looked up by primary key, as in task_state.apply.
-- insert: holders_to_lock
FOR SHARE OF s;

-- name: lock_holders
-- As share_holders, for a submission that is going to write the tasks, together with those that it
-- depends on. Two that only shared a lock would then wait for each other.
-- insert: holders_to_lock
FOR UPDATE OF s;

-- name: replace
-- A task that has never been claimed takes the due time, payload and policy of another one.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
replaced AS (
  UPDATE perdure_task_state s
  SET due_at = COALESCE(
        CAST(:due_at AS timestamptz), clock.now + :due_in_ms * INTERVAL '1 millisecond'),
      claim_at = COALESCE(
        CAST(:due_at AS timestamptz), clock.now + :due_in_ms * INTERVAL '1 millisecond')
        - s.priority * INTERVAL '1 second',
      retry_since = COALESCE(
        CAST(:due_at AS timestamptz), clock.now + :due_in_ms * INTERVAL '1 millisecond'),
      updated_at = clock.now
  FROM clock
  WHERE s.shard = :shard
    AND s.id = :id
    AND s.state IN ('waiting', 'pending')
    AND s.epoch = 0
  RETURNING
    s.batch, s.id, COALESCE(s.queue, s.kind) AS queue,
    CASE WHEN s.state = 'pending' AND s.hold = 2 THEN s.limits END AS limits
),
new_limit_events AS (
  INSERT INTO perdure_limit_event (shard, queue, key, freed, created_at)
  SELECT :shard, w.queue, k.key, 0, clock.now
  FROM replaced w
  CROSS JOIN LATERAL unnest(string_to_array(w.limits, chr(10))) AS k (key)
  CROSS JOIN clock
  WHERE w.limits IS NOT NULL
)
UPDATE perdure_task t
SET payload = :payload,
    policy = :policy,
    policy_as_given = :policy_as_given,
    strategy = :strategy
FROM replaced w
WHERE t.shard = :shard
  AND t.batch = w.batch
  AND t.id = w.id;

-- name: is_stored
SELECT EXISTS (
  SELECT
  FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.id = :id
) AS stored;
