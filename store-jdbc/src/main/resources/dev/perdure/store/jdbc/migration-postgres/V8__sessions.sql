-- Sessions of people who logged in with an API key in a browser. A session ends with its key.
CREATE TABLE perdure_session (
  hash       text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  created_at timestamptz      NOT NULL,
  used_at    timestamptz      NOT NULL,
  expires_at timestamptz      NOT NULL,
  ends_at    timestamptz      NOT NULL,
  CONSTRAINT perdure_session_key PRIMARY KEY (hash),
  CONSTRAINT perdure_session_hash CHECK (length(hash) = 64),
  CONSTRAINT perdure_session_end CHECK (expires_at <= ends_at)
);

CREATE INDEX perdure_session_expiry ON perdure_session (expires_at);
CREATE INDEX perdure_session_of_key ON perdure_session (key_id, used_at);
