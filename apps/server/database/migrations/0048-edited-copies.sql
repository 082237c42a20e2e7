-- A playlist that is on the air is edited as a copy, which takes its place when it is done: the copy knows of what.

alter table playlists
  add column edit_of_uid uuid,
  add foreign key (client_id, edit_of_uid) references playlists (client_id, uid) on delete set null (edit_of_uid);
comment on column playlists.edit_of_uid is 'The playlist that this one was made of to take its place';
create index playlists_edit_of on playlists (client_id, edit_of_uid) where edit_of_uid is not null;
