-- Plays are stored with the name of their group, read by the statement that stores them: a query for each call cost more.
create policy all_clients on groups for select to floorcast_ingest using (true);
grant select (client_id, uid, name) on groups to floorcast_ingest;
