/** Prints JSON Schemas of the OpenAPI document as TypeScript types. */

export type Schema = Readonly<Record<string, unknown>>

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const KEYWORDS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** A comment in front of a declaration; empty without a text. */
export const commentOf = (text: unknown): string =>
  typeof text === 'string' && text !== ''
    ? `/** ${text.replaceAll('*/', '*\u200b/').replaceAll('\n', '\n * ')} */\n`
    : ''

export const nameOfRef = (ref: string) => ref.split('/').at(-1) ?? ref

const fieldName = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
const literal = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : String(value))

/** One field of an object type, with its comment. */
export const printField = (name: string, schema: Schema, isRequired: boolean): string =>
  `${commentOf(schema['description'])}${fieldName(name)}${isRequired ? '' : '?'}: ${printType(schema)}\n`

export const propertiesOf = ({ properties }: Schema): [string, Schema][] =>
  Object.entries(isSchema(properties) ? properties : {}).filter((entry): entry is [string, Schema] =>
    isSchema(entry[1]),
  )

function printObject(schema: Schema): string {
  const { required, additionalProperties, propertyNames } = schema
  const fields = propertiesOf(schema)
  if (fields.length === 0 && isSchema(additionalProperties)) {
    const key = isSchema(propertyNames) && propertyNames['$ref'] ? printType(propertyNames) : 'string'
    return `Record<${key}, ${printType(additionalProperties)}>`
  }
  if (fields.length === 0) return 'Record<string, never>'
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return `{\n${fields.map(([name, field]) => printField(name, field, isRequired(name))).join('')}}`
}

const printUnion = (variants: readonly unknown[]) =>
  [...new Set(variants.filter(isSchema).map(printType))].join(' | ')

function printArray({ prefixItems, items }: Schema): string {
  if (Array.isArray(prefixItems)) return `[${prefixItems.filter(isSchema).map(printType).join(', ')}]`
  return isSchema(items) ? `(${printType(items)})[]` : 'unknown[]'
}

/**
 * The type of a schema. Bytes in a form are a `File`.
 * @throws Error for a keyword that no schema of the document has had so far
 */
export function printType(schema: Schema): string {
  const { $ref, anyOf, oneOf, type } = schema
  if (typeof $ref === 'string') return nameOfRef($ref)
  if (schema['allOf'] !== undefined || schema['not'] !== undefined)
    throw new Error(`No type for ${JSON.stringify(schema)}`)
  if (Array.isArray(anyOf)) return printUnion(anyOf)
  if (Array.isArray(oneOf)) return printUnion(oneOf)
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ')
  if (Array.isArray(type)) return type.map(one => printType({ ...schema, type: String(one) })).join(' | ')
  if (type === 'object') return printObject(schema)
  if (type === 'array') return printArray(schema)
  if (schema['format'] === 'binary') return 'File'
  return typeof type === 'string' ? (KEYWORDS[type] ?? 'unknown') : 'unknown'
}
