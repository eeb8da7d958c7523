-- name: add
INSERT INTO perdure_session (hash, key_id, created_at, used_at, expires_at, ends_at)
VALUES (:hash, :key_id, :now, :now, :now + :idle_ms, :now + :max_ms)
ON CONFLICT DO NOTHING;

-- name: trim
DELETE FROM perdure_session
WHERE hash IN (
  SELECT s.hash
  FROM perdure_session s
  WHERE s.expires_at <= :now
    OR (s.key_id = :key_id
      AND s.used_at < (
        SELECT newer.used_at
        FROM perdure_session newer
        WHERE newer.key_id = :key_id
        ORDER BY newer.used_at DESC
        LIMIT 1 OFFSET :max_sessions - 1))
  LIMIT 1000);

-- name: find
SELECT
  k.id AS key_id, k.name, k.roles,
  MIN(s.expires_at, COALESCE(k.expires_at, s.expires_at)) AS expires_at,
  s.used_at > :now - 60000 AS recently_used
FROM perdure_session s
JOIN perdure_api_key k ON k.id = s.key_id
WHERE s.hash = :hash
  AND s.expires_at > :now
  AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > :now);

-- name: record_use
UPDATE perdure_session
SET used_at = :now,
    expires_at = MIN(:now + :idle_ms, ends_at)
WHERE hash = :hash
  AND expires_at > :now;

-- name: delete
DELETE FROM perdure_session
WHERE hash = :hash;
