import { z } from 'zod'
import { adminEditors, adminReaders, adminStatusEditors, endpoint } from './endpoint.ts'
import {
  Description,
  Instant,
  ListQuery,
  listOf,
  Name,
  Permissions,
  Reference,
  TimeOfDay,
  Uid,
  seenState,
} from './fields.ts'
import { EditState } from './groups.ts'
import { byId, deletesOne } from './item-calls.ts'
import { Outcome } from './outcomes.ts'

/** The type of a configuration profile, which determines its settings. */
export const ProfileType = z.enum(['audio', 'network', 'display', 'logging', 'alert'])
export type ProfileType = z.infer<typeof ProfileType>

const Volume = z.int().min(0).max(100)
/** A melody or an ad of the client, also for video devices: alerts are heard. Absent: the device's own siren. */
const AlertMedia = Uid.toLowerCase().optional()

/** The settings of each type. Other profiles and the defaults decide those that a profile does not set. */
export const profileSettings = {
  audio: z.strictObject({
    /** Applies without a volume tag. */
    defaultVolume: Volume.optional(),
    /** Target loudness of every file in LUFS; null: files play unchanged. */
    loudnessTargetLufs: z.number().min(-40).max(-5).nullable().optional(),
  }),
  network: z
    .strictObject({
      heartbeatSeconds: z.int().min(10).max(3600).optional(),
      /** Hours for downloads that can wait, in the shop's zone: from inclusive, to exclusive; both or neither. What is heard within the hour does not wait. */
      downloadFrom: TimeOfDay.optional(),
      downloadTo: TimeOfDay.optional(),
      downloadKilobitsPerSecond: z.int().min(64).max(10_000_000).optional(),
    })
    .superRefine(({ downloadFrom, downloadTo }, context) => {
      if ((downloadFrom === undefined) === (downloadTo === undefined)) return
      const path = [downloadFrom === undefined ? 'downloadFrom' : 'downloadTo']
      context.addIssue({ code: 'custom', path, message: 'empty' })
    }),
  display: z.strictObject({
    /** Degrees clockwise. */
    rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).optional(),
    /** Pixels, as 1920x1080. */
    resolution: z
      .string()
      .regex(/^[1-9]\d{2,4}x[1-9]\d{2,4}$/, 'resolution')
      .optional(),
  }),
  logging: z.strictObject({ debugLog: z.boolean().optional() }),
  alert: z.strictObject({
    alertVolume: Volume.optional(),
    airMedia: AlertMedia,
    chemicalMedia: AlertMedia,
    nuclearMedia: AlertMedia,
  }),
} satisfies Record<ProfileType, z.ZodType>

const Settings = z.record(z.string(), z.unknown())

export const ProfileRow = z.object({
  uid: Uid,
  /** Several profiles may have the same. */
  name: z.string(),
  /** A note of the users; may be empty. */
  description: z.string(),
  type: ProfileType,
  state: EditState,
  /** The groups that it applies to. */
  groups: z.array(Reference),
  changedAt: Instant,
})
export type ProfileRow = z.infer<typeof ProfileRow>

export const ProfileCard = ProfileRow.extend({
  /** By the names that its type has. */
  settings: Settings,
  /** The settings that devices use: those of the last activation; null: never activated. */
  activeSettings: Settings.nullable(),
  createdAt: Instant,
  /** The record's, which `edit` sends back. */
  version: z.int(),
  permissions: Permissions,
})
export type ProfileCard = z.infer<typeof ProfileCard>

export const ProfileFilter = ListQuery.extend({
  type: ProfileType.optional(),
  state: EditState.optional(),
})

export const listProfiles = endpoint({
  path: '/configuration/profile',
  summary: "The client's configuration profiles.",
  access: adminReaders,
  query: ProfileFilter,
  answer: listOf(ProfileRow),
})

export const readProfileCard = endpoint({
  path: '/configuration/profile/{id}',
  summary: 'One profile with its settings and the settings in force.',
  access: adminReaders,
  params: byId,
  answer: ProfileCard,
})

export const changeProfileState = endpoint({
  path: '/configuration/profile/{id}/changestate',
  summary:
    'Active to paused and back. Activating puts its settings in force; a paused profile stays in force as last activated. Of two profiles of one type on a group, the one that was activated later wins: `overrules` names the others whose groups it shares. HTTP 409 when `from` is stale.',
  access: adminStatusEditors,
  params: byId,
  query: seenState(EditState),
  answer: Outcome.extend({
    /** Other profiles of the type that were ever activated and share a group with it. */
    overrules: z.array(Reference).optional(),
  }),
  outcomes: ['activated', 'disabled', 'notAllowed'],
})

export const listProfileTypes = endpoint({
  path: '/configuration/profiletype',
  summary: 'The types of profiles, each with the JSON Schema of its settings.',
  access: adminReaders,
  answer: z.array(
    z.object({
      type: ProfileType,
      /** The JSON Schema of its settings. */
      schema: z.record(z.string(), z.unknown()),
    }),
  ),
})

export const listProfileStates = endpoint({
  path: '/configuration/profilestate',
  summary: 'The states of profiles, each with the code of the status change that leads to it.',
  access: adminReaders,
  answer: z.array(
    z.object({
      state: EditState,
      /** What `changestate` answers when it leads to this state. */
      code: z.int(),
    }),
  ),
})

export const ProfileChange = z
  .object({
    /** Absent: a new profile, which needs a name and a type. */
    uid: Uid.optional(),
    name: Name.optional(),
    description: Description.optional(),
    type: ProfileType.optional(),
    /** All that the profile sets: they replace the former ones. */
    settings: Settings.optional(),
    /** The groups it applies to. */
    groupUids: z.array(Uid).max(10_000).optional(),
    /** The record's that the user saw; HTTP 409 if it is stale. */
    version: z.int().optional(),
  })
  .refine(change => change.uid !== undefined || change.name !== undefined, {
    path: ['name'],
    message: 'empty',
  })
  .refine(change => change.uid !== undefined || change.type !== undefined, {
    path: ['type'],
    message: 'empty',
  })

export const editProfile = endpoint({
  path: '/configuration/profile/edit',
  summary:
    'Change a paused profile, or create one (without uid). Its groups can change in any state, its type never. HTTP 422 for settings that its type does not have, and for alert sounds that are not a melody or ad of the client.',
  access: adminEditors,
  body: ProfileChange,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const deleteProfile = deletesOne({
  path: '/api/v2/configuration/profile/delete',
  summary: 'Delete a paused profile; its settings are no longer in force.',
  access: adminEditors,
  outcomes: ['done', 'notDone'],
})
