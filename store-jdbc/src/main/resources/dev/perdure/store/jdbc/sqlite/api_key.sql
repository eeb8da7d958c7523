-- name: exists
SELECT EXISTS (SELECT 1 FROM perdure_api_key) AS found;

-- name: add
INSERT INTO perdure_api_key (id, name, roles, hash, created_at, expires_at)
VALUES (:id, :name, :roles, :hash, :now, :now + :validity_ms)
ON CONFLICT DO NOTHING;

-- name: find
SELECT
  k.id, k.name, k.roles, k.hash, k.created_at, k.expires_at, k.used_at, k.revoked_at,
  k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now) AS active,
  k.used_at IS NOT NULL AND k.used_at > :now - 60000 AS recently_used
FROM perdure_api_key k
WHERE k.id = :id;

-- name: list
SELECT
  k.id, k.name, k.roles, k.hash, k.created_at, k.expires_at, k.used_at, k.revoked_at,
  k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now) AS active,
  k.used_at IS NOT NULL AND k.used_at > :now - 60000 AS recently_used
FROM perdure_api_key k
ORDER BY k.created_at DESC, k.id
LIMIT :limit + 0;

-- name: record_use
UPDATE perdure_api_key
SET used_at = :now
WHERE id = :id;

-- name: revoke
UPDATE perdure_api_key
SET revoked_at = COALESCE(revoked_at, :now)
WHERE id = :id;
