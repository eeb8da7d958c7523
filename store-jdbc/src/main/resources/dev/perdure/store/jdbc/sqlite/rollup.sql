-- name: write
INSERT INTO perdure_rollup (step_s, at, node, counts)
VALUES (:step_s, :at, :node, :counts)
ON CONFLICT (step_s, at, node) DO UPDATE
SET counts = excluded.counts;

-- name: list
SELECT r.at, r.node, r.counts
FROM perdure_rollup r
WHERE r.step_s = :step_s
  AND r.at >= :from
ORDER BY r.at DESC
LIMIT :limit + 0;

-- name: delete_expired
DELETE FROM perdure_rollup
WHERE step_s = :step_s
  AND (at, node) IN (
    SELECT r.at, r.node
    FROM perdure_rollup r
    WHERE r.step_s = :step_s
      AND r.at < :now - :retention_ms
    ORDER BY r.at
    LIMIT :limit + 0);
