import { namedSchemas } from '@floorcast/contract/endpoints.ts'
import { reasons, ReasonText } from '@floorcast/contract/outcomes.ts'
import { problemCodes } from '@floorcast/contract/problem-codes.ts'
import { FieldError, Problem } from '@floorcast/contract/problem.ts'
import { originalOf } from '@floorcast/contract/unknown-fields.ts'
import { z } from 'zod'
import { fieldCodes } from '../../lib/errors.ts'
import descriptions from './descriptions.json' with { type: 'json' }

export type JsonSchema = Record<string, unknown>
/** Of a call: what it takes or gives. A schema may differ in both, since what has a default may be left out of an input. */
export type Side = 'input' | 'output'

/** What the contract leaves open for newer servers is listed in the document: codes of errors, of fields and of refused changes. */
const CODES = new Map<unknown, readonly string[]>([
  [Problem.shape.code.unwrap(), problemCodes],
  [FieldError.shape.message, fieldCodes],
  [ReasonText, reasons],
])

const TEXTS: Readonly<Record<string, string | undefined>> = descriptions

/** What the contract says of fields, for schemas that have them of another one, as by `extend`. */
const FIELD_TEXTS = new Map<unknown, string>(
  [...namedSchemas].flatMap(([schema, name]) =>
    schema instanceof z.ZodObject
      ? Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([field, inner]) => {
          const text = namedSchemas.has(inner) ? undefined : TEXTS[`${name}.${field}`]
          return text === undefined ? [] : [[inner, text] as const]
        })
      : [],
  ),
)

const textOf = (schema: z.ZodType) => {
  const original = originalOf(schema)
  return z.globalRegistry.get(original)?.description ?? FIELD_TEXTS.get(original)
}

/** Describes these schemas of zod for JSON Schema where generators of clients read it otherwise. */
function describe({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod
  const text = textOf(zodSchema as unknown as z.ZodType)
  if (text !== undefined) jsonSchema['description'] ??= text
  const codes = CODES.get(zodSchema)
  if (codes) jsonSchema['enum'] = [...codes]
  if (def.type === 'file') {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name]
    Object.assign(jsonSchema, { type: 'string', format: 'binary' })
  }
  // The keys of a record are fields with names.
  const keys = def.type === 'record' ? def.keyType._zod.values : undefined
  if (keys)
    jsonSchema['properties'] = Object.fromEntries(
      [...keys].map(key => [String(key), structuredClone(jsonSchema['additionalProperties'])]),
    )
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Puts in what the contract says of a schema and of its fields, also of those in lists and variants. */
function describeFields(schema: JsonSchema, path: string): void {
  const text = TEXTS[path]
  if (text !== undefined) schema['description'] ??= text
  describeParts(schema, path)
}

function describeParts(schema: JsonSchema, path: string): void {
  const { properties, items, additionalProperties, anyOf, oneOf } = schema
  if (isSchema(properties))
    for (const [name, field] of Object.entries(properties))
      if (isSchema(field)) describeFields(field, `${path}.${name}`)
  for (const part of [items, additionalProperties, ...[anyOf, oneOf].flat()])
    if (isSchema(part)) describeParts(part, path)
}

const COPY = '__'
const nameOfId = (id: string) => id.split(COPY, 1)[0] ?? id

/** Gives a schema and those inside of it the names of the contract. */
function registerNames(schema: z.ZodType): z.core.$ZodRegistry<{ id?: string }> {
  const registry = z.registry<{ id?: string }>()
  let copies = 0
  const ids = new Set<string>()
  /** Zod wants another id for each: a body may have several copies of a schema that refuses unknown fields. */
  const idOf = (name: string) => {
    const id = ids.has(name) ? `${name}${COPY}${(copies += 1)}` : name
    ids.add(id)
    return id
  }
  const seen = new Set<unknown>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (value instanceof z.ZodType) {
      const name = namedSchemas.get(originalOf(value))
      if (name !== undefined) registry.add(value, { id: idOf(name) })
      for (const inner of Object.values(value.def)) visit(inner)
    } else if (Array.isArray(value)) value.forEach(visit)
    else if (Object.getPrototypeOf(value) === Object.prototype) Object.values(value).forEach(visit)
  }
  visit(schema)
  return registry
}

