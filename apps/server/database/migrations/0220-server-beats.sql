-- A server that has a standby for its reports writes the database's clock each second. What it finds of it in the standby says how old
-- the rows there are, and that they are those of this database. Microseconds in text: the server compares and does not calculate.
alter table servers add column database_at timestamptz;

set local role floorcast_definer;
create function jobs_beat_server(server_name text) returns text
language sql volatile security definer set search_path = public, pg_temp as $$
  update servers s set database_at = clock_timestamp() where s.name = server_name returning s.database_at::text
$$;

create function server_beat(server_name text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select s.database_at::text from servers s where s.name = server_name
$$;
revoke execute on function jobs_beat_server, server_beat from public;
grant execute on function jobs_beat_server to floorcast_jobs;
grant execute on function server_beat to floorcast_app;
reset role;
