import { alertMediaSettings } from '@floorcast/contract/alert-kind.ts'
import type { ProfileType } from '@floorcast/contract/device-profiles.ts'

/** How a setting is entered. */
export type SettingInput =
  | { kind: 'number'; isWhole: boolean; min: number | null; max: number | null; mayBeNull: boolean }
  | { kind: 'choice'; values: readonly (number | string)[] }
  | { kind: 'switch' }
  | { kind: 'time' }
  | { kind: 'sound' }
  | { kind: 'text' }

export interface Setting {
  name: string
  input: SettingInput
}

/** A part of a JSON Schema, as far as settings need it. */
interface Schema {
  type?: unknown
  anyOf?: unknown
  const?: unknown
  format?: unknown
  pattern?: unknown
  minimum?: unknown
  maximum?: unknown
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const numberOr = (value: unknown) => (typeof value === 'number' ? value : null)

/** The settings of a type, in the order of its schema. */
export function readSettings(schema: Record<string, unknown>): Setting[] {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties).map(([name, part]: [string, unknown]) => ({
    name,
    input: isSchema(part) ? readInput(part) : { kind: 'text' },
  }))
}

function readInput(part: Schema): SettingInput {
  const options = Array.isArray(part.anyOf) ? part.anyOf.filter(isSchema) : []
  const values = options
    .map(option => option.const)
    .filter(value => typeof value === 'number' || typeof value === 'string')
  if (options.length > 0 && values.length === options.length) return { kind: 'choice', values }
  const [only, ...others] = options.filter(({ type }) => type !== 'null')
  if (only && others.length === 0) return readPlain(only, options.length > 1)
  return readPlain(part, false)
}

function readPlain({ type, format, pattern, minimum, maximum }: Schema, mayBeNull: boolean): SettingInput {
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'integer' || type === 'number')
    return {
      kind: 'number',
      isWhole: type === 'integer',
      min: numberOr(minimum),
      max: numberOr(maximum),
      mayBeNull,
    }
  if (format === 'uuid') return { kind: 'sound' }
  return typeof pattern === 'string' && isTimeOfDay(new RegExp(pattern, 'u'))
    ? { kind: 'time' }
    : { kind: 'text' }
}

const isTimeOfDay = (pattern: RegExp) =>
  pattern.test('00:00') && pattern.test('23:59') && !pattern.test('24:00')

/** The settings whose names are in the catalogue, by type. A newer server may have others. */
export const namedSettings = {
  audio: ['defaultVolume', 'loudnessTargetLufs'],
  network: ['heartbeatSeconds', 'downloadFrom', 'downloadTo', 'downloadKilobitsPerSecond'],
  display: ['rotation', 'resolution'],
  logging: ['debugLog'],
  alert: ['alertVolume', ...Object.values(alertMediaSettings)],
} as const satisfies Record<ProfileType, readonly string[]>

export type NamedSetting = (typeof namedSettings)[ProfileType][number]
const named: readonly string[] = Object.values(namedSettings).flat()
export const isNamedSetting = (name: string): name is NamedSetting => named.includes(name)
