-- The key of the installation by a fingerprint: a server with another key is refused at its start (docs/decisions/0355).
alter table installation_state add column key_fingerprint bytea;

set local role floorcast_definer;
-- Notes a key where none is noted yet. Returns the one that is noted.
create function jobs_note_key(candidate bytea) returns bytea
language sql security definer set search_path = public, pg_temp
as $$
  update installation_state set key_fingerprint = candidate where key_fingerprint is null and candidate is not null;
  select s.key_fingerprint from installation_state s
$$;
-- In place of a key that is lost.
create function jobs_accept_key(candidate bytea) returns void
language sql security definer set search_path = public, pg_temp
as $$
  update installation_state set key_fingerprint = candidate
$$;
revoke execute on function jobs_note_key, jobs_accept_key from public;
grant execute on function jobs_note_key, jobs_accept_key to floorcast_jobs;
reset role;
