-- Sessions of people who logged in with an API key in a browser. A session ends with its key.
CREATE TABLE perdure_session (
  hash       TEXT    NOT NULL,
  key_id     TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ends_at    INTEGER NOT NULL,
  CONSTRAINT perdure_session_key PRIMARY KEY (hash),
  CONSTRAINT perdure_session_hash CHECK (length(hash) = 64),
  CONSTRAINT perdure_session_end CHECK (expires_at <= ends_at)
) STRICT, WITHOUT ROWID;

CREATE INDEX perdure_session_expiry ON perdure_session (expires_at);
CREATE INDEX perdure_session_of_key ON perdure_session (key_id, used_at);
