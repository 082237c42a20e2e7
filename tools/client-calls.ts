import type { Endpoint } from '../packages/contract/src/endpoint.ts'
import { endpoints } from '../packages/contract/src/endpoints.ts'
import { nameOfRef, printType, type Schema } from './schema-types.ts'

/* Which calls of the OpenAPI document the typed client has, and how they are called there. */

/** Calls of devices and of the installation's operators; uploads in pieces and the change feed have a method of their own. */
const LEFT_OUT = new Set(['deviceProtocol', 'operator', 'operatorSignIn', 'uploads', 'live'])

/** The nouns of which an integrator finds the calls under another one. */
const GROUPS: Readonly<Record<string, string>> = {
  alertDevices: 'alerts',
  deployments: 'publications',
  deviceCommands: 'devices',
  deviceDay: 'devices',
  deviceFilters: 'devices',
  deviceImport: 'devices',
  mediaCredits: 'media',
  playlistTracks: 'playlists',
  publish: 'publications',
  smartPlaylists: 'playlists',
}

/** Names for the parameters that the specification calls `{x}`, by their types. */
const NAMES_OF_X: Readonly<Record<string, string>> = { KindFilter: 'kind', BinKind: 'bin' }

interface Operation {
  operationId: string
  summary: string
  description: string
  parameters: { name?: string; in?: string; description?: string; required?: boolean; schema?: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface Call {
  group: string
  name: string
  endpoint: Endpoint
  operation: Operation
}

export type Schemas = Readonly<Record<string, Schema>>

/** `devices` without its last letter; `media` and other nouns without a plural stay. */
const singularOf = (noun: string) => noun.replace(/s$/, '')
export const capital = (noun: string) => noun.replace(/^./, letter => letter.toUpperCase())

/** `listDevices` of `devices` is `list`, `deleteManyDevices` is `deleteMany`; other names stay. */
function shortName(group: string, name: string): string {
  const nouns = [capital(group), capital(singularOf(group))]
  const noun = nouns.find(ending => name.endsWith(ending))
  const verb = noun === undefined ? '' : name.slice(0, -noun.length)
  return /^[a-z]+(Many|Unused)?$/.test(verb) ? verb : name
}

export function readCalls(document: { paths: object }): Call[] {
  const paths = document.paths as Record<string, Record<string, Operation>>
  return endpoints.flatMap(({ noun, name, endpoint }) => {
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
    const { by } = endpoint.access
    if (LEFT_OUT.has(noun) || by === 'device' || by === 'operator' || operation === undefined) return []
    const group = GROUPS[noun] ?? noun
    return [{ group, name: shortName(group, name), endpoint, operation }]
  })
}

/** The one schema behind a reference. */
export const resolve = (schema: Schema, schemas: Schemas): Schema =>
  typeof schema['$ref'] === 'string' ? (schemas[nameOfRef(schema['$ref'])] ?? {}) : schema

export const nameOfParameter = (name: string, schema: Schema): string => {
  if (name !== 'x') return name
  const known = NAMES_OF_X[printType(schema)]
  if (known === undefined) throw new Error(`No name for {x} of the type ${printType(schema)}`)
  return known
}

/** `all` where nothing is said. */
export const isPick = (schema: Schema) => printType(schema) === 'KindFilter'
