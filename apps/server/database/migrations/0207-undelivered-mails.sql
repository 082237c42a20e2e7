-- Mails that ended without being sent stay for a week, so that operators see them. docs/decisions/0357.

set local role floorcast_definer;
-- As in 09-sign-in-and-mails.sql. Mails that were sent or dropped go after a day, and so does the network that asked for one that failed.
create or replace function jobs_claim_mails(at timestamptz, lease_ends_at timestamptz, max_mails integer)
returns table (uid uuid, kind text, recipient text, language text, created_at timestamptz, attempts integer)
language plpgsql volatile security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  delete from registrations r where r.expires_at < at;
  delete from mails m where m.created_at < at - interval '1 day' and m.due_at is null
    and (m.outcome in ('sent', 'dropped') or m.created_at < at - interval '7 days');
  update mails m set asked_from = null
    where m.created_at < at - interval '1 day' and m.due_at is null and m.asked_from is not null;
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

-- The mails that ended without being sent, beside operator_queues.
create function operator_failed_mails() returns table (name text, waiting integer, oldest_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'mails-failed', count(*)::integer, min(m.created_at) from mails m where m.outcome in ('refused', 'expired')
$$;
revoke execute on function operator_failed_mails from public;
grant execute on function operator_failed_mails to floorcast_operator;
reset role;
