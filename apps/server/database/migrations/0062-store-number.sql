-- The shop's own number of a play point; '' where it has none. Several devices of a shop may have the same. docs/decisions/0155.

alter table devices add column store_number text not null default '';

-- Its digits are padded with zeros to 32, so that 'B2' comes before 'B10'; null where there is none, which comes last.
alter table devices
  add column sort_store_number text generated always as (
    regexp_replace(
      regexp_replace(nullif(lower(store_number), ''), '([0-9]+)', repeat('0', 31) || '\1', 'g'),
      '0*([0-9]{32})', '\1', 'g')) stored,
  alter column search_text set expression as (lower(name || E'\x1f' || description || E'\x1f' || store_number));

-- One for each direction: nulls come last in both.
create index devices_store_number on devices (client_id, sort_store_number, uid)
  include (kind, group_uid) where deleted_at is null;
create index devices_store_number_down on devices (client_id, sort_store_number desc nulls last, uid desc)
  include (kind, group_uid) where deleted_at is null;
