-- The import that added a device, and its line in the user's file: a line is stored once, however often the call is repeated.
-- docs/decisions/0163.

alter table devices add column import_uid uuid, add column import_line integer;
alter table devices add constraint devices_import_check check ((import_uid is null) = (import_line is null));
create unique index devices_import on devices (client_id, import_uid, import_line) where import_uid is not null;
