-- name: append
-- Deletes at most 1,000 entries per call, so that a lower limit does not delete everything at once.
WITH deleted AS (
  DELETE FROM perdure_audit
  WHERE number IN (
    SELECT a.number
    FROM perdure_audit a
    WHERE a.number <= (SELECT MAX(newest.number) FROM perdure_audit newest) + 1 - :max_entries
    ORDER BY a.number
    LIMIT 1000)
)
INSERT INTO perdure_audit (id, occurred_at, who, key_id, action, subject, detail)
VALUES (
  :id,
  COALESCE(CAST(:now AS timestamptz), clock_timestamp()) - :age_ms * INTERVAL '1 millisecond',
  :who, :key_id, :action, :subject, :detail)
ON CONFLICT (id) DO NOTHING;

-- name: trim
-- in audit.append

-- name: list
SELECT a.number, a.occurred_at, a.who, a.key_id, a.action, a.subject, a.detail
FROM perdure_audit a
WHERE a.number < :before
  AND (CAST(:subject AS text) IS NULL OR a.subject = :subject)
ORDER BY a.number DESC
LIMIT :limit;
