-- What strangers ask for is not counted against the user: docs/decisions/0264.

-- The networks from which the user signed in, the newest first. Empty until the next sign-in.
alter table users add column networks text[] not null default '{}' check (cardinality(networks) <= 10);

-- The network that asked for the mail; null for a mail of a client.
alter table mails add column asked_from text;
-- Set when the mail is sent: true if its reader has signed in from that network.
alter table mails add column is_from_reader boolean;

set local role floorcast_definer;
-- Queues a mail. `limits`: mails of a kind to one recipient in an hour and in a day, mails of one client that wait, and of
-- all strangers. A stranger's hour, and for a forgotten password the day, count what the same network asked for.
-- @returns `queued`, `recipient` where the recipient has had enough of them, or `full`
create or replace function queue_mail(mail mails, limits integer[]) returns text
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  an_hour bigint;
  a_day bigint;
begin
  -- Two calls at once must not pass the limits together.
  perform pg_advisory_xact_lock(hashtextextended('mail ' || mail.recipient, 0));
  select count(*) filter (where m.created_at > mail.created_at - interval '1 hour'
                            and m.asked_from is not distinct from mail.asked_from),
         count(*) filter (where mail.kind <> 'forgotten-password' or m.asked_from is not distinct from mail.asked_from)
    into an_hour, a_day
    from mails m
   where m.recipient = mail.recipient and m.kind = mail.kind and m.created_at > mail.created_at - interval '1 day';
  if an_hour >= limits[1] or a_day >= limits[2] then
    return 'recipient';
  end if;
  if limits[case when mail.client_id is null then 4 else 3 end] <=
     (select count(*) from mails m where m.due_at is not null and m.client_id is not distinct from mail.client_id) then
    return 'full';
  end if;
  insert into mails values (mail.*);
  return 'queued';
end
$$;

create or replace function queue_mail_to_user(mail_uid uuid, holder uuid, inviter text, language text, at timestamptz, limits integer[])
returns table (result text, recipient text)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  client uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  to_user users%rowtype;
begin
  select * into to_user from users u where u.client_id = client and u.uid = holder;
  if not found then
    return;
  end if;
  return query select queue_mail(
    row(mail_uid, client, holder, null, case when to_user.is_invited then 'invitation' else 'reset' end, to_user.email,
        language, inviter, at, at, 0, null, null, null)::mails, limits), to_user.email;
end
$$;

drop function auth_request_registration(uuid, uuid, text, text, text, text, text, timestamptz, integer[]);
-- The answer and its time do not depend on whether the email is taken: nothing here looks at users.
create function auth_request_registration(
  new_uid uuid, mail_uid uuid, new_email text, new_client_name text, new_first_name text, new_last_name text, language text,
  asked_from text, at timestamptz, limits integer[]
) returns text
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  result text := queue_mail(
    row(mail_uid, null, null, new_uid, 'registration', lower(new_email), language, null, at, at, 0, null, asked_from,
        null)::mails, limits);
begin
  if result = 'queued' then
    insert into registrations (uid, email, client_name, first_name, last_name, created_at, expires_at)
    values (new_uid, lower(new_email), new_client_name, new_first_name, new_last_name, at, at + interval '2 days');
  end if;
  return result;
end
$$;
revoke execute on function auth_request_registration from public;
grant execute on function auth_request_registration to floorcast_auth;

drop function auth_request_reset(uuid, text, text, timestamptz, integer[]);
create function auth_request_reset(
  mail_uid uuid, email text, language text, asked_from text, at timestamptz, limits integer[]
) returns text
language sql volatile security definer set search_path = public, pg_temp
as $$
  select queue_mail(
    row(mail_uid, null, null, null, 'forgotten-password', lower(email), language, null, at, at, 0, null, asked_from,
        null)::mails, limits)
$$;
revoke execute on function auth_request_reset from public;
grant execute on function auth_request_reset to floorcast_auth;

drop function jobs_prepare_mail(uuid, bytea, uuid, timestamptz, timestamptz, timestamptz, timestamptz);
-- Stores the hash of the link of a mail that is sent now. @returns which text the mail has (`registration`, `taken`,
-- `invitation`, `forgotten`, `reset`) and the admin who invites; no row if there is nobody to write to, or if strangers have
-- caused as many mails for a forgotten password in a day as they may: the mail is dropped
create function jobs_prepare_mail(
  sought uuid, link_hash bytea, entry_uid uuid, at timestamptz, registration_until timestamptz, forgotten_until timestamptz,
  link_until timestamptz, max_of_strangers integer
) returns table (variant text, inviter text)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  mail mails%rowtype;
  holder users%rowtype;
  is_reader boolean;
begin
  select * into mail from mails m where m.uid = sought and m.due_at is not null;
  if mail.kind in ('invitation', 'reset') then
    select * into holder from users u
     where u.client_id = mail.client_id and u.uid = mail.user_uid and u.email = mail.recipient
       for no key update;
  else
    select * into holder from users u where u.email = mail.recipient and not u.is_invited for no key update;
  end if;

  if mail.kind = 'registration' and holder.uid is not null then
    return query select 'taken', null::text;
    return;
  end if;
  if mail.kind = 'registration' then
    update registrations r set token_hash = link_hash, expires_at = registration_until where r.uid = mail.registration_uid;
    if found then
      return query select 'registration', null::text;
      return;
    end if;
  end if;
  if mail.kind = 'forgotten-password' and holder.uid is not null then
    is_reader := coalesce(mail.asked_from = any (holder.networks), false);
    update mails m set is_from_reader = is_reader where m.uid = sought;
  end if;
  -- The row of the user is locked: of mails that are prepared at once each sees the ones before it.
  if holder.uid is null or not is_reader and max_of_strangers <= (
    select count(*) from mails m
     where m.recipient = mail.recipient and m.kind = mail.kind and m.uid <> sought and not m.is_from_reader
       and m.outcome is distinct from 'dropped' and m.created_at > at - interval '1 day') then
    update mails m set due_at = null, outcome = 'dropped' where m.uid = sought and m.due_at is not null;
    return;
  end if;
  if mail.kind = 'forgotten-password' then
    -- Former links stay: a stranger who asks in the name of a user must not end them.
    insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
    values (entry_uid, holder.client_id, at, holder.email, 'ask-for-reset', 'user', holder.uid, holder.email);
  else
    delete from user_links l where l.user_uid = holder.uid;
  end if;
  insert into user_links (token_hash, client_id, user_uid, created_at, expires_at)
  values (link_hash, holder.client_id, holder.uid, at,
          case when mail.kind = 'forgotten-password' then forgotten_until else link_until end);
  return query select case when holder.is_invited then 'invitation' when mail.kind = 'forgotten-password' then 'forgotten'
                      else 'reset' end, mail.inviter;
end
$$;
revoke execute on function jobs_prepare_mail from public;
grant execute on function jobs_prepare_mail to floorcast_jobs;
reset role;
