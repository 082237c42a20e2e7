import { z } from 'zod'
import { LeftOut } from './events.ts'
import { Bytes, Day, Instant, Seconds, Sha256, Uid } from './fields.ts'
import { RestoredPlays } from './redelivery.ts'
import { UpdateKey } from './update-signing.ts'

/*
 * The file of a signed proof of play (docs/proof-of-play.md): a zip whose entries are stored as they are, in this order and with
 * nothing else in it. The signature signs the manifest, and the manifest has the hashes of the csv. proof-zip.ts builds the zip,
 * proof-verification.ts verifies it.
 */

export const PROOF_FORMAT = 'floorcast proof of play 1'
export const PROOF_ENTRIES = { csv: 'plays.csv', manifest: 'manifest.json', signature: 'manifest.json.sig' }

/** The csv is hashed in parts of this size too, so that a browser verifies a large one without holding it. */
export const PROOF_PART_BYTES = 4 * 1024 * 1024
/** The longest csv. A zip without extensions holds 4 GiB. */
export const MAX_PROOF_BYTES = 2 * 1024 * 1024 * 1024

/** The columns of plays.csv. */
export const PROOF_COLUMNS = [
  'event_uid',
  'started_at',
  'scheduled_at',
  'day',
  'hour',
  'device_uid',
  'device',
  'store_number',
  'group',
  'zone',
  'publication_uid',
  'playlist',
  'result',
  'reason',
  'seconds_played',
  'clock_doubted',
  'audience_an_hour',
  'gross_impressions',
] as const

/** How the figures of a proof are counted. The standard asks for the formula beside them. */
export const PROOF_FORMULA = {
  standard: 'IAB and IAB Europe, In-Store Retail Media: Definitions and Measurement Standards, December 2024',
  adPlays:
    'Rows of plays.csv whose result is not failed and whose clock_doubted is no. Plays that cannot have been are no rows: counts.leftOut says how many, and why.',
  completePlays:
    'Ad plays whose result is complete: the ad was heard whole, by the length of its file on the server.',
  grossImpressions:
    'For each ad play audience_an_hour x seconds_played / 3600, rounded to 4 decimals; the total is their sum. audience_an_hour is the number of people in that hour of the day at the device, as the client states it (tag audience) when the proof is made. Ad plays without it count no impressions.',
} as const

/** The first digits of the SHA-256 of a public key. */
export const PROOF_KEY_ID = z.string().regex(/^[0-9a-f]{16}$/)

/** An Ed25519 public key: its 32 bytes in base64. */
export const ProofKey = UpdateKey

export const ProofManifest = z.object({
  format: z.literal(PROOF_FORMAT),
  client: z.object({ uid: Uid, name: z.string() }),
  keyId: PROOF_KEY_ID,
  publicKey: ProofKey,
  madeAt: Instant,
  server: z.object({ url: z.string(), version: z.string() }),
  /** The ad that the proof is about. */
  filters: z.object({ media: z.object({ uid: Uid, name: z.string(), contentType: z.string() }) }),
  /** Days of the zone, both inclusive; `device` is each device's own zone. */
  period: z.object({ from: Day, to: Day, zone: z.string() }),
  counts: z.object({
    rows: z.int().nonnegative(),
    devices: z.int().nonnegative(),
    adPlays: z.int().nonnegative(),
    completePlays: z.int().nonnegative(),
    failedPlays: z.int().nonnegative(),
    secondsPlayed: Seconds,
    /** Ad plays with a known audience. */
    adPlaysWithAudience: z.int().nonnegative(),
    /** Null if no ad play has a known audience. */
    grossImpressions: z.number().nonnegative().nullable(),
    /** Plays of the period that the server counts nowhere, by reason; they are no rows. Former releases left none out. */
    leftOut: z.partialRecord(LeftOut, z.int().positive()).optional(),
  }),
  /** Days of the period that were not whole when the proof was made. Missing: all were. */
  restored: RestoredPlays.optional(),
  formula: z.record(z.string(), z.string()),
  file: z.object({
    name: z.literal(PROOF_ENTRIES.csv),
    bytes: Bytes,
    sha256: Sha256,
    crc32: z.int().nonnegative(),
    /** A verifier holds one part. */
    partBytes: z.int().positive().max(PROOF_PART_BYTES),
    /** The SHA-256 of each part. */
    parts: z.array(Sha256),
  }),
})
export type ProofManifest = z.infer<typeof ProofManifest>
