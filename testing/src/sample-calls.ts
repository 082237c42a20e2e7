import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { endpoints } from '@floorcast/contract/endpoints.ts'
import { z } from 'zod'

export type NamedEndpoint = (typeof endpoints)[number]

/** The uids in samples. The caller chooses their client. */
export interface FixtureUids {
  device: string
  group: string
  track: string
  playlist: string
  publication: string
  profile: string
  user: string
  updateFile: string
  updatePackage: string
  /** The link of the file in the package. */
  updateLink: string
  updateChannel: string
  deployPackage: string
  /** A device in the bin. */
  binned: string
  /** The own view of the user who calls. */
  savedView: string
  webhook: string
  /** It has ended. */
  alert: string
}

/** A call of the contract with valid values. */
export interface SampleCall {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

interface JsonSchema {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minimum?: number
  additionalProperties?: unknown
}

/** Thousands of samples ask for the same schemas. */
const inputSchemas = new WeakMap<z.ZodType, JsonSchema>()

export function inputSchema(schema: z.ZodType): JsonSchema {
  const known = inputSchemas.get(schema)
  if (known) return known
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  inputSchemas.set(schema, made)
  return made
}

/** The item that `uid`, `id` and `uids` name, by the noun of the call. */
const OWN: Readonly<Record<string, keyof FixtureUids>> = {
  devices: 'device',
  groups: 'group',
  media: 'track',
  delivery: 'track',
  playlists: 'playlist',
  smartPlaylists: 'track',
  deployments: 'publication',
  publish: 'publication',
  bulkDevices: 'device',
  bulkGroups: 'group',
  bulkPlaylists: 'playlist',
  bulkPublications: 'publication',
  bulkMedia: 'track',
  bulkRecycle: 'binned',
  profiles: 'profile',
  users: 'user',
  session: 'user',
  sessions: 'user',
  recycle: 'binned',
  savedViews: 'savedView',
  webhooks: 'webhook',
  alertDevices: 'alert',
  updateFiles: 'updateFile',
  updatePackages: 'updatePackage',
  updateChannels: 'updateChannel',
  deployPackages: 'deployPackage',
}

const BY_NAME: Readonly<Record<string, keyof FixtureUids>> = {
  device: 'device',
  group: 'group',
  track: 'track',
  playlist: 'playlist',
  playpointid: 'device',
  playpoint: 'device',
  mediaUid: 'track',
  groupUid: 'group',
  groupUids: 'group',
  playlistUid: 'playlist',
  smartPlUid: 'playlist',
  linkedDeviceUid: 'device',
  fileUid: 'updateFile',
  fileuid: 'updateFile',
  linkid: 'updateLink',
  packageUid: 'updatePackage',
  channelUid: 'updateChannel',
}

/** Valid texts where the schema does not describe the format. */
const WORDS: Readonly<Record<string, string>> = {
  contentType: 'melodies',
  content: 'c2FtcGxl',
  name: 'Sample name',
  fullName: 'Sam Sample',
  email: 'sample@shop.example',
  url: 'https://shop.example/events',
  key: 'city',
  path: '/api/v2/media/00000000-0000-4000-8000-000000000000/file',
  startTime: '09:00',
  startdatetime: '2099-01-01T09:00:00Z',
  sha256: 'a'.repeat(64),
  nonce: 'b'.repeat(64),
  keyId: 'a'.repeat(16),
  password: 'a long password',
  planKey: 'basic',
  version: '2.776.0',
  zone: 'Europe/Berlin',
  publicKey: `${'A'.repeat(43)}=`,
}

export const isUid = ({ format, anyOf, items }: JsonSchema): boolean =>
  format === 'uuid' || (anyOf ?? []).some(isUid) || (items ? isUid(items) : false)

/** The item of a uid at a name of a call. */
export const fixtureAt = (noun: string, name: string): keyof FixtureUids =>
  BY_NAME[name] ?? OWN[noun] ?? 'device'

interface Place {
  noun: string
  name: string
  fixtures: FixtureUids
}

function sampleString(schema: JsonSchema, { noun, name, fixtures }: Place): string {
  if (isUid(schema)) return fixtures[fixtureAt(noun, name)]
  if (schema.format === 'date-time') return '2026-11-21T09:00:00Z'
  if (schema.format === 'date') return '2026-11-21'
  return WORDS[name] ?? 'sample'
}

function sampleWord(words: readonly unknown[], { noun, name }: Place): unknown {
  if (name === 'contentType' && words.includes(WORDS[name])) return WORDS[name]
  if (/recycle$/i.test(noun) && words.includes('devices')) return 'devices'
  return words[0]
}

/** A valid value; of an object its required fields, every uid, and the password that some calls want at times. */
export function sampleOf(schema: JsonSchema, place: Place): unknown {
  if (schema.enum) return sampleWord(schema.enum, place)
  if (schema.const !== undefined) return schema.const
  const [first] = (schema.anyOf ?? []).toSorted((one, other) => Number(isUid(other)) - Number(isUid(one)))
  if (first) return sampleOf(first, place)
  if (schema.type === 'array') return schema.items?.type ? [sampleOf(schema.items, place)] : []
  if (schema.type === 'object') return sampleObject(schema, place)
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  return sampleString(schema, place)
}

function sampleObject({ properties, required }: JsonSchema, place: Place): Record<string, unknown> {
  const wanted = Object.entries(properties ?? {}).filter(
    ([name, schema]) => required?.includes(name) || name === 'password' || isUid(schema),
  )
  return Object.fromEntries(wanted.map(([name, schema]) => [name, sampleOf(schema, { ...place, name })]))
}

/** A valid call about the items of `fixtures`. */
export function sampleCall({ noun, endpoint }: NamedEndpoint, fixtures: FixtureUids): SampleCall {
  const sample = (schema: z.ZodType) => sampleOf(inputSchema(schema), { noun, name: '', fixtures })
  return {
    params: sample(endpoint.params) as Record<string, unknown>,
    query: {},
    body: endpoint.bodyForm === 'json' ? sample(endpoint.body) : undefined,
  }
}

/** True if the contract accepts the call. */
export const isTaken = (endpoint: Endpoint, { params, query, body }: SampleCall): boolean =>
  endpoint.params.safeParse(params).success &&
  endpoint.query.safeParse(query).success &&
  (endpoint.bodyForm !== 'json' || endpoint.body.safeParse(body).success)
