import { z } from 'zod'
import { bulkOf, PAGING } from './bulk.ts'
import { DeviceFilter } from './devices.ts'
import { endpoint, readers, editors } from './endpoint.ts'
import { Bytes, Kind, Name, Reference, Uid } from './fields.ts'
import { Outcome } from './outcomes.ts'
import { PublicationState, StartDateTime } from './publications.ts'

/** Maximum devices of a group that one call creates: they join it in one transaction. */
export const MAX_PUBLISH_DEVICES = 20_000

/** The group that a call creates, of the playlist's kind, with those of the chosen devices that are in no group. */
export const PublishGroup = z.strictObject({
  name: Name,
  /** Up to 1,000 devices by uid, or those that a filter finds; at most 20,000. */
  devices: bulkOf(DeviceFilter.omit(PAGING)),
})

/** What to publish: a playlist for a group, now or later. Playlist and group are activated if they are paused. */
export const PublishDraft = z
  .object({
    playlistUid: Uid,
    /** Either an existing group or a new one. */
    groupUid: Uid.optional(),
    newGroup: PublishGroup.optional(),
    /** The name of the publication; without it the playlist's. An existing publication keeps its name. */
    name: Name.optional(),
    /** Without it the publication starts now. */
    startsAt: StartDateTime.optional(),
    /** Publications of the group, as the user saw them, that this one replaces: they are turned off. */
    turnsOff: z.array(Uid).max(10).default([]),
  })
  .refine(draft => (draft.groupUid === undefined) !== (draft.newGroup === undefined), {
    path: ['groupUid'],
    message: 'one-group',
  })
export type PublishDraft = z.output<typeof PublishDraft>

/** A publication of the group that stands in the way. */
const PublishConflict = Reference.extend({
  state: PublicationState,
  /** It plays this playlist already. */
  isSamePlaylist: z.boolean(),
})

export const PublishPlan = z.object({
  /** `isActivated`: it is paused now, and the call activates it. */
  playlist: Reference.extend({
    kind: Kind,
    /** It is paused now. */
    isActivated: z.boolean(),
    sizeBytes: Bytes,
  }),
  /** Without a uid: the call creates it. */
  group: z.object({
    /** Null: the call creates it. */
    uid: Uid.nullable(),
    /** The present name, or that of the new group. */
    name: z.string(),
    /** It is paused now, or new. */
    isActivated: z.boolean(),
  }),
  /** The publication of this playlist and group that is off now and is turned on; null: the call creates one. */
  publication: Reference.nullable(),
  /** The publication that plays in the group until this one starts. */
  follows: Reference.nullable(),
  /** Those of the draft's `turnsOff` that are on or wait. */
  turnsOff: z.array(Reference),
  /** Publications of the group that stand in the way: with any of them the call is refused. */
  conflicts: z.array(PublishConflict),
  /** The devices by what becomes of them. */
  devices: z.object({
    /** The devices that get it. The next two counts are among them. */
    count: z.int(),
    /** Without contact for an hour: they get it when they connect. */
    offline: z.int(),
    /** Their whole storage is smaller than the playlist's files. */
    tooSmall: z.int(),
    /** Chosen devices that stay out of the new group: in another group, or audio devices for a video playlist. */
    inGroups: z.int(),
    /** Chosen audio devices that a video playlist cannot have. */
    otherKind: z.int(),
  }),
  /** Why the call would be refused, in the order of the checks; empty if it would not. */
  refusals: z.array(Outcome.pick({ code: true, reason: true, names: true, limit: true })),
})
export type PublishPlan = z.infer<typeof PublishPlan>

export const previewPublish = endpoint({
  path: '/api/v2/deploy/publish/preview',
  summary:
    'What the call `publish` with the same body would do: what it activates, how many devices get it, how many cannot and why, and why it would be refused. Changes nothing.',
  access: readers,
  body: PublishDraft,
  answer: PublishPlan,
})

export const publish = endpoint({
  path: '/api/v2/deploy/publish',
  summary:
    'Publish a playlist to a group, or to a new group of chosen devices, now or at a given time, in one transaction: activates a paused playlist and group, turns on the publication of this playlist that the group has, or creates one. 0, or 1, -2 with the reason; 400 `too-many-devices` for more than 20,000; HTTP 400 in the past. `uid` is the publication.',
  access: editors,
  isHeavy: true,
  body: PublishDraft,
  answer: Outcome,
  outcomes: ['activated', 'groupTaken', 'notConsistent', 'notDone'],
  givesUid: true,
})
