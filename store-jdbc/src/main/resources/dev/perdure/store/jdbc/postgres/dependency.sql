-- name: insert
INSERT INTO perdure_dependency (shard, parent, child, required, outcome, deferred)
SELECT :shard, g.parent, g.child, g.required, g.outcome, COALESCE(g.deferred, false)
FROM unnest(
  CAST(:parents AS uuid[]), CAST(:children AS uuid[]), CAST(:required AS boolean[]),
  CAST(:outcomes AS integer[]), CAST(:deferred AS boolean[])
) AS g (parent, child, required, outcome, deferred);

-- name: disagreeing
-- Dependencies whose outcome is not the one that their parent's state demands: :required_outcomes
-- for those that require success, :optional_outcomes for the others; 0 stands for none. Those of one
-- parent come in the order of the children, so a caller can continue after the last one.
SELECT d.parent, d.child, d.required, COALESCE(d.outcome, 0) AS outcome
FROM (
  SELECT
    CAST(:shard AS integer) + g.item_index * 0 AS shard, g.parent, g.required_outcome,
    g.optional_outcome, g.settled,
    COALESCE(g.done_up_to, CAST('00000000-0000-0000-0000-000000000000' AS uuid)) AS done_up_to
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:parents AS uuid[]),
    CAST(:required_outcomes AS integer[]), CAST(:optional_outcomes AS integer[]),
    CAST(:done_up_to AS uuid[]), CAST(:settled AS boolean[])
  ) AS g (item_index, parent, required_outcome, optional_outcome, done_up_to, settled)
) g
CROSS JOIN LATERAL (
  SELECT e.parent, e.child, e.required, e.outcome
  FROM perdure_dependency e
  WHERE e.shard = g.shard
    AND e.parent = g.parent
    AND e.child > g.done_up_to
    AND (g.settled OR NOT e.deferred)
    AND CASE
      WHEN e.required
        THEN COALESCE(e.outcome, 0) <> 3 AND COALESCE(e.outcome, 0) <> g.required_outcome
      ELSE e.outcome IS NULL AND g.optional_outcome <> 0
    END
  ORDER BY e.parent, e.child
  LIMIT :limit
) d
LIMIT :limit;

-- name: doomed
-- The open dependencies that require success on these waiting tasks, on the tasks that wait for
-- them, and so on. UNION visits each dependency once, however many paths lead to it.
WITH RECURSIVE reached (parent, child) AS (
  SELECT d.parent, d.child
  FROM unnest(CAST(:ids AS uuid[])) AS g (id)
  CROSS JOIN LATERAL (
    SELECT e.parent, e.child
    FROM perdure_dependency e
    WHERE e.shard = :shard
      AND e.parent = g.id
      AND e.required
      AND e.outcome IS NULL
      AND NOT e.deferred
    OFFSET 0
  ) d
  UNION
  SELECT d.parent, d.child
  FROM reached r
  CROSS JOIN LATERAL (
    SELECT s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id = r.child
      AND s.state = 'waiting'
    OFFSET 0
  ) w
  CROSS JOIN LATERAL (
    SELECT e.parent, e.child
    FROM perdure_dependency e
    WHERE e.shard = :shard
      AND e.parent = w.id
      AND e.required
      AND e.outcome IS NULL
      AND NOT e.deferred
    OFFSET 0
  ) d
)
SELECT reached.parent, reached.child
FROM reached
LIMIT :limit;

-- name: dead_ends
-- Live parents of these ended tasks that want to be canceled (observers 16) when all tasks that
-- depend on them have ended.
SELECT c.id AS child, p.id AS parent
FROM unnest(CAST(:ids AS uuid[])) AS c (id)
CROSS JOIN LATERAL (
  SELECT e.parent
  FROM perdure_dependency e
  WHERE e.shard = :shard
    AND e.child = c.id
  OFFSET 0
) e
CROSS JOIN LATERAL (
  SELECT s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = e.parent
    AND s.ended_at IS NULL
    AND s.observers & 16 <> 0
  OFFSET 0
) p
WHERE NOT EXISTS (
  SELECT
  FROM perdure_dependency f
  CROSS JOIN LATERAL (
    SELECT s.ended_at
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id = f.child
    OFFSET 0
  ) s
  WHERE f.shard = :shard
    AND f.parent = p.id
    AND s.ended_at IS NULL)
LIMIT :limit;

-- name: set_outcome
UPDATE perdure_dependency d
SET outcome = NULLIF(g.outcome, 0)
FROM (
  SELECT
    CAST(:shard AS integer) + g.item_index * 0 AS shard, g.parent, g.child, g.outcome
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:parents AS uuid[]), CAST(:children AS uuid[]),
    CAST(:outcomes AS integer[])
  ) AS g (item_index, parent, child, outcome)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE d.shard = g.shard
  AND d.parent = g.parent
  AND d.child = g.child;

