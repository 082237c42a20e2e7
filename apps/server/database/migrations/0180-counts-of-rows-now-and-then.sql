-- A client's rows are counted now and then: at 100,000 rows to count them takes ten milliseconds. docs/decisions/0263.

-- Argument: the limit, as before. After a count, a connection adds a hundredth of the room that was left without counting, so that
-- a hundred connections together do not pass the limit. What it may still add is a setting of its session, for each client and table; it is
-- taken back with its transaction.
create or replace function limit_rows() returns trigger
language plpgsql
as $$
declare
  client constant uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  setting constant text := 'row_room.' || tg_table_name || '_' || replace(client::text, '-', '');
  -- The limit's expression stands before the number: with another limit the rows are counted again.
  known constant text := current_setting(setting, true);
  most bigint;
  used bigint;
  free bigint;
begin
  -- What the server adds without a client's call has limits elsewhere.
  if client is null then
    return null;
  end if;
  if split_part(known, '|', 2) = tg_argv[0] then
    free := split_part(known, '|', 1)::bigint - (select count(*) from added);
  end if;
  if free is null or free < 0 then
    execute format('select (%s)::bigint from clients c join plans p on p.key = c.plan_key where c.uid = $1', tg_argv[0])
      into most using client;
    execute format('select count(*) from (select from %I where client_id = $1 limit $2 + 1) as counted', tg_table_name)
      into used using client, most;
    if used > most then
      raise exception using errcode = 'FC001', message = 'row limit', detail = tg_table_name, hint = most::text;
    end if;
    free := (most - used) / 100;
  end if;
  perform set_config(setting, free || '|' || tg_argv[0], false);
  return null;
end
$$;

-- The number of added rows is that of the transition table.
do $$
declare
  one record;
begin
  for one in
    select t.tgrelid::regclass::text as name, convert_from(trim(trailing '\x00'::bytea from t.tgargs), 'UTF8') as most
    from pg_trigger t where t.tgname = 'limit_rows' and t.tgfoid = 'limit_rows'::regproc
  loop
    execute format('drop trigger limit_rows on %s', one.name);
    execute format('create trigger limit_rows after insert on %s referencing new table as added
      for each statement execute function limit_rows(%L)', one.name, one.most);
  end loop;
end
$$;
