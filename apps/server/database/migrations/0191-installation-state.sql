-- What holds for all consoles at once, one row: a notice of the operator, and 'read only' while the installation is maintained.
-- Every server keeps a copy and reads the row again when the trigger says so. docs/decisions/0330.
create table installation_state (
  is_only_row boolean primary key default true check (is_only_row),
  -- Null: changes are taken.
  read_only_since timestamptz,
  -- Null: until an operator ends it.
  read_only_until timestamptz,
  -- Null: there is no notice.
  notice_uid uuid,
  notice_text text check (char_length(notice_text) between 1 and 500),
  notice_level text check (notice_level in ('info', 'warning')),
  notice_until timestamptz,
  check ((notice_uid is null) = (notice_text is null) and (notice_uid is null) = (notice_level is null)
    and (notice_uid is null) = (notice_until is null))
);
insert into installation_state default values;
grant select, update on installation_state to floorcast_definer;
select let_backups_read('installation_state');

create function notify_installation_changed() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('floorcast_installation', '');
  return null;
end
$$;
create trigger installation_changed after update on installation_state for each statement
  execute function notify_installation_changed();

set local role floorcast_definer;
create function auth_installation_state()
returns table (
  read_only_since timestamptz, read_only_until timestamptz, notice_uid uuid, notice_text text, notice_level text,
  notice_until timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select s.read_only_since, s.read_only_until, s.notice_uid, s.notice_text, s.notice_level, s.notice_until
  from installation_state s
$$;

-- A null uid ends the notice.
create function operator_set_notice(new_uid uuid, new_text text, new_level text, until timestamptz, entry jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  update installation_state set notice_uid = new_uid, notice_text = new_text, notice_level = new_level, notice_until = until;
  perform note_operator_act(entry);
end
$$;

-- A null beginning ends it; one that lasts keeps its beginning.
create function operator_set_read_only(since timestamptz, until timestamptz, entry jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  update installation_state s set read_only_until = until, read_only_since = case
    when since is null then null
    when s.read_only_since is not null and (s.read_only_until is null or s.read_only_until > since) then s.read_only_since
    else since end;
  perform note_operator_act(entry);
end
$$;
revoke execute on function auth_installation_state, operator_set_notice, operator_set_read_only from public;
grant execute on function auth_installation_state to floorcast_auth;
grant execute on function operator_set_notice, operator_set_read_only to floorcast_operator;
reset role;
