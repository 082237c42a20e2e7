import { z } from 'zod'
import { adminReaders, endpoint } from './endpoint.ts'
import { Instant, ListQuery, listOf, Reference, someOf, Uid, valuesOf } from './fields.ts'
import { LogEntry } from './logs.ts'
import { MediaType } from './media.ts'

/** The kinds of items whose changes are recorded. */
export const AuditedKind = z.enum([
  'user',
  'client',
  'session',
  'device',
  'group',
  'media',
  'playlist',
  'publication',
  'tag',
  'profile',
  'saved-view',
  'webhook',
  'alert',
  'update-file',
  'update-package',
  'update-channel',
  'deploy-package',
])
export type AuditedKind = z.infer<typeof AuditedKind>

/** What the history records of an item. Each has words in every language: `audit:actions`. */
export const auditActions = [
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
  'publish-address',
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
  'renew-secret',
  'recovery-code-used',
  'second-factor-failed',
  'add-proof-key',
  'renew-proof-key',
  'mark-proof-key',
  'sign-proof',
  'share',
  'unshare',
  'request-plan',
  'withdraw-plan-request',
] as const
export type AuditAction = (typeof auditActions)[number]

/** The fields whose changes the history records, the keys of tags apart. Each has words in every language: `audit:fields`. */
export const auditFields = [
  'name',
  'description',
  'eventKinds',
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
  'language',
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
  'keyId',
  'compromisedSince',
  'artist',
  'title',
  'isrc',
  'composer',
  'publisher',
  'invalidIsrc',
  'originalName',
  'hash',
  'file',
  'crossfadeSeconds',
  'repeatCount',
  'replaySeconds',
  'startTime',
  'copyOf',
  'editOf',
  'plan',
  'plays',
  'oldestDay',
  'sumsBytes',
  'planKey',
  'passkey',
  'sessions',
  'color',
  'mode',
  'menuType',
  'command',
  'value',
  'list',
  'search',
  'sort',
  'dir',
  'columns',
  'filters',
  'isShared',
  'packageUid',
  'channelUid',
  'updatePublicKey',
  'contentType',
  'durationSeconds',
  'preview',
  'tags',
  'profiles',
  'files',
  'heartbeats',
  'deviceLogs',
  'statisticsBytes',
  'signature',
  'statement',
  'statementSignature',
  'timeZone',
] as const
/** One item of a playlist is named by its place. */
export type AuditField = (typeof auditFields)[number] | `item ${number}`

/** An item that a change names by its uid. */
export const ChangedItem = Reference.extend({
  /** What the item is. */
  kind: AuditedKind.extract([
    'device',
    'group',
    'media',
    'playlist',
    'publication',
    'profile',
    'update-package',
    'update-channel',
  ]),
  /** The content type of a media item. */
  contentType: MediaType.nullable(),
})
export type ChangedItem = z.infer<typeof ChangedItem>

/** A log entry (`type` is the kind of the item, `class` the action, `request` the id of the call) with user and changes. */
export const AuditEntry = LogEntry.extend({
  /** Null for changes by the installation. */
  userUid: Uid.nullable(),
  /** The user's email at the time. */
  userName: z.string(),
  /** The item that was changed. It may be gone since. */
  thingUid: Uid.nullable(),
  /** Its name at the time of the change. */
  thingName: z.string().nullable(),
  /** The changed fields, each before and after. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  /** The items whose uids are in `changes`, with their present names; without those that are deleted. */
  named: z.array(ChangedItem),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditFilter = ListQuery.extend({
  /** Changes of items of these kinds, separated by commas. */
  type: valuesOf(AuditedKind.options).optional(),
  /** The users who made the changes. */
  user: someOf(Uid).optional(),
  /** Changes from this moment on. */
  from: Instant.optional(),
  /** Changes before this moment. */
  to: Instant.optional(),
})

export const readAudit = endpoint({
  path: '/audit/{id}',
  summary:
    'Who changed what and when, newest first; `id` is `all` or the uid of an item or user (404 for an unknown one).',
  access: adminReaders,
  params: z.object({
    /** The uid of an item or a user, or `all`. */
    id: z.union([z.literal('all'), Uid]),
  }),
  query: AuditFilter,
  answer: listOf(AuditEntry),
})
