import type { Client } from 'pg'
import { type Migration, runWithin } from './migrations.ts'
import { readRights } from './rights.ts'

/*
 * Whether the former release can go on beside a migration: its servers run until they are replaced, one after another (docs/decisions/0347).
 * The catalog before and after is compared, and whatever the former schema had counts as used. What a migration takes away all the same, it
 * names with a reason: `-- contracts column clients.fax: 2.775.0 read it last`.
 */

/** A part of the schema. */
interface Part {
  kind:
    | 'table'
    | 'column'
    | 'constraint'
    | 'unique index'
    | 'restrictive policy'
    | 'trigger'
    | 'function'
    | 'type'
  name: string
  /** Its table; that of a foreign key which restricts another table is that one. */
  of: string | null
  definition: string
  /** The columns of a constraint or index as `table.column`; an expression has an empty name. */
  columns: string[]
  /** A row needs a value for this column. */
  isRequired: boolean
  takesNull: boolean
  hasDefault: boolean
}

/** A schema at one moment. */
export interface SchemaState {
  parts: Map<string, Part>
  rights: Set<string>
}

export interface Breach {
  /** What a line `-- contracts` names. */
  subject: string
  why: string
}

const columnsOf = (numbers: string, table: string) => `array(
  select coalesce(${table}.name || '.' || attname, '') from unnest(${numbers}) n (number)
  left join pg_attribute on attrelid = ${table}.oid and attnum = number and number > 0)::text[]`

const PARTS = `
  with tables as (
    select c.*, relname::text as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and not relispartition)
  select 'table' as kind, t.name, null::text as of, relkind::text as definition, '{}'::text[] as columns, false as "isRequired",
    true as "takesNull", true as "hasDefault" from tables t
  union all
  select 'column', t.name || '.' || attname, t.name, format_type(atttypid, atttypmod) || attgenerated::text, '{}',
    attnotnull and not atthasdef and attidentity = '', not attnotnull, atthasdef or attidentity <> ''
  from tables t join pg_attribute on attrelid = t.oid and attnum > 0 and not attisdropped where relkind <> 'S'
  union all
  select 'constraint', t.name || '.' || conname, t.name, contype::text || ' ' || pg_get_constraintdef(k.oid), ${columnsOf('conkey', 't')}, false, true, true
  from tables t join pg_constraint k on conrelid = t.oid where contype not in ('n', 't')
  union all
  select 'constraint', t.name || '.' || conname || ' to ' || o.name, o.name, 'restricts ' || confdeltype::text, '{}', false, true, true
  from tables t join pg_constraint k on conrelid = t.oid and contype = 'f' and confdeltype in ('a', 'r') join tables o on o.oid = confrelid
  union all
  select 'unique index', t.name || '.' || x.relname, t.name, pg_get_indexdef(indexrelid), ${columnsOf('indkey::smallint[]', 't')}, false, true, true
  from tables t join pg_index i on indrelid = t.oid and indisunique join pg_class x on x.oid = indexrelid
  where not exists (select from pg_constraint where conindid = indexrelid and conrelid = t.oid)
  union all
  select 'restrictive policy', t.name || '.' || polname, t.name, '', '{}', false, true, true
  from tables t join pg_policy on polrelid = t.oid where not polpermissive
  union all
  select 'trigger', t.name || '.' || tgname, t.name, pg_get_triggerdef(g.oid), '{}', false, true, true
  from tables t join pg_trigger g on tgrelid = t.oid where not tgisinternal
  union all
  select 'function', regexp_replace(p.oid::regprocedure::text, '^public\\.', ''), proname, prokind::text || ' ' || pg_get_function_arguments(p.oid)
    || ' returns ' || coalesce(pg_get_function_result(p.oid), 'nothing'), '{}', false, true, true
  from pg_proc p where pronamespace = 'public'::regnamespace
  union all
  select 'type', typname, null, typtype::text || array(select enumlabel from pg_enum where enumtypid = y.oid order by enumsortorder)::text
    || array(select pg_get_constraintdef(k.oid) from pg_constraint k where contypid = y.oid order by 1)::text, '{}', false, true, true
  from pg_type y where typnamespace = 'public'::regnamespace and typtype not in ('b', 'c')`

const keyOf = ({ kind, name }: Part) => `${kind} ${name}`

export async function readState(owner: Client): Promise<SchemaState> {
  const { rows } = await owner.query<Part>(PARTS)
  return { parts: new Map(rows.map(part => [keyOf(part), part])), rights: new Set(await readRights(owner)) }
}

/** What of a changed part breaks a former release; null: nothing. */
function whyChanged(before: Part, after: Part): string | null {
  if (before.definition !== after.definition) return `was '${before.definition}' and is '${after.definition}'`
  if (before.takesNull && !after.takesNull) return 'takes no null any more'
  return before.hasDefault && !after.hasDefault ? 'has no default any more' : null
}

