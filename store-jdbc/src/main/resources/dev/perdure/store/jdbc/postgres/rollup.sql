-- name: write
INSERT INTO perdure_rollup (step_s, at, node, counts)
SELECT r.step_s, CAST(r.at AS timestamptz), r.node, r.counts
FROM unnest(
  CAST(:steps AS bigint[]), CAST(:ats AS text[]), CAST(:nodes AS text[]), CAST(:counts AS text[])
) AS r (step_s, at, node, counts)
ON CONFLICT (step_s, at, node) DO UPDATE
SET counts = excluded.counts;

-- name: list
SELECT r.at, r.node, r.counts
FROM perdure_rollup r
WHERE r.step_s = :step_s
  AND r.at >= :from
ORDER BY r.at DESC
LIMIT :limit;

-- name: delete_expired
-- Several nodes delete at the same time, so each skips what another one deletes.
DELETE FROM perdure_rollup
USING (
  SELECT r.step_s, r.at, r.node
  FROM perdure_rollup r
  WHERE r.step_s = :step_s
    AND r.at < COALESCE(CAST(:now AS timestamptz), clock_timestamp())
      - :retention_ms * INTERVAL '1 millisecond'
  ORDER BY r.at
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
) expired
WHERE perdure_rollup.step_s = expired.step_s
  AND perdure_rollup.at = expired.at
  AND perdure_rollup.node = expired.node;
