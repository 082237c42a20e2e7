-- An operator's one-time link for a user who cannot sign in, written down in the client's audit. False: nobody has this
-- email. A former link of the user is good no more.

grant insert on user_links to floorcast_definer;
grant insert on audit_entries to floorcast_definer;
create policy operator on audit_entries for insert to floorcast_definer with check (true);

create function jobs_make_link(user_email text, link_hash bytea, entry_uid uuid, at timestamptz, until timestamptz)
returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  holder users%rowtype;
begin
  select * into holder from users u where u.email = lower(user_email);
  if not found then
    return false;
  end if;
  delete from user_links l where l.user_uid = holder.uid;
  insert into user_links (token_hash, client_id, user_uid, created_at, expires_at)
  values (link_hash, holder.client_id, holder.uid, at, until);
  insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
  values (entry_uid, holder.client_id, at, 'operator', 'reset-password', 'user', holder.uid, holder.email);
  return true;
end
$$;
revoke execute on function jobs_make_link from public;
grant execute on function jobs_make_link to floorcast_jobs;
alter function jobs_make_link owner to floorcast_definer;
