-- API keys of callers. Rows are never deleted: once a key has been created, the server requires
-- one, even after all keys have been revoked.
CREATE TABLE perdure_api_key (
  id         TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  roles      TEXT    NOT NULL,
  hash       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  used_at    INTEGER,
  revoked_at INTEGER,
  CONSTRAINT perdure_api_key_key PRIMARY KEY (id),
  CONSTRAINT perdure_api_key_hash CHECK (length(hash) = 64)
) STRICT, WITHOUT ROWID;

-- Actions of operators. Rows are never updated; the oldest are deleted.
CREATE TABLE perdure_audit (
  number      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id          BLOB    NOT NULL,
  occurred_at INTEGER NOT NULL,
  who         TEXT    NOT NULL,
  key_id      TEXT,
  action      TEXT    NOT NULL,
  subject     TEXT,
  detail      TEXT,
  CONSTRAINT perdure_audit_id UNIQUE (id)
) STRICT;

-- Secrets that all nodes share. The secret with the highest number of a purpose is in use; older
-- ones are still accepted.
CREATE TABLE perdure_secret (
  purpose    TEXT    NOT NULL,
  number     INTEGER NOT NULL,
  secret     TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  CONSTRAINT perdure_secret_key PRIMARY KEY (purpose, number),
  CONSTRAINT perdure_secret_number CHECK (number > 0)
) STRICT, WITHOUT ROWID;
