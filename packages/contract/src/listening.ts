import { z } from 'zod'
import { Activity, Connectivity, NowPlaying, SilentReason } from './devices.ts'
import { endpoint, readers } from './endpoint.ts'
import { Instant, Sha256, Uid } from './fields.ts'

/** The ETag of a manifest, with its quotes: the protocol's number, and a hash. */
const ManifestEtag = z.string().regex(/^"\d+-[0-9a-f]{0,64}"$/, 'etag')

/** The manifest of a device as the device gets it, but without updates, and its programmes as text by their hash. */
export const ListeningManifest = z.object({
  /** For `held` of the next call. */
  etag: ManifestEtag,
  /** As `readManifest` of protocol 2 has it. */
  content: z.unknown(),
  /** Each as its text of JSON. */
  programmes: z.record(Sha256, z.string()),
})

/** What a user needs who listens in on a device. */
export const ListeningState = z.object({
  serverTime: Instant,
  connectivity: Connectivity,
  /** When the server got its last heartbeat; null: never, or reset since. */
  lastContactAt: Instant.nullable(),
  /** Null for a device that is not online. */
  activity: Activity.nullable(),
  /** What it plays by its last report, while that can still be true. */
  nowPlaying: NowPlaying.nullable(),
  /** Why an online device plays nothing; null for any other. */
  silentBecause: SilentReason.nullable(),
  /** Null for a caller that holds it. */
  manifest: ListeningManifest.nullable(),
})
export type ListeningState = z.infer<typeof ListeningState>

export const readListening = endpoint({
  path: '/api/v2/listening/{uid}',
  summary:
    'What a device plays by its last report, and its manifest, for a user who listens in on it. The caller repeats the call with the ETag of the manifest that it holds. It opens no session and reports nothing: the device does not notice it.',
  access: readers,
  params: z.object({ uid: Uid }),
  query: z.object({
    /** The ETag of the manifest that the caller holds, with its quotes. */
    held: ManifestEtag.optional(),
  }),
  answer: ListeningState,
})

export const readListeningMedia = endpoint({
  path: '/api/v2/listening/{uid}/media/{mediaUid}/{sha256}',
  summary:
    "A media file of a device's manifest, for a user who listens in on it: Range, ETag = sha256, immutable. 404 for a file that the device itself may not fetch.",
  access: readers,
  params: z.object({ uid: Uid, mediaUid: Uid, sha256: Sha256 }),
  answer: z.unknown(),
  answerForm: 'bytes',
})