-- name: move_deferred
-- Tasks of other batches that still wait for the task depend on that of the next run instead. So do
-- those that failed because of it: they come back if the next run succeeds.
-- The rows are looked up one by one, as in task_state.apply.
UPDATE perdure_dependency d
SET parent = g.new_id
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.old_id, g.new_id
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:old_ids AS uuid[]), CAST(:new_ids AS uuid[])
  ) AS g (item_index, old_id, new_id)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE d.shard = g.shard
  AND d.parent = g.old_id
  AND d.deferred
  AND (d.outcome IS NULL OR (d.required AND d.outcome = 2))
  AND d.child <> g.new_id
  AND NOT EXISTS (
    SELECT
    FROM perdure_dependency e
    WHERE e.shard = d.shard
      AND e.parent = g.new_id
      AND e.child = d.child
    OFFSET 0);

-- name: waive
UPDATE perdure_dependency d
SET outcome = 3
WHERE d.shard = :shard
  AND d.child = :child
  AND (d.outcome IS NULL OR (d.required AND d.outcome = 2));

-- name: list_of_batch
-- Of one run; of the current one without :run.
SELECT d.parent, d.child, d.required
FROM (
  SELECT
    COALESCE(CAST(:run AS integer), b.run) AS run,
    CASE
      WHEN b.first_task IS NULL OR b.run <> CAST(:run AS integer)
        THEN CAST('00000000-0000-0000-0000-000000000000' AS uuid)
      ELSE b.first_task
    END AS first_task
  FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.id = :batch
  OFFSET 0
) b
CROSS JOIN LATERAL (
  SELECT t.id
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = :batch
    AND t.id >= b.first_task
  ORDER BY t.id
  OFFSET 0
) t
CROSS JOIN LATERAL (
  SELECT s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = t.id
    AND s.run = b.run
  OFFSET 0
) s
CROSS JOIN LATERAL (
  SELECT e.parent, e.child, e.required
  FROM perdure_dependency e
  WHERE e.shard = :shard
    AND e.child = t.id
  ORDER BY e.parent
  LIMIT :limit
) d
LIMIT :limit;

-- part: parent
  p.id, p.local_id, p.name, p.kind, p.status, d.required, COALESCE(d.outcome, 0) AS outcome,
  CASE WHEN octet_length(p.result) <= :max_bytes THEN p.result END AS result,
  COALESCE(octet_length(p.result) > :max_bytes, false) AS result_omitted

-- name: parents
-- A result that is larger than :max_bytes is left out.
SELECT
  -- insert: parent
FROM (
  SELECT e.parent, e.required, e.outcome
  FROM perdure_dependency e
  WHERE e.shard = :shard
    AND e.child = :child
    AND e.parent > :after
  ORDER BY e.parent
  LIMIT :limit
) d
CROSS JOIN LATERAL (
  SELECT v.id, v.local_id, v.name, v.kind, v.status, v.result
  FROM perdure_task_view v
  WHERE v.shard = :shard
    AND v.id = d.parent
  LIMIT 1
) p
ORDER BY p.id;

-- name: named_parents
-- By the local id of a task of the same batch, or by UUID. Each is looked up by itself, because a
-- task can have very many parents. Earlier runs have tasks with the same local ids.
SELECT
  g.given,
  -- insert: parent
FROM unnest(CAST(:names AS text[]), CAST(:ids AS uuid[])) AS g (given, id)
CROSS JOIN LATERAL (
  SELECT t.id
  FROM (
    SELECT s.batch
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id = :child
    OFFSET 0
  ) c
  CROSS JOIN LATERAL (
    SELECT t.id
    FROM perdure_task t
    WHERE t.shard = :shard
      AND t.batch = c.batch
      AND t.local_id = g.given
    OFFSET 0
  ) t
  UNION ALL
  SELECT g.id
) n
CROSS JOIN LATERAL (
  SELECT e.parent, e.required, e.outcome
  FROM perdure_dependency e
  WHERE e.shard = :shard
    AND e.parent = n.id
    AND e.child = :child
  OFFSET 0
) d
CROSS JOIN LATERAL (
  SELECT v.id, v.local_id, v.name, v.kind, v.status, v.result
  FROM perdure_task_view v
  WHERE v.shard = :shard
    AND v.id = d.parent
  LIMIT 1
) p;

-- name: delete_on_parents
-- in batch.delete

-- name: delete_of_children
-- in batch.delete
