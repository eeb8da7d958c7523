-- How much was sent to each notification channel lately, and what was left out. All nodes share it.
CREATE TABLE perdure_channel (
  name       text COLLATE "C" NOT NULL,
  version    bigint           NOT NULL,
  usage      text             NOT NULL,
  updated_at timestamptz      NOT NULL,
  CONSTRAINT perdure_channel_key PRIMARY KEY (name),
  CONSTRAINT perdure_channel_version CHECK (version > 0)
) WITH (fillfactor = 50);
