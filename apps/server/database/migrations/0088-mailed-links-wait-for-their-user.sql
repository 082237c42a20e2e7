-- A mailed link waits for the user's row like the links that admins and the operator make: of those that are made at once only
-- one is valid.

set local role floorcast_definer;
create or replace function jobs_prepare_mail(
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
reset role;
