-- Which media the settings of profiles name (the sounds of alerts), as drafted or in force: such a media item cannot be
-- purged, and who changes it finds the devices that must know. docs/decisions/0147.

create table profile_media (
  profile_uid uuid not null,
  media_uid uuid not null,
  client_id uuid not null,
  primary key (profile_uid, media_uid),
  foreign key (client_id, profile_uid) references profiles (client_id, uid) on delete cascade,
  foreign key (client_id, media_uid) references media_items (client_id, uid)
);
create index profile_media_media on profile_media (client_id, media_uid);
select fence_tenant_table('profile_media');
grant select, insert, delete on profile_media to floorcast_app;
grant select on profile_media to floorcast_jobs;

-- Written by the statement that writes the settings, so that the two never differ.
create function note_profile_media() returns trigger
language plpgsql
as $$
begin
  delete from profile_media where profile_uid = new.uid;
  insert into profile_media (profile_uid, media_uid, client_id)
  select distinct new.uid, named.media_uid::uuid, new.client_id
  from (values (new.settings), (new.active_settings)) s(settings)
  cross join lateral (
    values (s.settings->>'airMedia'), (s.settings->>'chemicalMedia'), (s.settings->>'nuclearMedia')) named(media_uid)
  where named.media_uid is not null
  order by 2;
  return null;
end
$$;
create trigger note_profile_media after insert or update of settings, active_settings on profiles
for each row when (new.type = 'alert') execute function note_profile_media();
