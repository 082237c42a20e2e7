import { Client } from 'pg'
import { triggerColumns } from '../../../database/column-types.ts'

/*
 * The generator of database/tables.ts: the tables' types for Kysely, read from the catalog of a migrated database. Values
 * have the forms that the pools give them (role-pool.ts).
 */

interface CatalogColumn {
  table: string
  column: string
  /** PostgreSQL's own name, as `bigint` or `uuid[]`. */
  type: string
  isNullable: boolean
  hasDefault: boolean
  /** PostgreSQL refuses a write to it. */
  isGeneratedAlways: boolean
  /** The values that a CHECK constraint lists; empty when none does. */
  values: string[]
}

const COLUMNS = `
  select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
    not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "hasDefault",
    a.attidentity = 'a' or a.attgenerated <> '' as "isGeneratedAlways",
    array(select literal[1]
          from pg_constraint k, pg_get_constraintdef(k.oid) definition,
               regexp_matches(definition, '''([^'']*)''::text', 'g') literal
          where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
            and definition like '%= ANY (ARRAY[%') as values
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`

const SCALARS: Record<string, string> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  'double precision': 'number',
  int8multirange: 'string',
  integer: 'number',
  numeric: 'number',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'time without time zone': 'string',
  'timestamp with time zone': 'Timestamp',
  'timestamp without time zone': 'string',
  uuid: 'string',
}

const HEAD = `import type { GeneratedAlways } from 'kysely'
import type { Generated, Json, JsonColumns, Timestamp } from './column-types.ts'

/*
 * The tables after every migration, written by \`npm run schema\`. Instants come out as ISO 8601 strings with Z, days as
 * YYYY-MM-DD, times of day as HH:MM, wall times as YYYY-MM-DDTHH:MM:SS. database/migrations say what a column means.
 */
`

/** Every column of a migrated database, tables by name, columns in their order. */
export async function readColumns(url: string): Promise<CatalogColumn[]> {
  const owner = new Client({ connectionString: url })
  await owner.connect()
  try {
    return (await owner.query<CatalogColumn>(COLUMNS)).rows
  } finally {
    await owner.end()
  }
}

/** The TypeScript of database/tables.ts. */
export function tableTypes(columns: CatalogColumn[]): string {
  const missing = triggerColumns.filter(name => !columns.some(column => nameOf(column) === name))
  if (missing.length > 0)
    throw new Error(`column-types.ts names columns that do not exist: ${missing.join(', ')}`)
  const tables = Map.groupBy(columns, column => column.table)
  const interfaces = [...tables].map(
    ([table, its]) =>
      `  ${camelCase(table)}: {\n${its.map(column => `    ${camelCase(column.column)}: ${columnType(column)}\n`).join('')}  }\n`,
  )
  return `${HEAD}\nexport interface Tables {\n${interfaces.join('')}}\n`
}

function columnType(column: CatalogColumn): string {
  const type = column.isNullable ? `${valueType(column)} | null` : valueType(column)
  if (column.isGeneratedAlways || triggerColumns.includes(nameOf(column)))
    return `GeneratedAlways<${type.replace('Timestamp', 'string')}>`
  return column.hasDefault ? `Generated<${type}>` : type
}

function valueType(column: CatalogColumn): string {
  if (column.values.length > 0) return column.values.map(value => `'${value}'`).join(' | ')
  if (column.type === 'jsonb') return `Json<JsonColumns['${nameOf(column)}']>`
  const element = column.type.replace(/\[\]$/, '')
  const scalar = SCALARS[element]
  if (scalar === undefined)
    throw new Error(`table-types.ts knows no type for ${nameOf(column)}, a ${column.type}`)
  return element === column.type ? scalar : `${scalar}[]`
}

const nameOf = ({ table, column }: CatalogColumn) => `${table}.${column}`
const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