/** What of a part that is gone breaks a former release; null: nothing. */
function whyGone(part: Part, after: SchemaState): string | null {
  // Its table is named.
  if (part.of !== null && part.kind !== 'function' && !after.parts.has(`table ${part.of}`)) return null
  // Without these, more is allowed.
  if (part.kind === 'restrictive policy' || /^(c|restricts) /.test(part.definition)) return null
  return 'is gone'
}

/** What of a new part breaks a former release; null: nothing. */
function whyNew(part: Part, before: SchemaState): string | null {
  const isOfOld = part.of !== null && before.parts.has(`table ${part.of}`)
  const hasOldColumn = part.columns.some(column => column === '' || before.parts.has(`column ${column}`))
  if (part.kind === 'function') {
    const isKnown = [...before.parts.values()].some(({ kind, of }) => kind === 'function' && of === part.of)
    return isKnown ? 'has the name of another one: a call may fit both' : null
  }
  if (!isOfOld) return null
  if (part.kind === 'column')
    return part.isRequired ? 'needs a value, and the former release gives none' : null
  if (part.kind === 'restrictive policy') return 'hides rows that the former release reads'
  if (part.definition.startsWith('restricts ')) return 'keeps the former release from deleting rows'
  const isOfRows = part.kind === 'constraint' || part.kind === 'unique index'
  return isOfRows && hasOldColumn ? 'refuses rows that the former release may write' : null
}

/** `grant select on clients.name to floorcast_app` → `clients.name` */
function thingOf(line: string): string {
  const [, thing = ''] =
    /^(?:grant .*? on|owner of|row security of|policy \S+ on) (\S.*?)(?: for .*| to \w+|: .*|, also .*)?$/.exec(
      line,
    ) ?? []
  return thing
}

/** `policy p on t for …` → `policy p on t`; the rest of a policy is long. */
const subjectOf = (line: string) =>
  /^policy \S+ on \S+/.exec(line)?.[0] ?? line.replace(/^(owner of [^:]+):.*/, '$1')

function findLostRights(before: SchemaState, after: SchemaState): Breach[] {
  const has = (state: SchemaState, thing: string) =>
    (['table', 'column', 'function'] as const).some(kind => state.parts.has(`${kind} ${thing}`))
  const lost = [...before.rights].filter(line => !after.rights.has(line) && has(after, thingOf(line)))
  const fenced = [...after.rights].filter(
    line => line.startsWith('row security ') && !before.rights.has(line) && has(before, thingOf(line)),
  )
  return [
    ...lost
      .filter(line => !line.startsWith('row security '))
      .map(line => ({ subject: subjectOf(line), why: `is not there any more: ${line}` })),
    ...fenced.map(line => ({ subject: line, why: 'hides rows that the former release reads' })),
  ]
}

/** What a server of the former release may stumble over. */
function compareStates(before: SchemaState, after: SchemaState): Breach[] {
  const breaches: Breach[] = []
  const add = (part: Part, why: string | null) => {
    if (why !== null) breaches.push({ subject: keyOf(part), why })
  }
  for (const [key, part] of before.parts) {
    const now = after.parts.get(key)
    add(part, now === undefined ? whyGone(part, after) : whyChanged(part, now))
  }
  for (const [key, part] of after.parts) if (!before.parts.has(key)) add(part, whyNew(part, before))
  return [...breaches, ...findLostRights(before, after)]
}

const CONTRACTS = /^-- contracts (.+)$/gm
const MIN_REASON = /^(\S+\s+){2,}\S+/

/**
 * Applies a migration in the transaction of the caller, and finds what the former release cannot live with.
 * @param known the breaches of the migrations before it, to which its own are added
 * @returns what it takes away and does not name, and what it names without a reason or need
 */
export async function findBreakingChanges(
  owner: Client,
  { sql }: Pick<Migration, 'sql'>,
  { former, known }: { former: SchemaState; known: Set<string> },
): Promise<string[]> {
  await runWithin(owner, sql)
  const named = [...sql.matchAll(CONTRACTS)].map(([, text = '']) => text)
  const lineOf = ({ subject, why }: Breach) => `${subject} ${why}`
  const breaches = compareStates(former, await readState(owner)).filter(breach => !known.has(lineOf(breach)))
  for (const breach of breaches) known.add(lineOf(breach))
  const reasonOf = (subject: string) =>
    named.find(text => text.startsWith(`${subject}: `))?.slice(subject.length + 2)
  const faults = breaches.flatMap(({ subject, why }) => {
    const reason = reasonOf(subject)
    if (reason === undefined) return [lineOf({ subject, why })]
    return MIN_REASON.test(reason) ? [] : [`'-- contracts ${subject}' needs a reason of some words`]
  })
  const idle = named.filter(text => !breaches.some(({ subject }) => text.startsWith(`${subject}: `)))
  return [...faults, ...idle.map(text => `'-- contracts ${text}' names nothing that it takes away`)]
}
