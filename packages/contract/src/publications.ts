import { z } from 'zod'
import { bulkOf, PAGING } from './bulk.ts'
import { editors, endpoint, readers, statusEditors } from './endpoint.ts'
import {
  Description,
  Instant,
  Kind,
  KindFilter,
  ListQuery,
  listOf,
  Name,
  Permissions,
  Reference,
  Uid,
} from './fields.ts'
import { EditState } from './groups.ts'
import { byId, changesState, deletesOne, deletesUnused } from './item-calls.ts'
import { Outcome } from './outcomes.ts'

/** The state of a publication: on, waiting for its moment, or off. */
export const PublicationState = z.enum(['active', 'delayed', 'disabled'])
export type PublicationState = z.infer<typeof PublicationState>

/** The devices of its group: those that hold all files of this revision, those that miss some, those that have not reported. */
export const Readiness = z.object({
  /** All of the group. */
  devices: z.int(),
  /** Those that hold all files. */
  holding: z.int(),
  /** Those that miss some. */
  missing: z.int(),
  /** Those that have not reported on this revision. */
  neverReported: z.int(),
})
export type Readiness = z.infer<typeof Readiness>

export const PublicationRow = z.object({
  uid: Uid,
  /** Several publications may have the same. */
  name: z.string(),
  /** A note of the users; may be empty. */
  description: z.string(),
  kind: Kind,
  state: PublicationState,
  group: Reference,
  playlist: Reference,
  /** The start of a delayed one: an instant with Z, or a wall time in each device's zone. */
  startsAt: z.string().nullable(),
  /** When it was turned on, or delayed; null while it is off. */
  activatedAt: Instant.nullable(),
  changedAt: Instant,
  /** Null for one that is off. */
  readiness: Readiness.nullable(),
})
export type PublicationRow = z.infer<typeof PublicationRow>

export const PublicationCard = PublicationRow.extend({
  createdAt: Instant,
  groupState: EditState,
  playlistState: EditState,
  /** The playlist before the last replacement, to which it can return; null if there is none. */
  formerPlaylist: Reference.extend({ state: EditState }).nullable(),
  /** The record's, which `edit` sends back. */
  version: z.int(),
  permissions: Permissions,
})
export type PublicationCard = z.infer<typeof PublicationCard>

/** A device of a publication's group. */
export const PublicationDevice = z.object({
  uid: Uid,
  /** Several devices may have the same. */
  name: z.string(),
  /** The shop's own number; empty if it has none. */
  storeNumber: z.string(),
  /** Files still missing; null: the device has not reported on this revision. */
  missing: z.int().nullable(),
  /** When the server got its last heartbeat; null: never, or reset since. */
  lastContactAt: Instant.nullable(),
})
export type PublicationDevice = z.infer<typeof PublicationDevice>

/** What a device has of a publication. */
export const HoldingState = z.enum(['missing', 'neverReported', 'holding'])
export type HoldingState = z.infer<typeof HoldingState>

export const PublicationDeviceFilter = ListQuery.extend({ state: HoldingState.optional() })

export const PublicationFilter = ListQuery.extend({
  state: PublicationState.optional(),
  /** Publications of this playlist. */
  playlistUid: Uid.optional(),
})
export const PublicationDraft = z.object({
  name: Name,
  description: Description.default(''),
  groupUid: Uid,
  playlistUid: Uid,
})

/** `2026-11-21T09:00:00Z`, with an offset, or without one: that wall time in each device's zone. */
export const StartDateTime = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ local: true })])

export const listPublications = endpoint({
  path: '/deploy/qlist/{x}',
  summary: "The client's publications.",
  access: readers,
  params: z.object({ x: KindFilter }),
  query: PublicationFilter,
  answer: listOf(PublicationRow),
})

export const readPublication = endpoint({
  path: '/deploy/qcard/{id}',
  summary: 'One publication with the counts of its devices.',
  access: readers,
  params: byId,
  answer: PublicationCard,
})

export const listPublicationDevices = endpoint({
  path: '/api/v2/deploy/{id}/devices',
  summary:
    'The devices of a publication: those with missing files first, then those that have not reported, then the others.',
  access: readers,
  params: byId,
  query: PublicationDeviceFilter,
  answer: listOf(PublicationDevice),
})

