-- name: insert
INSERT INTO perdure_dependency (shard, parent, child, required, outcome)
SELECT :shard, g.parent, g.child, g.required, g.outcome
FROM unnest(
  CAST(:parents AS uuid[]), CAST(:children AS uuid[]), CAST(:required AS boolean[]),
  CAST(:outcomes AS integer[])
) AS g (parent, child, required, outcome);

-- name: disagreeing
-- Dependencies whose outcome is not the one that their parent's state demands: :required_outcomes
-- for those that require success, :optional_outcomes for the others; 0 stands for none. Those of one
-- parent come in the order of the children, so a caller can continue after the last one.
SELECT d.parent, d.child, d.required, COALESCE(d.outcome, 0) AS outcome
FROM (
  SELECT
    CAST(:shard AS integer) + g.item_index * 0 AS shard, g.parent, g.required_outcome,
    g.optional_outcome,
    COALESCE(g.done_up_to, CAST('00000000-0000-0000-0000-000000000000' AS uuid)) AS done_up_to
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:parents AS uuid[]),
    CAST(:required_outcomes AS integer[]), CAST(:optional_outcomes AS integer[]),
    CAST(:done_up_to AS uuid[])
  ) AS g (item_index, parent, required_outcome, optional_outcome, done_up_to)
) g
CROSS JOIN LATERAL (
  SELECT e.parent, e.child, e.required, e.outcome
  FROM perdure_dependency e
  WHERE e.shard = g.shard
    AND e.parent = g.parent
    AND e.child > g.done_up_to
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
    OFFSET 0
  ) d
)
SELECT reached.parent, reached.child
FROM reached
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

-- name: waive
UPDATE perdure_dependency d
SET outcome = 3
WHERE d.shard = :shard
  AND d.child = :child
  AND (d.outcome IS NULL OR (d.required AND d.outcome = 2));

-- name: list_of_batch
SELECT d.parent, d.child, d.required
FROM (
  SELECT t.id
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = :batch
  ORDER BY t.id
  OFFSET 0
) t
CROSS JOIN LATERAL (
  SELECT e.parent, e.child, e.required
  FROM perdure_dependency e
  WHERE e.shard = :shard
    AND e.child = t.id
  ORDER BY e.parent
  LIMIT :limit
) d
LIMIT :limit;

-- name: parents
-- A result that is larger than :max_bytes is left out.
SELECT
  p.id, p.local_id, p.name, p.kind, p.status, d.required, COALESCE(d.outcome, 0) AS outcome,
  CASE WHEN octet_length(p.result) <= :max_bytes THEN p.result END AS result,
  COALESCE(octet_length(p.result) > :max_bytes, false) AS result_omitted
FROM (
  SELECT e.parent, e.required, e.outcome
  FROM perdure_dependency e
  WHERE e.shard = :shard
    AND e.child = :child
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

-- name: delete
-- in batch.delete
