import type { Client } from 'pg'
import type { DatabaseRole } from './roles.ts'

/*
 * The second barrier between clients, beside row-level security (docs/decisions/0192): a view of each tenant table shows the
 * rows of the client that is set. The schema of these views is the first one in which the roles below find a table, so a
 * statement that forgets its client reads the view, whether it was built or written by hand.
 */

const SCHEMA = 'client_views'

const ROLES: readonly DatabaseRole[] = ['floorcast_app', 'floorcast_jobs']

/** The schemas in which a role finds tables, as PostgreSQL's `search_path`. */
export const searchPathOf = (role: DatabaseRole) => (ROLES.includes(role) ? `${SCHEMA},public` : 'public')

/** Without the views, statements find the tables, which row-level security protects. */
export const DROP_CLIENT_VIEWS = `drop schema if exists ${SCHEMA} cascade`

/** A view has its table's policy as condition, and its caller needs the rights to the table. */
const MAKE_CLIENT_VIEWS = `
do $$
declare
  one record;
begin
  create schema ${SCHEMA};
  grant usage on schema ${SCHEMA} to ${ROLES.join(', ')};
  for one in
    select tablename, qual from pg_policies where schemaname = 'public' and policyname = 'one_client'
  loop
    execute format(
      'create view ${SCHEMA}.%I with (security_invoker = true, check_option = local) as select * from public.%I where %s',
      one.tablename, one.tablename, one.qual);
    execute format('grant select, insert, update, delete on ${SCHEMA}.%I to ${ROLES.join(', ')}', one.tablename);
  end loop;
end
$$`

/** Makes the views of all tenant tables if there are none. @throws Error with advice if the user may create no schema */
export async function makeClientViews(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ made: boolean; database: string; user: string }>(
    `select to_regnamespace('${SCHEMA}') is not null as made, current_database() as database, current_user as user`,
  )
  const [state] = rows
  if (!state || state.made) return
  try {
    await owner.query(MAKE_CLIENT_VIEWS)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error
    const grant = `grant create on database "${state.database}" to "${state.user}";`
    throw new Error(
      `DATABASE_URL's user may create no schema. Run this as an administrator of the database, then start again:\n${grant}`,
      { cause: error },
    )
  }
}
