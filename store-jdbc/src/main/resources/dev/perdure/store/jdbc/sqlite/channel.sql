-- name: find
SELECT c.version, c.usage
FROM perdure_channel c
WHERE c.name = :name;

-- name: write
-- Changes nothing if another node has written since the version was read; 0 stands for no row.
INSERT INTO perdure_channel (name, version, usage, updated_at)
VALUES (:name, :version + 1, :usage, :now)
ON CONFLICT (name) DO UPDATE
SET version = excluded.version,
    usage = excluded.usage,
    updated_at = excluded.updated_at
WHERE perdure_channel.version = :version;
