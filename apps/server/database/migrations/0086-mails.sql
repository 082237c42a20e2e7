-- Mails that wait for the mail server and, for a day, those that have ended: the limits count them. No row has a secret. The
-- token of a link is made when its mail is sent; the database stores its hash. docs/decisions/0190.

-- People who asked for an account and have not opened their link.
create table registrations (
  uid uuid primary key,
  email text not null check (email = lower(email)),
  client_name text not null,
  first_name text not null,
  last_name text not null,
  -- SHA-256 of the newest link's token. Null until the mail is sent.
  token_hash bytea unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index registrations_email on registrations (email);
create index registrations_expires on registrations (expires_at);
grant select, insert, update, delete on registrations to floorcast_definer;

-- No foreign keys: the limits count mails to users who were removed meanwhile. Otherwise an admin who invites and removes in
-- turns could send any number.
create table mails (
  uid uuid primary key,
  -- The client on whose behalf it is sent; null for strangers.
  client_id uuid,
  user_uid uuid,
  registration_uid uuid,
  kind text not null check (kind in ('registration', 'forgotten-password', 'invitation', 'reset')),
  recipient text not null check (recipient = lower(recipient)),
  language text not null,
  -- The email of the admin who invites.
  inviter text,
  created_at timestamptz not null,
  -- When it is sent, or sent again. Null: it has ended.
  due_at timestamptz,
  attempts integer not null default 0,
  -- `dropped`: there was no user to write to. `refused`: the mail server refused the recipient or the mail.
  outcome text check (outcome in ('sent', 'dropped', 'refused', 'expired')),
  check ((due_at is null) = (outcome is not null))
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_recipient on mails (recipient, created_at);
create index mails_created on mails (created_at);
select enable_tenant_rls('mails');
create policy auth on mails to floorcast_definer using (true) with check (true);
grant select, insert, update, delete on mails to floorcast_definer;

create function notify_mail() returns trigger
language plpgsql set search_path to public, pg_temp
as $$
begin
  perform pg_notify('floorcast_mail', '');
  return null;
end
$$;
create trigger mail_added after insert on mails for each statement execute function notify_mail();

-- Queues a mail. `limits`: mails of a kind to one recipient in an hour and in a day, mails of one client that wait, and of
-- all strangers. @returns `queued`, `recipient` where the recipient has had enough of them, or `full`
create function queue_mail(mail mails, limits integer[]) returns text
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
begin
  -- Two calls at once must not pass the limits together.
  perform pg_advisory_xact_lock(hashtextextended('mail ' || mail.recipient, 0));
  if limits[1] <= (select count(*) from mails m where m.recipient = mail.recipient and m.kind = mail.kind
                   and m.created_at > mail.created_at - interval '1 hour')
     or limits[2] <= (select count(*) from mails m where m.recipient = mail.recipient and m.kind = mail.kind
                      and m.created_at > mail.created_at - interval '1 day') then
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
revoke execute on function queue_mail from public;
alter function queue_mail owner to floorcast_definer;

-- A mail with a link to a user of the client: an invitation, or a new password. Null: the client has no such user.
create function queue_mail_to_user(mail_uid uuid, holder uuid, inviter text, language text, at timestamptz, limits integer[])
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
        language, inviter, at, at, 0, null)::mails, limits), to_user.email;
end
$$;
revoke execute on function queue_mail_to_user from public;
grant execute on function queue_mail_to_user to floorcast_app;
alter function queue_mail_to_user owner to floorcast_definer;

-- The answer and its time do not depend on whether the email is taken: nothing here looks at users.
create function auth_request_registration(
  new_uid uuid, mail_uid uuid, new_email text, new_client_name text, new_first_name text, new_last_name text, language text,
  at timestamptz, limits integer[]
) returns text
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  result text := queue_mail(
    row(mail_uid, null, null, new_uid, 'registration', lower(new_email), language, null, at, at, 0, null)::mails, limits);
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
alter function auth_request_registration owner to floorcast_definer;

create function auth_request_reset(mail_uid uuid, email text, language text, at timestamptz, limits integer[]) returns text
language sql volatile security definer set search_path = public, pg_temp
as $$
  select queue_mail(
    row(mail_uid, null, null, null, 'forgotten-password', lower(email), language, null, at, at, 0, null)::mails, limits)
$$;
revoke execute on function auth_request_reset from public;
grant execute on function auth_request_reset to floorcast_auth;
alter function auth_request_reset owner to floorcast_definer;

