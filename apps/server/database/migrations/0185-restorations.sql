-- A row for each time that the database was restored: what devices have reported after `restored_to` was lost with the former database,
-- and they deliver it again. docs/decisions/0324.
create table restorations (
  epoch uuid primary key,
  restored_to timestamptz not null,
  restored_at timestamptz not null
);
grant select on restorations to floorcast_ingest;
select let_backups_read('restorations');
