-- A user has a language, in which mails are written: docs/decisions/0273. Null until the first sign-in.
alter table users add column language text check (language in ('ar', 'cn', 'de', 'en', 'es', 'fr', 'pt', 'ru', 'ua'));

-- The language of the user who reads a mail; null where the recipient is no user or has none yet.
set local role floorcast_definer;
create function jobs_mail_language(sought uuid) returns text
language sql stable security definer set search_path = public, pg_temp
as $$
  select u.language from mails m
    join users u on u.client_id = m.client_id and u.uid = m.user_uid and u.email = m.recipient
   where m.uid = sought and m.kind in ('invitation', 'reset')
  union all
  select u.language from mails m join users u on u.email = m.recipient and not u.is_invited
   where m.uid = sought and m.kind not in ('invitation', 'reset')
$$;
revoke execute on function jobs_mail_language from public;
grant execute on function jobs_mail_language to floorcast_jobs;
reset role;
