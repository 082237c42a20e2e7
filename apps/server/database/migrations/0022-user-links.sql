-- One-time links by which a user sets a password: an invitation, or a reset by an admin.

create table user_links (
  -- SHA-256 of what the link holds.
  token_hash bytea primary key check (length(token_hash) = 32),
  client_id uuid not null,
  user_uid uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
create index user_links_user on user_links (client_id, user_uid);
select fence_tenant_table('user_links');
grant select, insert, delete on user_links to floorcast_app;

-- Whoever never signed in has not taken the invitation yet.
alter table users add column is_invited boolean not null default false;

create policy door on user_links to floorcast_definer using (true) with check (true);
grant select, delete on user_links to floorcast_definer;
grant update (password_hash, is_invited, changed_at) on users to floorcast_definer;
grant update (revoked_at) on sessions to floorcast_definer;

-- Sets the password of a link's user and uses the link up, with all others of that user; former sessions end. Null: no
-- such link, or too late.
create function door_use_link(sought bytea, new_password_hash text, at timestamptz) returns text
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  holder uuid;
  holder_email text;
begin
  delete from user_links l where l.token_hash = sought and l.expires_at > at returning l.user_uid into holder;
  if holder is null then
    return null;
  end if;
  delete from user_links l where l.user_uid = holder;
  update sessions s set revoked_at = at where s.user_uid = holder and s.revoked_at is null;
  update users u set password_hash = new_password_hash, is_invited = false, changed_at = at
   where u.uid = holder returning u.email into holder_email;
  return holder_email;
end
$$;
revoke execute on function door_use_link from public;
grant execute on function door_use_link to floorcast_door;
alter function door_use_link owner to floorcast_definer;
