-- Invitations of others keep nobody's invitation away: docs/decisions/0284.

set local role floorcast_definer;
-- Queues a mail. `limits`: mails of a kind to one recipient in an hour and in a day, mails of one client that wait, and of
-- all strangers. A stranger's hour, and for a forgotten password the day, count what the same network asked for. The hour and
-- the day of an admin count what this admin asked for. Above the day's number of invitations by all clients, each client
-- sends its first.
-- @returns `queued`, `recipient` where the recipient has had enough of them, or `full`
create or replace function queue_mail(mail mails, limits integer[]) returns text
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  an_hour bigint;
  a_day bigint;
  in_all bigint;
  of_client bigint;
begin
  -- Two calls at once must not pass the limits together.
  perform pg_advisory_xact_lock(hashtextextended('mail ' || mail.recipient, 0));
  select count(*) filter (where is_same and m.created_at > mail.created_at - interval '1 hour'),
         count(*) filter (where is_same or mail.kind = 'registration'),
         count(*),
         count(*) filter (where m.client_id = mail.client_id)
    into an_hour, a_day, in_all, of_client
    from mails m,
         lateral (select (m.asked_from, m.client_id, m.inviter) is not distinct from
                         (mail.asked_from, mail.client_id, mail.inviter) as is_same) same
   where m.recipient = mail.recipient and m.kind = mail.kind and m.created_at > mail.created_at - interval '1 day';
  if an_hour >= limits[1] or a_day >= limits[2]
     or mail.kind = 'invitation' and in_all >= limits[2] and of_client > 0 then
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
reset role;
