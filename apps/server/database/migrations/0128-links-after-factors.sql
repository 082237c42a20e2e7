-- A link of a user with a second factor waits for the factor: the password changes, and the sessions end, when it was right.
alter table sign_in_steps
  add column link_hash bytea check (length(link_hash) = 32),
  add column new_password_hash text,
  add constraint sign_in_steps_link check ((link_hash is null) = (new_password_hash is null));

-- The user of a one-time link: another client may have a user of the same email.
create function auth_link_user(sought bytea, at timestamptz) returns uuid
language sql stable security definer set search_path to public, pg_temp
as $$
  select l.user_uid from user_links l where l.token_hash = sought and l.expires_at > at
$$;
revoke execute on function auth_link_user(bytea, timestamptz) from public;
grant execute on function auth_link_user(bytea, timestamptz) to floorcast_auth;
alter function auth_link_user(bytea, timestamptz) owner to floorcast_definer;
