-- name: find
-- Always one row: without the channel, its columns are null.
SELECT clock.now, c.version, c.usage
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
LEFT JOIN perdure_channel c ON c.name = :name;

-- name: write
-- Changes nothing if another node has written since the version was read; 0 stands for no row.
INSERT INTO perdure_channel (name, version, usage, updated_at)
VALUES (:name, :version + 1, :usage, COALESCE(CAST(:now AS timestamptz), clock_timestamp()))
ON CONFLICT (name) DO UPDATE
SET version = excluded.version,
    usage = excluded.usage,
    updated_at = excluded.updated_at
WHERE perdure_channel.version = :version;