const REF = /"#\/components\/schemas\/(input|output):(\w+)"/g
const refTo = (side: Side, name: string) => `#/components/schemas/${side}:${name}`

/** The schemas of a document: those with a name stand in its components, once for both sides where they are alike. */
export class DocumentSchemas {
  readonly #named: Record<Side, Map<string, string>> = { input: new Map(), output: new Map() }

  /**
   * A reference for a schema with a name, else the schema itself.
   * @param place where descriptions.json has what the contract says of its fields, such as `listDevices.query`
   */
  of(schema: z.ZodType, side: Side, place = ''): JsonSchema {
    const metadata = registerNames(schema)
    const made = z.toJSONSchema(schema, { io: side, unrepresentable: 'any', override: describe, metadata })
    const {
      $schema: _,
      $defs: defs = {},
      ...rest
    } = this.#refer(made, side) as JsonSchema & {
      $defs?: Record<string, JsonSchema>
    }
    describeFields(rest, place)
    for (const [id, { id: __, ...def }] of Object.entries(defs)) {
      describeFields(def, nameOfId(id))
      this.#named[side].set(nameOfId(id), JSON.stringify(def))
    }
    return rest
  }

  /** The schema itself, also of one with a name. */
  inline(schema: z.ZodType, side: Side, place: string): JsonSchema {
    const { $ref, ...rest } = this.of(schema, side, place)
    const name = typeof $ref === 'string' ? $ref.split(':').at(-1) : undefined
    return name === undefined ? rest : (JSON.parse(this.#named[side].get(name) ?? '{}') as JsonSchema)
  }

  /** Completes a document: references get the names that its components have. */
  complete<T extends { components: object }>(document: T): T {
    const differing = this.#differing()
    const nameOf = (side: Side, name: string) =>
      side === 'input' && differing.has(name) ? `${name}Input` : name
    const resolve = (text: string) =>
      text.replaceAll(REF, (_, side: Side, name: string) => `"#/components/schemas/${nameOf(side, name)}"`)
    const whole = JSON.parse(resolve(JSON.stringify(document))) as T
    const schemas: Record<string, unknown> = {}
    const take = (text: string): void => {
      for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (name in schemas) continue
        const known = name.replace(/Input$/, '')
        const isInput = differing.has(known) && name !== known
        const def =
          (isInput ? null : this.#named.output.get(name)) ?? this.#named.input.get(isInput ? known : name)
        const resolved = resolve(def ?? '{}')
        schemas[name] = JSON.parse(resolved)
        take(resolved)
      }
    }
    take(JSON.stringify(whole))
    const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return { ...whole, components: { ...whole.components, schemas: sorted } }
  }

  #refer(schema: JsonSchema, side: Side): unknown {
    return JSON.parse(
      JSON.stringify(schema).replaceAll(/"#\/\$defs\/(\w+)"/g, (_, name: string) =>
        JSON.stringify(refTo(side, nameOfId(name))),
      ),
    )
  }

  /** The names that stand for another schema on each side, by themselves or by what they refer to. */
  #differing(): Set<string> {
    const { input, output } = this.#named
    const plain = (text: string) => text.replaceAll(REF, '"$2"')
    const both = [...input].flatMap(([name, text]) => {
      const other = output.get(name)
      return other === undefined ? [] : [{ name, text, other }]
    })
    const differing = new Set(
      both.filter(({ text, other }) => plain(text) !== plain(other)).map(({ name }) => name),
    )
    const refersTo = (text: string) => [...text.matchAll(REF)].some(([, , name = '']) => differing.has(name))
    for (let before = -1; before < differing.size;) {
      before = differing.size
      for (const { name, text } of both) if (refersTo(text)) differing.add(name)
    }
    return differing
  }
}
