-- A device's last check that its alerts would sound, for its card.
alter table device_states add column alert_check jsonb;
