import { z } from 'zod'

/*
 * A typo is told: what a call does not declare is refused by its name, also inside of lists and variants. `endpoint()` applies
 * this to the body, the query and the form of every call whose callers are no devices.
 */

type Schema = z.ZodType
type Def = Record<string, unknown> & { type: string }

const defOf = (schema: Schema) => schema.def as unknown as Def

/** The schemas inside of one, by the name at which its definition holds them. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  array: ['element'],
  catch: ['innerType'],
  default: ['innerType'],
  nonoptional: ['innerType'],
  nullable: ['innerType'],
  optional: ['innerType'],
  pipe: ['in', 'out'],
  prefault: ['innerType'],
  readonly: ['innerType'],
  record: ['valueType'],
}

const mapValues = (shape: object, map: (schema: Schema) => Schema) =>
  Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, map(inner as Schema)]))

const originals = new WeakMap<Schema, Schema>()

/** What a schema that refuses unknown fields was made of; others are themselves. */
export const originalOf = (schema: Schema): Schema => originals.get(schema) ?? schema

/** The schema, whose objects refuse fields that they do not declare. Objects that are declared loose stay so. */
export function refuseUnknownFields<S extends Schema>(schema: S): S {
  const def = defOf(schema)
  const clone = (changes: object) => {
    const strict = schema.clone({ ...def, ...changes } as never)
    originals.set(strict, originalOf(schema))
    return strict
  }
  if (def.type === 'object')
    return clone({
      shape: mapValues(def['shape'] as object, refuseUnknownFields),
      catchall: def['catchall'] ?? z.never(),
    })
  if (def.type === 'union')
    return clone({ options: (def['options'] as Schema[]).map(option => refuseUnknownFields(option)) })
  const inner = (INNER[def.type] ?? []).map(name => [name, refuseUnknownFields(def[name] as Schema)] as const)
  // A copy has no description.
  return inner.every(([name, made]) => made === def[name]) ? schema : clone(Object.fromEntries(inner))
}

/** The names of the fields that a schema declares at a path of a value, of all of its variants. */
export function declaredFields(schema: Schema, path: readonly PropertyKey[]): string[] {
  const def = defOf(schema)
  if (def.type === 'union')
    return [...new Set((def['options'] as Schema[]).flatMap(option => declaredFields(option, path)))]
  if (def.type === 'object') {
    const shape = def['shape'] as Record<string, Schema>
    const [first, ...rest] = path
    if (first === undefined) return Object.keys(shape)
    const inner = Object.hasOwn(shape, first) ? shape[String(first)] : undefined
    return inner ? declaredFields(inner, rest) : []
  }
  const isStep = def.type === 'array' || def.type === 'record'
  return (INNER[def.type] ?? []).flatMap(name =>
    declaredFields(def[name] as Schema, isStep ? path.slice(1) : path),
  )
}

/** A swap of neighbors counts as one change, like a letter that is missing, added or another one. */
function distanceOf(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_column, column) =>
      row === 0 ? column : column === 0 ? row : 0,
    ),
  )
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= one.length; row++)
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const nearest = Math.min(
        cell(row - 1, column) + 1,
        cell(row, column - 1) + 1,
        cell(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwap ? cell(row - 2, column - 2) + 1 : Infinity,
      )
      rows[row]?.splice(column, 1, nearest)
    }
  return cell(one.length, other.length)
}

/** A longer name is not a typo, and comparing it would take time. */
const MAX_TYPO_LENGTH = 60
const MAX_TYPO_DISTANCE = 2

/** The name that somebody meant: one or two letters off, without regard to case; undefined if none is. */
export function findMeant(sent: string, names: readonly string[]): string | undefined {
  if (sent.length > MAX_TYPO_LENGTH) return undefined
  const most = Math.min(MAX_TYPO_DISTANCE, Math.ceil(sent.length / 2))
  const near = names.map(name => ({ name, distance: distanceOf(sent.toLowerCase(), name.toLowerCase()) }))
  return near
    .filter(({ name, distance }) => name !== sent && distance <= most && distance < name.length)
    .toSorted((one, other) => one.distance - other.distance)[0]?.name
}
