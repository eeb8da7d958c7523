-- API keys of callers. Rows are never deleted: once a key has been created, the server requires
-- one, even after all keys have been revoked.
CREATE TABLE perdure_api_key (
  id         text COLLATE "C" NOT NULL,
  name       text             NOT NULL,
  roles      text COLLATE "C" NOT NULL,
  hash       text COLLATE "C" NOT NULL,
  created_at timestamptz      NOT NULL,
  expires_at timestamptz,
  used_at    timestamptz,
  revoked_at timestamptz,
  CONSTRAINT perdure_api_key_key PRIMARY KEY (id),
  CONSTRAINT perdure_api_key_hash CHECK (length(hash) = 64)
);

-- Actions of operators. Rows are never updated; the oldest are deleted.
CREATE TABLE perdure_audit (
  number      bigint           NOT NULL GENERATED ALWAYS AS IDENTITY,
  id          uuid             NOT NULL,
  occurred_at timestamptz      NOT NULL,
  who         text             NOT NULL,
  key_id      text COLLATE "C",
  action      text COLLATE "C" NOT NULL,
  subject     text COLLATE "C",
  detail      text,
  CONSTRAINT perdure_audit_key PRIMARY KEY (number),
  CONSTRAINT perdure_audit_id UNIQUE (id)
);

-- Secrets that all nodes share. The secret with the highest number of a purpose is in use; older
-- ones are still accepted.
CREATE TABLE perdure_secret (
  purpose    text COLLATE "C" NOT NULL,
  number     integer          NOT NULL,
  secret     text COLLATE "C" NOT NULL,
  created_at timestamptz      NOT NULL,
  CONSTRAINT perdure_secret_key PRIMARY KEY (purpose, number),
  CONSTRAINT perdure_secret_number CHECK (number > 0)
);
