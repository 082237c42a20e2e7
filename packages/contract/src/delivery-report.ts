import { z } from 'zod'
import { PublicationState } from './publications.ts'
import { endpoint, readers } from './endpoint.ts'
import { Day, Instant, Reference, Uid } from './fields.ts'
import { PlaylistForm } from './playlists.ts'
import { RestoredPlays } from './redelivery.ts'

/**
 * Why a scheduled play was not heard whole: the shop was closed; the play was joined, cut or failed; an alert played; the
 * file was missing; the reported play cannot have been (`LeftOut`); the device started late, played something else, was never up,
 * has not reported since, or reported nothing for that time.
 */
export const gapReasons = [
  'closed',
  'joined',
  'cut',
  'alert',
  'failed',
  'not-downloaded',
  'left-out',
  'started-late',
  'not-on-air',
  'never-up',
  'not-reported',
  'device-off',
] as const
export const GapReason = z.enum(gapReasons)
export type GapReason = z.infer<typeof GapReason>

const AnHour = z.number().nonnegative()

/** Plays of one media item by one publication; `promised` − all `gaps` + `extra` = `made`. */
export const PublicationDelivery = z.object({
  publication: Reference,
  /** Its present playlist. */
  playlist: Reference.extend({ form: PlaylistForm }),
  group: Reference,
  state: PublicationState,
  /** The present devices of its group; 0 while it is off. */
  devices: z.int(),
  /** The counted period: from the start of the publication's present program. */
  since: Instant,
  until: Instant,
  /** Plays of the playlist in this period on these devices. */
  promised: z.int(),
  /** Those of them that are in the devices' schedules: the shops are open. */
  planned: z.int(),
  /** Heard whole. */
  made: z.int(),
  /** Plays heard whole outside the schedule, for example of a device that has left the group. */
  extra: z.int(),
  /** Why plays were not heard whole, and how many. */
  gaps: z.array(
    z.object({
      why: GapReason,
      /** How many plays. */
      plays: z.int().positive(),
    }),
  ),
  /** Scheduled hours of all devices. */
  hours: z.number().nonnegative(),
  /** Plays per hour on one device: promised, scheduled and delivered; null without hours. */
  promisedAnHour: AnHour.nullable(),
  /** Null without hours. */
  plannedAnHour: AnHour.nullable(),
  /** Null without hours. */
  madeAnHour: AnHour.nullable(),
})
export type PublicationDelivery = z.infer<typeof PublicationDelivery>

const MAX_DAYS = 45
const DAY_MS = 86_400_000

export const readDelivery = endpoint({
  path: '/api/v2/media/{uid}/delivery',
  summary:
    'For each publication that plays or played the media item: its promised, scheduled and delivered plays, and why they differ. `from` and `to` are days in UTC, both inclusive, 1 to 45 days; default: the last 7 days. The current opening hours apply; a device counts from the time when it joined the group. `until` is before `to` if there are more plays than one answer counts.',
  access: readers,
  params: z.object({ uid: Uid }),
  query: z
    .object({
      /** The first day, in UTC. */
      from: Day.optional(),
      /** The last day, in UTC; both or neither. */
      to: Day.optional(),
    })
    .refine(({ from, to }) => (from === undefined) === (to === undefined), { path: ['to'] })
    .refine(
      ({ from, to }) => {
        if (from === undefined || to === undefined) return true
        const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
        return days >= 1 && days <= MAX_DAYS
      },
      { path: ['to'] },
    ),
  answer: z.object({
    from: Instant,
    to: Instant,
    /** At most 200. */
    publications: z.array(PublicationDelivery),
    /** What the plays of this time may lack since a restore of the server, by days in UTC; null: nothing. */
    restored: RestoredPlays.nullable(),
  }),
})
