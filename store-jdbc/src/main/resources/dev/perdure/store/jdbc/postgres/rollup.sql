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
-- Several nodes delete at the same time, so each skips what another one deletes. The clock is in a
-- subquery: only then is the time a condition of the index.
DELETE FROM perdure_rollup
WHERE ctid = ANY (ARRAY(
  SELECT r.ctid
  FROM perdure_rollup r
  WHERE r.step_s = :step_s
    AND r.at < (
      SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp())
        - :retention_ms * INTERVAL '1 millisecond')
  ORDER BY r.at
  LIMIT :limit
  FOR UPDATE SKIP LOCKED));
