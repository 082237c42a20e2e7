import { AuditedKind } from '@floorcast/contract/audit.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

export const isAuditedKind = (kind: string | null): kind is AuditedKind =>
  AuditedKind.options.some(known => known === kind)

/** A newer server may know further kinds; their names are shown as they are. */
export const describeKind = (t: Translate, kind: string | null): string | null =>
  isAuditedKind(kind) ? t(`audit:kinds.${kind}`) : kind

/** The actions that the history records, in the words of this page. */
const actions = [
  'add',
  'edit',
  'delete',
  'restore',
  'purge',
  'clone',
  'import',
  'plan',
  'activate',
  'pause',
  'turn-on',
  'turn-off',
  'delay',
  'deny',
  'replace-playlist',
  'return-playlist',
  'replace',
  'preview',
  'read-tags',
  'add-track',
  'add-tracks',
  'move-track',
  'remove-track',
  'join-group',
  'leave-group',
  'add-device',
  'remove-device',
  'add-devices',
  'remove-devices',
  'add-tag',
  'edit-tag',
  'delete-tag',
  'set-policy',
  'reset-license',
  'reset-heartbeat',
  'export-license-keys',
  'command',
  'begin',
  'end',
  'rotate',
  'add-file',
  'exclude-file',
  'set-update-key',
  'invite',
  'ask-for-reset',
  'reset-password',
  'change-password',
  'mail-failed',
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'end-session',
  'end-sessions',
  'add-passkey',
  'remove-passkey',
  'add-second-factor',
  'remove-second-factor',
  'renew-recovery-codes',
  'recovery-code-used',
  'second-factor-failed',
  'add-proof-key',
  'renew-proof-key',
  'sign-proof',
  'share',
  'unshare',
] as const

export function describeAction(t: Translate, action: string | null): string | null {
  const known = actions.find(name => name === action)
  return known ? t(`audit:actions.${known}`) : action
}

/** Fields whose names differ from how users know them. Others, and the keys of tags, are shown as they are. */
const fields = [
  'name',
  'description',
  'state',
  'kind',
  'storeNumber',
  'volume',
  'expiresAt',
  'groupUid',
  'groupUids',
  'playlistUid',
  'startsAt',
  'startDate',
  'endDate',
  'tagPolicy',
  'device',
  'devices',
  'deviceCount',
  'items',
  'item',
  'settings',
  'type',
  'role',
  'rights',
  'email',
  'firstName',
  'lastName',
  'linkedDeviceUid',
  'version',
  'category',
  'reason',
  'address',
  'isDrill',
  'licenseBoundAt',
  'lastContactAt',
  'sizeBytes',
  'sha256',
  'requiresSecondFactor',
] as const

export function describeField(t: Translate, field: string): string {
  const known = fields.find(name => name === field)
  return known ? t(`audit:fields.${known}`) : field
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** A value before or after a change, as text; null if there was none. */
export function describeValue(t: Translate, format: Format, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return t(value ? 'audit:yes' : 'audit:no')
  if (typeof value === 'number') return format.number(value, 3)
  if (typeof value !== 'string') return describeStructure(t, format, value)
  return INSTANT.test(value) ? format.moment(value) : value
}

function describeStructure(t: Translate, format: Format, value: object): string | null {
  if (!Array.isArray(value))
    return Object.keys(value).length === 0
      ? null
      : Object.entries(value)
          .map(([name, each]) =>
            t('labeled', { label: describeField(t, name), value: describeValue(t, format, each) ?? '–' }),
          )
          .join('\n')
  const texts = value.map((each: unknown) => describeValue(t, format, each) ?? '–')
  return texts.length === 0 ? null : texts.join('\n')
}
