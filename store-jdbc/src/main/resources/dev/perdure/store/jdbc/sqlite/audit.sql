-- name: append
INSERT INTO perdure_audit (id, occurred_at, who, key_id, action, subject, detail)
VALUES (:id, :occurred_at, :who, :key_id, :action, :subject, :detail)
ON CONFLICT (id) DO NOTHING;

-- name: trim
-- Deletes at most 1,000 entries per call, so that a lower limit does not delete everything at once.
DELETE FROM perdure_audit
WHERE number IN (
  SELECT a.number
  FROM perdure_audit a
  WHERE a.number <= (SELECT MAX(newest.number) FROM perdure_audit newest) - :max_entries
  ORDER BY a.number
  LIMIT 1000);

-- name: list
SELECT a.number, a.occurred_at, a.who, a.key_id, a.action, a.subject, a.detail
FROM perdure_audit a
WHERE a.number < :before
  AND (:subject IS NULL OR a.subject = :subject)
ORDER BY a.number DESC
LIMIT :limit + 0;
