import { Client } from 'pg'

/** Roles that a pool works as, with what each may do in a table: s(elect), i(nsert), u(pdate), d(elete). */
export type Allowed = Record<string, Record<string, string>>

export interface IsolationWalk {
  superuserUrl: string
  /** The owner's; each role is taken from it, as the server's pools do. */
  url: string
  /** Two clients with rows in every tenant table. */
  clients: [string, string]
  allowed: Allowed
  /** Roles that work over all clients at once and are held by their narrow grants. */
  overAllClients: string[]
  /** Tables that belong to no client. */
  shared: string[]
}

export interface Table {
  name: string
  isPartition: boolean
  hasClient: boolean
  hasForcedRls: boolean
}

async function connected<T>(
  url: string,
  role: string | null,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: url, ...(role ? { options: `-c role=${role}` } : {}) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Every table and partition of the schema, from the catalog. */
export async function listTables(superuserUrl: string): Promise<Table[]> {
  return connected(superuserUrl, null, async superuser => {
    const { rows } = await superuser.query<Table>(
      `select c.relname as name, c.relispartition as "isPartition",
              exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id') as "hasClient",
              c.relrowsecurity and c.relforcerowsecurity as "hasForcedRls"
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    )
    return rows
  })
}

/** Every gap in the isolation of tenants, as sentences; none is what a test wants. */
export async function findIsolationBreaches(walk: IsolationWalk): Promise<string[]> {
  const tables = await listTables(walk.superuserUrl)
  const breaches = await catalogBreaches(walk, tables)
  const foreignRows = await readForeignRows(walk, tables)
  for (const role of Object.keys(walk.allowed)) {
    await connected(walk.url, role, async client => {
      for (const table of tables)
        breaches.push(...(await tryTable(client, { walk, role, table, foreignRows })))
    })
  }
  return breaches
}

async function catalogBreaches(walk: IsolationWalk, tables: Table[]): Promise<string[]> {
  const own = tables.filter(table => !walk.shared.includes(table.name))
  const withoutRls = own.filter(table => !table.hasClient || !table.hasForcedRls)
  const breaches = withoutRls.map(table => `${table.name} has no client_id or no forced row-level security`)
  return connected(walk.superuserUrl, null, async superuser => {
    for (const table of own.filter(table => table.hasClient && !table.isPartition)) {
      const { rows } = await superuser.query<{ n: number }>(
        `select count(distinct client_id)::int as n from ${table.name} where client_id = any($1)`,
        [walk.clients],
      )
      if (rows[0]?.n !== 2)
        breaches.push(`${table.name} has no row of each client: seed it, or nothing is proved`)
    }
    const links = await superuser.query<{ says: string }>(
      `select format('%s refers to %s without client_id', k.conrelid::regclass, k.confrelid::regclass) as says
       from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0
         and not k.confrelid = any($1::text[]::regclass[])
         and not exists (select from pg_attribute a
           where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and a.attname = 'client_id')`,
      [walk.shared],
    )
    const views = await superuser.query<{ says: string }>(
      `select format('%s is a view that is no security_invoker, or materialized', c.oid::regclass) as says
       from pg_class c where c.relnamespace = 'public'::regnamespace
         and (c.relkind = 'm' or c.relkind = 'v' and not coalesce('security_invoker=true' = any(c.reloptions), false))`,
    )
    return [...breaches, ...links.rows.map(row => row.says), ...views.rows.map(row => row.says)]
  })
}

interface Trial {
  walk: IsolationWalk
  role: string
  table: Table
  foreignRows: Map<string, ForeignRow>
}

/** Tries every kind of statement as one role, with one client set, with none, and against the other client. */
async function tryTable(client: Client, trial: Trial): Promise<string[]> {
  const { walk, role, table } = trial
  const allowed = table.isPartition ? '' : (walk.allowed[role]?.[table.name] ?? '')
  const says = (what: string) => `${role} ${what} ${table.name}`
  const breaches: string[] = []
  const [own, other] = walk.clients
  const attempt = (clientId: string | null, sql: string, values: unknown[] = []) =>
    inTransaction(client, clientId, () => client.query(sql, values))

  const may = new Map([['u', await mayUpdate(client, table.name)]])
  for (const [letter, sql] of statementsOn(table.name)) may.set(letter, !(await attempt(own, sql)).isRefused)
  for (const [letter, isAllowed] of may) {
    if (isAllowed !== allowed.includes(letter))
      breaches.push(says(`${isAllowed ? 'may' : 'may not'} ${letter}`))
  }
  if (walk.overAllClients.includes(role) || !table.hasClient || allowed === '') return breaches

  if (allowed.includes('s')) {
    const without = await attempt(null, `select from ${table.name}`)
    if (without.count !== 0) breaches.push(says('without a client sees rows of'))
    const seen = await attempt(own, `select from ${table.name} where client_id <> $1`, [own])
    if (seen.count !== 0) breaches.push(says('sees rows of another client in'))
    const mine = await attempt(own, `select from ${table.name} where client_id = $1`, [own])
    if (mine.count === 0) breaches.push(says('does not see its own rows in'))
  }
  if (allowed.includes('d')) {
    const gone = await attempt(own, `delete from ${table.name} where client_id = $1`, [other])
    if (gone.count !== 0) breaches.push(says('deletes rows of another client in'))
  }
  breaches.push(...(await tryCrossing(attempt, trial, allowed)))
  return breaches
}

type Attempt = (clientId: string | null, sql: string, values?: unknown[]) => Promise<Tried>

/** Rows changed, moved or put in under another client's id. */
async function tryCrossing(
  attempt: Attempt,
  { walk, role, table, foreignRows }: Trial,
  allowed: string,
): Promise<string[]> {
  const [own, other] = walk.clients
  const breaches: string[] = []
  if (allowed.includes('u') && table.name !== 'clients') {
    const changed = await attempt(
      own,
      `update ${table.name} set client_id = client_id where client_id = $1`,
      [other],
    )
    if (changed.count > 0) breaches.push(`${role} changes rows of another client in ${table.name}`)
    const moved = await attempt(own, `update ${table.name} set client_id = $2 where client_id = $1`, [
      own,
      other,
    ])
    if (!moved.isRefused) breaches.push(`${role} gives rows of ${table.name} to another client`)
  }
  if (allowed.includes('i')) {
    const foreign = foreignRows.get(table.name)
    const put = await attempt(
      own,
      `insert into ${table.name} (${foreign?.columns}) overriding system value
       select ${foreign?.columns} from json_populate_record(null::${table.name}, $1)`,
      [JSON.stringify(foreign?.row)],
    )
    if (!put.isRefused) breaches.push(`${role} puts rows of another client into ${table.name}`)
  }
  return breaches
}

/** One statement for each kind, all of them without effect on any row. */
function statementsOn(table: string): [string, string][] {
  return [
    ['s', `select from ${table} limit 1`],
    ['i', `insert into ${table} select where false`],
    ['d', `delete from ${table} where false`],
  ]
}

async function mayUpdate(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "select has_any_column_privilege($1, 'update') as may",
    [table],
  )
  return rows[0]?.may === true
}

interface ForeignRow {
  row: unknown
  /** Those that can be written, separated by commas. */
  columns: string
}

/** One row of the other client from each table, to be put in under this one. */
async function readForeignRows(walk: IsolationWalk, tables: Table[]): Promise<Map<string, ForeignRow>> {
  return connected(walk.superuserUrl, null, async superuser => {
    const found = new Map<string, ForeignRow>()
    for (const { name } of tables.filter(table => table.hasClient && !table.isPartition)) {
      const { rows } = await superuser.query<ForeignRow>(
        `select to_json(t) as row, (
           select string_agg(quote_ident(a.attname), ', ') from pg_attribute a
           where a.attrelid = '${name}'::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
         from ${name} t where client_id = $1 limit 1`,
        [walk.clients[1]],
      )
      if (rows[0]) found.set(name, rows[0])
    }
    return found
  })
}

interface Tried {
  /** The rights or a policy refused it. */
  isRefused: boolean
  count: number
}

async function inTransaction(
  client: Client,
  clientId: string | null,
  work: () => Promise<{ rowCount: number | null }>,
): Promise<Tried> {
  await client.query('begin')
  try {
    if (clientId) await client.query("select set_config('app.client_id', $1, true)", [clientId])
    const { rowCount } = await work()
    return { isRefused: false, count: rowCount ?? 0 }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // A constraint (class 23) is met only by who got past rights and policies.
    if (code !== '42501' && !code.startsWith('23')) throw error
    return { isRefused: code === '42501', count: 0 }
  } finally {
    await client.query('rollback')
  }
}
