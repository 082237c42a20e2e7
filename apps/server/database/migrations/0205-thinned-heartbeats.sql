-- The history of heartbeats has a row where something changes, and at least one in ten minutes and in each quarter of an hour. A row
-- also says what the heartbeats were that have no row, since the device's row before it. docs/decisions/0346.
alter table heartbeats
  -- Null: each heartbeat until then has its row (former versions).
  add column omitted_reports integer,
  -- The last of them.
  add column omitted_until timestamptz,
  -- The highest and the least of them.
  add column omitted_temperature_celsius real,
  add column omitted_free_memory_bytes bigint;

-- The same since the device's newest row, for the next one.
alter table device_states
  -- When that row's heartbeat came. Null: none since this migration.
  add column kept_at timestamptz,
  add column omitted_reports integer not null default 0,
  add column omitted_until timestamptz,
  add column omitted_temperature_celsius real,
  add column omitted_free_memory_bytes bigint;
