import type { AlertKind } from '@floorcast/contract/alert-kind.ts'
import type { CommandKind } from '@floorcast/contract/device-commands.ts'
import type { DeployState } from '@floorcast/contract/deploy-packages.ts'
import type { Rights, Role } from '@floorcast/contract/endpoint.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import type { PublicationState } from '@floorcast/contract/publications.ts'
import type { ChannelState } from '@floorcast/contract/update-channels.ts'
import type { PackageState } from '@floorcast/contract/update-packages.ts'
import { KNOWN_TAG_KEYS } from '@floorcast/contract/tags.ts'
import { auditActions, auditFields, AuditedKind } from '@floorcast/contract/audit.ts'
import { cutAtWord } from '@floorcast/contract/names.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

export const isAuditedKind = (kind: string | null): kind is AuditedKind =>
  AuditedKind.options.some(known => known === kind)

/** A newer server may know further kinds; their names are shown as they are. */
export const describeKind = (t: Translate, kind: string | null): string | null =>
  isAuditedKind(kind) ? t(`audit:kinds.${kind}`) : kind

export function describeAction(t: Translate, action: string | null): string | null {
  const known = auditActions.find(name => name === action)
  return known ? t(`audit:actions.${known}`) : action
}

/** The keys of tags that a client has chosen itself, and fields of a newer server, are shown as they are. */
export function describeField(t: Translate, field: string): string {
  const known = auditFields.find(name => name === field)
  if (known) return t(`audit:fields.${known}`)
  const place = /^item (\d+)$/.exec(field)
  if (place) return `${t('audit:fields.item')} ${place[1]}`
  const tag = KNOWN_TAG_KEYS.find(key => key === field)
  return tag ? t(`tagKeys:keys.${tag}`) : field
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** The codes that a field of a kind of item, or of every kind, can have. */
const codes = {
  kind: { audio: 'common:kinds.audio', video: 'common:kinds.video' },
  role: {
    admin: 'audit:values.role.admin',
    manager: 'audit:values.role.manager',
    streamer: 'audit:values.role.streamer',
  },
  rights: { full: 'audit:values.rights.full', view: 'audit:values.rights.view' },
  'playlist.state': { active: 'common:states.playlist.active', paused: 'common:states.playlist.paused' },
  'group.state': { active: 'common:states.group.active', paused: 'common:states.group.paused' },
  'profile.state': { active: 'common:states.profile.active', paused: 'common:states.profile.paused' },
  'publication.state': {
    active: 'audit:values.publication.active',
    delayed: 'audit:values.publication.delayed',
    disabled: 'audit:values.publication.disabled',
  },
  'update-package.state': {
    draft: 'audit:values.update-package.draft',
    testing: 'audit:values.update-package.testing',
    released: 'audit:values.update-package.released',
  },
  'update-channel.state': {
    open: 'audit:values.update-channel.open',
    frozen: 'audit:values.update-channel.frozen',
  },
  'deploy-package.state': {
    paused: 'audit:values.deploy-package.paused',
    active: 'audit:values.deploy-package.active',
    forced: 'audit:values.deploy-package.forced',
  },
  'alert.kind': {
    air: 'audit:values.alert.air',
    chemical: 'audit:values.alert.chemical',
    nuclear: 'audit:values.alert.nuclear',
  },
  'device.command': {
    identify: 'audit:values.command.identify',
    volume: 'audit:values.command.volume',
    screenshot: 'audit:values.command.screenshot',
    'send-log': 'audit:values.command.send-log',
    restart: 'audit:values.command.restart',
  },
} as const satisfies {
  kind: Record<Kind, string>
  role: Record<Role, string>
  rights: Record<Rights, string>
  'playlist.state': Record<EditState, string>
  'group.state': Record<EditState, string>
  'profile.state': Record<EditState, string>
  'publication.state': Record<PublicationState, string>
  'update-package.state': Record<PackageState, string>
  'update-channel.state': Record<ChannelState, string>
  'deploy-package.state': Record<DeployState, string>
  'alert.kind': Record<AlertKind, string>
  'device.command': Record<CommandKind, string>
}
type CodeKey = {
  [Field in keyof typeof codes]: (typeof codes)[Field][keyof (typeof codes)[Field]]
}[keyof typeof codes]
const codeKeys = new Map<string, CodeKey>(
  Object.entries(codes).flatMap(([field, known]) =>
    Object.entries(known).map(([code, key]): [string, CodeKey] => [`${field}.${code}`, key]),
  ),
)

/** A value of a field, of what kind of item. */
interface FieldValue {
  kind: string | null
  field: string
  value: unknown
  /** The value may be a code; that of a tag is what a user typed. */
  isCode: boolean
}

/** A value before or after a change, as text; null if there was none. */
export function describeValue(t: Translate, format: Format, of: FieldValue): string | null {
  const { kind, field, value, isCode } = of
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return t(value ? 'audit:yes' : 'audit:no')
  if (typeof value === 'number') return format.number(value, 3)
  if (typeof value !== 'string')
    return describeParts(value, part => describeValue(t, format, { ...of, ...part }), t)
  const key = isCode
    ? (codeKeys.get(`${kind}.${field}.${value}`) ?? codeKeys.get(`${field}.${value}`))
    : undefined
  if (key) return t(key)
  return INSTANT.test(value) ? format.moment(value) : value
}

/** The values of an object, with their names, or of a list, a line each; null if there are none. */
function describeParts(
  whole: object,
  describe: (part: Partial<FieldValue>) => string | null,
  t: Translate,
): string | null {
  const lines = Array.isArray(whole)
    ? whole.map((value: unknown) => describe({ value }) ?? '–')
    : Object.entries(whole).map(([field, value]: [string, unknown]) =>
        t('labeled', { label: describeField(t, field), value: describe({ field, value }) ?? '–' }),
      )
  return lines.length === 0 ? null : lines.join('\n')
}

const UID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/

/** The text in parts; a part that is a uid says so. */
export const splitAtUids = (text: string): { uid: string | null; text: string }[] =>
  text
    .split(UID)
    .map((part, n) => ({ uid: n % 2 === 1 ? part : null, text: part }))
    .filter(part => part.text !== '')

/** Longer values are shown beside the list, not in it. */
const MAX_SHOWN = 40

const withDots = (line: string, end: number) => (end < line.length ? `${line.slice(0, end)}…` : line)

/** A value on one line, cut where it is long; a uid stays whole. */
export function shorten(text: string): string {
  const line = text.replaceAll('\n', ', ')
  const cut = cutAtWord(line, MAX_SHOWN)
  if (cut === line) return line
  let start = 0
  for (const part of splitAtUids(line)) {
    if (part.uid !== null && start < cut.length && cut.length < start + part.uid.length)
      return withDots(line, start + part.uid.length)
    start += part.text.length
  }
  return `${cut}…`
}
