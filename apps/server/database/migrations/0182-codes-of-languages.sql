-- The contract lists the languages and checks each write; a list here would want a migration for each new one.
alter table users drop constraint users_language_check;
alter table users add constraint users_language_check check (language ~ '^[a-z]{2}$');
