import { z } from 'zod'
import { adminEditors, adminReaders, endpoint, openToAll, readers } from './endpoint.ts'
import { Day, Instant, Uid } from './fields.ts'
import { Outcome } from './outcomes.ts'
import { PROOF_KEY_ID, ProofKey } from './proof-file.ts'
import { daysBetween, DEVICE_ZONES, MAX_REPORT_DAYS } from './reports.ts'
import { isTimeZone } from './tags.ts'

/** The public keys of a client's proofs, the newest first; the one without `retiredAt` signs. */
export const ProofKeys = z.object({
  /** Whose keys they are. */
  client: z.object({
    uid: Uid,
    /** Its present name. */
    name: z.string(),
  }),
  /** The one that signs first. */
  keys: z.array(
    z.object({
      /** The first 16 hex digits of the SHA-256 of the public key. */
      keyId: PROOF_KEY_ID,
      /** Ed25519: 32 bytes in base64. */
      publicKey: ProofKey,
      createdAt: Instant,
      /** From when on it signs nothing; null: it signs. */
      retiredAt: Instant.nullable(),
      /** Since when somebody else may have signed with it; null: nobody. Servers of former releases do not say. */
      compromisedSince: Instant.nullable().default(null),
    }),
  ),
})
export type ProofKeys = z.infer<typeof ProofKeys>

export const readProofKeys = endpoint({
  path: '/api/v2/proof/key/{client}',
  summary:
    "The name of a client and the public keys (Ed25519, base64) of its proofs of play, for anyone who holds one: the manifest has the client's uid. A retired key signs nothing after `retiredAt`.",
  access: openToAll,
  params: z.object({ client: Uid }),
  answer: ProofKeys,
})

export const listProofKeys = endpoint({
  path: '/api/v2/proof/key',
  summary: "The public keys of the client's own proofs of play, the one that signs first.",
  access: adminReaders,
  answer: ProofKeys,
})

export const markProofKey = endpoint({
  method: 'POST',
  path: '/api/v2/proof/key/compromised',
  summary:
    'Say that a key of the proofs of play may have been in other hands since a moment. `/verify` and `npm run verify-proof` say so of each proof that it has signed, whenever that was. The key that signs is retired, and a new one made.',
  access: adminEditors,
  body: z.object({
    /** Which key. */
    keyId: PROOF_KEY_ID,
    /** From when on others may have signed with it. */
    since: Instant,
  }),
  answer: Outcome.extend({
    /** The new key, if this one signed. */
    keyId: PROOF_KEY_ID.optional(),
  }),
  outcomes: ['done'],
})

export const renewProofKey = endpoint({
  method: 'POST',
  path: '/api/v2/proof/key',
  summary:
    'Retire the key that signs the proofs of play and make a new one. Proofs that the former key has signed stay valid.',
  access: adminEditors,
  answer: Outcome.extend({
    /** The new key. */
    keyId: PROOF_KEY_ID.optional(),
  }),
  outcomes: ['done', 'notDone'],
})

export const downloadProof = endpoint({
  path: '/api/v2/media/{uid}/proof/from/{from}/to/{to}/regiontime/{zone}',
  summary:
    'The signed proof of play of an ad: a zip with each play of the period (plays.csv), a manifest and its Ed25519 signature. `zone` is an IANA time zone (`Europe%2FBerlin`) or `device` for each device’s own; the period has 1 to 45 of its days. 410 `plays-gone`: single plays of its first days were deleted.',
  access: readers,
  isHeavy: true,
  params: z
    .object({
      uid: Uid,
      from: Day,
      to: Day,
      /** Whose days: an IANA time zone, or `device` for each device's own. */
      zone: z
        .string()
        .max(64)
        .refine(zone => zone === DEVICE_ZONES || isTimeZone(zone), 'time-zone'),
    })
    .refine(
      ({ from, to }) => {
        const days = daysBetween(from, to)
        return days >= 1 && days <= MAX_REPORT_DAYS
      },
      { path: ['to'] },
    ),
  answer: z.unknown(),
  answerForm: 'bytes',
})