-- The email of a registration whose link can be used; null for any other.
create function auth_registration_email(sought bytea, at timestamptz) returns text
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.email from registrations r where r.token_hash = sought and r.expires_at > at
$$;
revoke execute on function auth_registration_email from public;
grant execute on function auth_registration_email to floorcast_auth;
alter function auth_registration_email owner to floorcast_definer;

-- Makes the client and its first user of a registration, and uses up all links of this email. The email; null: no such link,
-- or too late; empty: another user has it meanwhile.
create function auth_confirm_registration(
  sought bytea, new_client uuid, new_user uuid, plan text, plan_expires_at timestamptz, user_password_hash text,
  at timestamptz
) returns text
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  confirmed registrations%rowtype;
begin
  delete from registrations r where r.token_hash = sought and r.expires_at > at returning * into confirmed;
  if not found then
    return null;
  end if;
  delete from registrations r where r.email = confirmed.email;
  if not auth_register(new_client, confirmed.client_name, plan, plan_expires_at, new_user, confirmed.email,
                       user_password_hash, confirmed.first_name, confirmed.last_name, at) then
    return '';
  end if;
  return confirmed.email;
end
$$;
revoke execute on function auth_confirm_registration from public;
grant execute on function auth_confirm_registration to floorcast_auth;
alter function auth_confirm_registration owner to floorcast_definer;

-- Due mails for one server to send; others leave them alone until the lease ends. Clients and kinds take turns. Deletes what
-- is older than a day.
create function jobs_claim_mails(at timestamptz, lease_ends_at timestamptz, max_mails integer)
returns table (uid uuid, kind text, recipient text, language text, created_at timestamptz, attempts integer)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  delete from registrations r where r.expires_at < at;
  delete from mails m where m.created_at < at - interval '1 day' and m.due_at is null;
  return query
    update mails m set due_at = lease_ends_at, attempts = m.attempts + 1
     where m.uid in (
       select l.uid from mails l join (
         select d.uid, row_number() over (partition by d.client_id, d.kind order by d.due_at, d.uid) as turn
         from mails d where d.due_at <= at) turns on turns.uid = l.uid
       where l.due_at <= at
       order by turns.turn, l.due_at, l.uid limit max_mails for update of l skip locked)
    returning m.uid, m.kind, m.recipient, m.language, m.created_at, m.attempts;
end
$$;
revoke execute on function jobs_claim_mails from public;
grant execute on function jobs_claim_mails to floorcast_jobs;
alter function jobs_claim_mails owner to floorcast_definer;

-- When the next mail is due; null: none waits.
create function jobs_next_mail_at() returns timestamptz
language sql stable security definer set search_path = public, pg_temp
as $$
  select min(m.due_at) from mails m where m.due_at is not null
$$;
revoke execute on function jobs_next_mail_at from public;
grant execute on function jobs_next_mail_at to floorcast_jobs;
alter function jobs_next_mail_at owner to floorcast_definer;

-- Stores the hash of the link of a mail that is sent now. @returns which text the mail has (`registration`, `taken`,
-- `invitation`, `forgotten`, `reset`) and the admin who invites; no row if there is nobody to write to: the mail is dropped
create function jobs_prepare_mail(
  sought uuid, link_hash bytea, entry_uid uuid, at timestamptz, registration_until timestamptz, forgotten_until timestamptz,
  link_until timestamptz
) returns table (variant text, inviter text)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  mail mails%rowtype;
  holder users%rowtype;
begin
  select * into mail from mails m where m.uid = sought and m.due_at is not null;
  if mail.kind in ('invitation', 'reset') then
    select * into holder from users u
     where u.client_id = mail.client_id and u.uid = mail.user_uid and u.email = mail.recipient;
  else
    select * into holder from users u where u.email = mail.recipient and not u.is_invited;
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
  if holder.uid is null then
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
alter function jobs_prepare_mail owner to floorcast_definer;

-- Ends a mail, or has it sent again at `again_at`. The audit of the client on whose behalf it was sent records a failure.
create function jobs_end_mail(sought uuid, new_outcome text, again_at timestamptz, reason text, entry_uid uuid, at timestamptz)
returns void
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  mail mails%rowtype;
begin
  update mails m set due_at = again_at, outcome = new_outcome where m.uid = sought and m.due_at is not null
  returning * into mail;
  if mail.outcome in ('refused', 'expired') and mail.client_id is not null then
    insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name, changes)
    values (entry_uid, mail.client_id, at, 'mail', 'mail-failed', 'user', mail.user_uid, mail.recipient,
            jsonb_build_object('reason', jsonb_build_array(null, reason)));
  end if;
end
$$;
revoke execute on function jobs_end_mail from public;
grant execute on function jobs_end_mail to floorcast_jobs;
alter function jobs_end_mail owner to floorcast_definer;
