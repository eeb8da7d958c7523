-- name: insert
INSERT INTO perdure_dependency (shard, parent, child, required, outcome, deferred)
VALUES (:shard, :parent, :child, :required, :outcome, :deferred);

-- name: disagreeing
-- Dependencies on one task whose outcome is not the one that its state demands: :required_outcome
-- for those that require success, :optional_outcome for the others; 0 stands for none.
SELECT d.parent, d.child, d.required, COALESCE(d.outcome, 0) AS outcome
FROM perdure_dependency d
WHERE d.shard = :shard
  AND d.parent = :parent
  AND d.child > :done_up_to
  AND (:settled OR NOT d.deferred)
  AND CASE
    WHEN d.required
      THEN COALESCE(d.outcome, 0) <> 3 AND COALESCE(d.outcome, 0) <> :required_outcome
    ELSE d.outcome IS NULL AND :optional_outcome <> 0
  END
ORDER BY d.child
LIMIT :limit + 0;

-- name: doomed
-- The open dependencies that require success on these waiting tasks, on the tasks that wait for
-- them, and so on. UNION visits each dependency once, however many paths lead to it.
WITH RECURSIVE reached (parent, child) AS (
  SELECT d.parent, d.child
  FROM json_each(:ids) j
  CROSS JOIN perdure_dependency d
    ON d.shard = :shard AND d.parent = unhex(j.value)
  WHERE d.required
    AND d.outcome IS NULL
    AND NOT d.deferred
  UNION
  SELECT d.parent, d.child
  FROM reached r
  CROSS JOIN perdure_task_state s
    ON s.shard = :shard AND s.id = r.child AND s.state = 'waiting'
  CROSS JOIN perdure_dependency d
    ON d.shard = :shard AND d.parent = s.id
  WHERE d.required
    AND d.outcome IS NULL
    AND NOT d.deferred
)
SELECT reached.parent, reached.child
FROM reached
LIMIT :limit + 0;

-- name: dead_ends
-- Live parents of these ended tasks that want to be canceled (observers 16) when all tasks that
-- depend on them have ended.
SELECT d.child, p.id AS parent
FROM json_each(:ids) j
CROSS JOIN perdure_dependency d INDEXED BY perdure_dependency_child
  ON d.shard = :shard AND d.child = unhex(j.value)
CROSS JOIN perdure_task_state p
  ON p.shard = d.shard AND p.id = d.parent
WHERE p.ended_at IS NULL
  AND p.observers & 16 <> 0
  AND NOT EXISTS (
    SELECT 1
    FROM perdure_dependency f
    CROSS JOIN perdure_task_state s
      ON s.shard = f.shard AND s.id = f.child
    WHERE f.shard = p.shard
      AND f.parent = p.id
      AND s.ended_at IS NULL)
LIMIT :limit + 0;

-- name: set_outcome
UPDATE perdure_dependency
SET outcome = NULLIF(:outcome, 0)
WHERE shard = :shard
  AND parent = :parent
  AND child = :child;

-- name: move_deferred
-- Tasks of other batches that still wait for the task depend on that of the next run instead. So do
-- those that failed because of it: they come back if the next run succeeds.
UPDATE perdure_dependency
SET parent = :new_id
WHERE shard = :shard
  AND parent = :old_id
  AND deferred
  AND (outcome IS NULL OR (required AND outcome = 2))
  AND child <> :new_id
  AND NOT EXISTS (
    SELECT 1
    FROM perdure_dependency e
    WHERE e.shard = perdure_dependency.shard
      AND e.parent = :new_id
      AND e.child = perdure_dependency.child);

-- name: waive
UPDATE perdure_dependency INDEXED BY perdure_dependency_child
SET outcome = 3
WHERE shard = :shard
  AND child = :child
  AND (outcome IS NULL OR (required AND outcome = 2));

-- name: list_of_batch
-- Of one run; of the current one without :run.
SELECT d.parent, d.child, d.required
FROM perdure_batch b
CROSS JOIN perdure_task t
  ON t.shard = b.shard AND t.batch = b.id AND t.id >= CASE
    WHEN b.first_task IS NULL OR b.run <> :run THEN zeroblob(16)
    ELSE b.first_task
  END
CROSS JOIN perdure_task_state s
  ON s.shard = t.shard AND s.id = t.id AND s.run = COALESCE(:run, b.run)
CROSS JOIN perdure_dependency d INDEXED BY perdure_dependency_child
  ON d.shard = t.shard AND d.child = t.id
WHERE b.shard = :shard
  AND b.id = :batch
ORDER BY t.id, d.parent
LIMIT :limit + 0;

-- part: parent
  v.id, v.local_id, v.name, v.kind, v.status, d.required, COALESCE(d.outcome, 0) AS outcome,
  CASE WHEN octet_length(v.result) <= :max_bytes THEN v.result END AS result,
  COALESCE(octet_length(v.result) > :max_bytes, 0) AS result_omitted

-- name: parents
-- A result that is larger than :max_bytes is left out.
SELECT
  -- insert: parent
FROM perdure_dependency d INDEXED BY perdure_dependency_child
CROSS JOIN perdure_task_view v
  ON v.shard = d.shard AND v.id = d.parent
WHERE d.shard = :shard
  AND d.child = :child
  AND d.parent > :after
ORDER BY d.parent
LIMIT :limit + 0;

-- name: named_parents
-- By the local id of a task of the same batch, or by UUID. Earlier runs have tasks with the same
-- local ids.
SELECT
  -- insert: parent
FROM (
  SELECT t.id
  FROM perdure_task_state s
  CROSS JOIN perdure_task t INDEXED BY perdure_task_local_id
    ON t.shard = s.shard AND t.batch = s.batch AND t.local_id = :name
  WHERE s.shard = :shard
    AND s.id = :child
  UNION ALL
  SELECT :id
) n
CROSS JOIN perdure_dependency d
  ON d.shard = :shard AND d.parent = n.id AND d.child = :child
CROSS JOIN perdure_task_view v
  ON v.shard = d.shard AND v.id = d.parent;

-- name: delete_on_parents
DELETE FROM perdure_dependency
WHERE shard = :shard
  AND parent IN (SELECT unhex(j.value) FROM json_each(:ids) j);

-- name: delete_of_children
DELETE FROM perdure_dependency INDEXED BY perdure_dependency_child
WHERE shard = :shard
  AND child IN (SELECT unhex(j.value) FROM json_each(:ids) j);
