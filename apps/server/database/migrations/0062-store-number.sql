-- The shop's own number of a play point; '' where it has none. Several devices of a shop may have the same. docs/decisions/0155.

alter table devices add column store_number text not null default '';

-- Its digits are padded with zeros to 32, so that 'B2' comes before 'B10'; null where there is none, which comes last.
alter table devices
  add column sort_store_number text generated always as (
    regexp_replace(
      regexp_replace(nullif(lower(store_number), ''), '([0-9]+)', repeat('0', 31) || '\1', 'g'),
      '0*([0-9]{32})', '\1', 'g')) stored;

-- PostgreSQL before 17 cannot change the expression of a generated column; the index goes with the column.
revoke select (search_text) on devices from floorcast_search;
alter table devices drop column search_text;
alter table devices
  add column search_text text not null
    generated always as (lower(name || E'\x1f' || description || E'\x1f' || store_number)) stored;
create index devices_search on devices using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
grant select (search_text) on devices to floorcast_search;

-- One for each direction: nulls come last in both.
create index devices_store_number on devices (client_id, sort_store_number, uid)
  include (kind, group_uid) where deleted_at is null;
create index devices_store_number_down on devices (client_id, sort_store_number desc nulls last, uid desc)
  include (kind, group_uid) where deleted_at is null;
