import type { Client } from 'pg'

/**
 * The database roles of Floorcast. None may sign in: DATABASE_URL's user signs in and each pool takes its role before its
 * first statement, so there is only one password. `floorcast_definer` and `floorcast_search` belong to no pool: they own the
 * auth functions and the search function. `floorcast_backup` reads the rows of all clients, for backups. `floorcast_operator` counts them for operators. Roles exist in the whole
 * cluster, but have rights only in databases that grant them.
 */
export const DATABASE_ROLES = [
  'floorcast_app',
  'floorcast_auth',
  'floorcast_ingest',
  'floorcast_jobs',
  'floorcast_definer',
  'floorcast_search',
  'floorcast_backup',
  'floorcast_operator',
] as const
/** It has rights in databases of 2.775.0; migration 0060 revokes them all. */
const FORMER_ROLE = 'floorcast_door'
/** The roles that own functions. They need the right to create functions. */
const OWNERS = ['floorcast_definer', 'floorcast_search'] as const
export type DatabaseRole = (typeof DATABASE_ROLES)[number]

/** An administrator of the database has to run `statements` before the start. */
export class RolesMissingError extends Error {
  override name = 'RolesMissingError'
  readonly statements: string
  constructor({ user, database }: RoleStatus, statements: string) {
    super(
      `DATABASE_URL's user ${user} may not set up Floorcast's roles. Run this in psql as an administrator, then start again:\n\\connect "${database}"\n${statements}`,
    )
    this.statements = statements
  }
}

interface RoleStatus {
  user: string
  database: string
  /** True if a pending migration names the former role. */
  needsFormerRole: boolean
  version: number
  existing: string[]
  privilegedRoles: string[]
  entered: string[]
  /** The owner roles that may create functions. */
  owners: string[]
}

/**
 * Creates missing roles and lets the signed-in user take them.
 * @throws RolesMissingError if the user may not
 */
export async function ensureRoles(owner: Client): Promise<void> {
  const before = await readRoleStatus(owner)
  assertUnprivileged(before)
  const statements = neededStatements(before)
  try {
    for (const statement of statements) await owner.query(statement)
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new RolesMissingError(before, statements.map(statement => `${statement};`).join('\n'))
  }
}

async function readRoleStatus(owner: Client): Promise<RoleStatus> {
  const { rows } = await owner.query<RoleStatus>(
    `select current_user::text as user, current_database()::text as database,
            to_regproc('door_has_clients') is not null as "needsFormerRole",
            current_setting('server_version_num')::int / 10000 as version,
            coalesce((select array_agg(rolname::text) from pg_roles where rolname = any($1)), '{}') as existing,
            coalesce((select array_agg(rolname::text) from pg_roles
              where rolname = any($1) and (rolsuper or rolbypassrls)), '{}') as "privilegedRoles",
            coalesce((select array_agg(rolname::text) from pg_roles where rolname = any($1)
              and pg_has_role(current_user, oid,
                case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)), '{}') as entered,
            coalesce((select array_agg(rolname::text) from pg_roles where rolname = any($2)
              and has_schema_privilege(oid, 'public', 'create')), '{}') as owners`,
    [[...DATABASE_ROLES, FORMER_ROLE], OWNERS],
  )
  const [status] = rows
  if (!status) throw new Error('PostgreSQL did not say what its user may do')
  return status
}

function assertUnprivileged(status: RoleStatus): void {
  if (status.privilegedRoles.length === 0) return
  throw new Error(
    `The database role ${status.privilegedRoles.join(', ')} is a superuser or bypasses row-level security. Take that from it: alter role … nosuperuser nobypassrls`,
  )
}

function neededStatements(status: RoleStatus): string[] {
  const needed = status.needsFormerRole ? [...DATABASE_ROLES, FORMER_ROLE] : DATABASE_ROLES
  const missing = needed.filter(role => !status.existing.includes(role))
  const notEntered = needed.filter(role => !status.entered.includes(role) || missing.includes(role))
  const user = `"${status.user.replaceAll('"', '""')}"`
  // Since version 16 a member need not inherit the rights and policies of the role.
  const terms = status.version >= 16 ? ' with inherit false, set true' : ''
  return [
    ...missing.map(role => `create role ${role} nologin`),
    ...notEntered.map(role => `grant ${role} to ${user}${terms}`),
    ...OWNERS.filter(role => !status.owners.includes(role)).map(
      role => `grant usage, create on schema public to ${role}`,
    ),
  ]
}

/** 42501: insufficient privilege; 0LP01: invalid grant. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '42501' || error.code === '0LP01')
}
