-- A server is told to be without files if it has none of these. Five in the order of their rows are the oldest ones: an installation that has
-- lost those, and has thousands of others, was unready. In the order of their hashes they are of any age.
set local role floorcast_definer;
create or replace function jobs_some_files() returns table (client_uid uuid, sha256 text)
language sql stable security definer set search_path = public, pg_temp
as $$
  (select f.client_id, f.sha256 from media_files f limit 5)
  union
  select f.client_id, f.sha256
  from (select uid from clients limit 20) c cross join lateral (
    select m.client_id, m.sha256 from media_files m where m.client_id = c.uid order by m.sha256 limit 10) f
$$;
reset role;
