-- How much was sent to each notification channel lately, and what was left out. All nodes share it.
CREATE TABLE perdure_channel (
  name       TEXT    NOT NULL,
  version    INTEGER NOT NULL,
  usage      TEXT    NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT perdure_channel_key PRIMARY KEY (name),
  CONSTRAINT perdure_channel_version CHECK (version > 0)
) STRICT, WITHOUT ROWID;