export const addPublication = endpoint({
  path: '/deploy/add/{contentType}',
  summary: 'Create a publication of a playlist for a group, disabled. 400 if the kinds differ.',
  access: editors,
  params: z.object({ contentType: Kind }),
  body: PublicationDraft,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const editPublication = endpoint({
  path: '/deploy/edit',
  summary: 'Change a disabled publication; name and description in any state.',
  access: editors,
  body: z.object({
    uid: Uid,
    name: Name.optional(),
    description: Description.optional(),
    groupUid: Uid.optional(),
    playlistUid: Uid.optional(),
    /** The record's that the user saw; HTTP 409 if it is stale. */
    version: z.int().optional(),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const deletePublication = deletesOne({
  path: '/deploy/delete',
  summary: "Move to the recycle bin. 400 'turn-it-off-first' while active or delayed.",
  outcomes: ['done', 'notDone'],
})

export const deleteManyPublications = endpoint({
  path: '/deploy/massdelete',
  summary:
    "Move publications to the recycle bin. 200 if all were moved, 400 if some are active, delayed or missing; `done` and `failed` list them. A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`.",
  access: editors,
  worksOnFullDisk: true,
  isHeavy: true,
  body: bulkOf(PublicationFilter.omit(PAGING).extend({ kind: KindFilter.default('all') })),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const deleteUnusedPublications = deletesUnused('disabled publication', {
  path: '/deploy/deleteunused',
  outcomes: ['done', 'notDone'],
})

export const changePublicationState = changesState(PublicationState, {
  path: '/action/deploy/{id}/changestate',
  summary:
    'Turn on (0, or 1, 2, 3, -2 with the reason) or off (9, or 8 if it was delayed). HTTP 409 when `from` is stale.',
  outcomes: [
    'activated',
    'groupTaken',
    'groupPaused',
    'playlistPaused',
    'delayDisabled',
    'disabled',
    'notAllowed',
    'notConsistent',
  ],
})

export const delayPublication = endpoint({
  path: '/action/deploy/{uid}/delaystart/{startdatetime}',
  summary:
    'Start at a given time; 1 if another publication is delayed for the same group, HTTP 400 in the past.',
  access: statusEditors,
  params: z.object({ uid: Uid, startdatetime: StartDateTime }),
  answer: Outcome,
  outcomes: ['activated', 'groupTaken', 'groupPaused', 'playlistPaused', 'notAllowed', 'notConsistent'],
})

export const PlayedBefore = z.object({
  /** The playlist that the user saw; the change is refused if it is another one now. */
  from: Uid.optional(),
})

export const replacePublicationPlaylist = endpoint({
  path: '/api/v2/deploy/{uid}/replace',
  summary:
    "Replace the playlist of an active or delayed publication: devices change at a track boundary, without silence. 0, or 3, -2 with the reason ('turn-it-on-first'). HTTP 409 if it does not play the playlist `from`.",
  access: editors,
  params: z.object({ uid: Uid }),
  query: PlayedBefore,
  body: z.object({ playlistUid: Uid }),
  answer: Outcome,
  outcomes: ['activated', 'playlistPaused', 'notConsistent'],
})

export const returnPublicationPlaylist = endpoint({
  method: 'POST',
  path: '/api/v2/deploy/{uid}/return',
  summary:
    "Return to the playlist before the last replacement. -2 'nothing-to-return-to' if there is none. HTTP 409 if it does not play the playlist `from`, because a repeated return undoes itself.",
  access: editors,
  params: z.object({ uid: Uid }),
  query: PlayedBefore,
  answer: Outcome,
  outcomes: ['activated', 'playlistPaused', 'notConsistent'],
})

/** An item to choose for a publication. */
export const PublicationChoice = z.object({
  uid: Uid,
  /** Several items may have the same. */
  name: z.string(),
  kind: Kind,
  state: EditState,
})

export const selectGroups = endpoint({
  path: '/selectlist/devicegroup/{x}',
  summary: 'Groups to choose for a publication.',
  access: readers,
  params: z.object({ x: KindFilter }),
  answer: z.array(PublicationChoice),
})

export const selectPlaylists = endpoint({
  path: '/selectlist/playlist/{x}',
  summary: 'Playlists to choose for a publication.',
  access: readers,
  params: z.object({ x: KindFilter }),
  answer: z.array(PublicationChoice),
})
