-- How often the player meant to report when it sent a heartbeat: a device's day shows where three were missed. Null for players that
-- do not say, and before this migration; these take the newest one of the device.
alter table heartbeats add column heartbeat_seconds real;
