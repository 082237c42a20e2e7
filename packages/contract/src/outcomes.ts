import { z } from 'zod'
import { Uid } from './fields.ts'

/**
 * Every outcome of a change: name → the code in the body, under HTTP 200
 * (docs/specification.md#4-states-and-transitions and docs/specification.md#8-error-catalogue).
 * Each name has words in every catalogue (`outcomes.json`).
 */
export const outcomes = {
  done: 200,
  someFailed: 303,
  notDone: 400,
  inUse: 409,
  wrongFileType: 901,
  nameExists: 902,
  storageFull: 903,
  onlyM3u: 911,
  filesMissing: 912,
  mediaInUse: 921,
  activated: 0,
  groupTaken: 1,
  groupPaused: 2,
  playlistPaused: 3,
  delayDisabled: 8,
  disabled: 9,
  notAllowed: -1,
  notConsistent: -2,
} as const

export type OutcomeName = keyof typeof outcomes

export const outcomeNames = Object.keys(outcomes) as OutcomeName[]

/** The name of a code; undefined for a code that no outcome has. */
export const outcomeByCode = (code: number): OutcomeName | undefined =>
  outcomeNames.find(name => outcomes[name] === code)

/** Status changes are successes with these codes (docs/specification.md#4-states-and-transitions). */
export const successfulStatusCodes: readonly number[] = [0, 8, 9]
export const isSuccess = (code: number) => code === 200 || successfulStatusCodes.includes(code)

/** A fault of an import. */
export const ImportFault = z.object({
  /** `adsList.3`, `finishList.12.items.4`, `endDay`. */
  path: z.string(),
  /** A fault of the media, a refusal of the planner's `validate`, or a rule that `check` found broken. */
  code: z.string(),
  /** The planner's rule, 1 to 6. */
  rule: z.int().optional(),
  /** The media item, and its name if it belongs to the client. */
  uid: Uid.optional(),
  /** The name of that media item; absent if it is not the client's. */
  name: z.string().optional(),
  /** Seconds and plays, by the planner's names. */
  figures: z.record(z.string(), z.number()).optional(),
})
export type ImportFault = z.infer<typeof ImportFault>

/** One of `reasons`, or one that a newer server knows. */
export const ReasonText = z.string()

/** An item that a call for many has not changed. */
export const FailedItem = z.object({
  uid: Uid,
  /** Empty for an item that does not exist any more. */
  name: z.string(),
  /** The outcome's code. */
  code: z.int(),
  /** Why, beyond the code. */
  reason: ReasonText.optional(),
  /** Of what stands in the way. */
  names: z.array(z.string()).optional(),
  /** The limit that was reached. */
  limit: z.int().optional(),
})

/** The answer of every change. */
export const Outcome = z.object({
  /** 200 is done, as 0, 8 and 9 are of changes of a state; each call names the others. */
  code: z.int(),
  /** The item that was made. */
  uid: Uid.optional(),
  /** Why, beyond the code: a key of the catalogue `reasons.json`. */
  reason: ReasonText.optional(),
  /** Of what stands in the way: with 902, 912, 921 and the reason 'several-files'. */
  names: z.array(z.string()).optional(),
  /** The limit of the reasons 'device-limit' (the plan's), 'row-limit' and, in megabytes, 'playlist-bytes'. */
  limit: z.int().optional(),
  /** Of a call for many: the items that were changed. */
  done: z.array(Uid).optional(),
  /** Of a call for many: the items that were not. */
  failed: z.array(FailedItem).optional(),
  /** Of a call for more than 1,000 items: how many remain. */
  remaining: z.int().optional(),
  /** The last item that was done: repeat the call with it for those that remain. */
  after: Uid.optional(),
  /** The faults of an import, at most 100. */
  faults: z.array(ImportFault).optional(),
})
export type Outcome = z.infer<typeof Outcome>

/** Why a change was refused beyond its code; each has words in every catalogue (`reasons.json`). */
export const reasons = [
  'active-cannot-be-edited',
  'in-force-cannot-be-paused',
  'device-in-a-group',
  'device-not-in-group',
  'device-limit',
  'row-limit',
  'playlist-bytes',
  'kind-does-not-fit',
  'playlist-empty',
  'several-files',
  'list-code-page',
  'outside-dates',
  'turn-it-off-first',
  'subscription-expired',
  'position-changed',
  'volume-already-default',
  'restore-these-first',
  'turn-it-on-first',
  'nothing-to-return-to',
  'too-many-devices',
  'no-open-alert',
  'webhook-disabled',
  'too-many-commands',
  'too-many-views',
  'no-picture',
  'volume-by-policy',
  'volume-changed-since',
  'last-admin',
  'second-factor-required',
  'no-second-factor',
  'own-second-factor',
  'tag-exists',
  'no-such-tag',
  'media-not-as-planned',
  'plan-refused',
  'plan-breaks-rules',
  'only-simple-playlists',
  'only-smart-playlists',
  'not-a-draft',
  'package-empty',
  'package-not-released',
  'signature-missing',
  'signature-wrong',
  /** Signed as another file or version. */
  'signature-mismatch',
  'update-key-missing',
  'already-deployed',
  'type-cannot-change',
  // Why a file was refused with 901.
  'file-empty',
  'file-damaged',
  'file-truncated',
  'sound-too-short',
  'sound-changes',
  'not-mp3',
  'not-layer-3',
  'not-mp4',
  'quicktime',
  'no-video',
  'not-h264',
  'not-aac',
  'edit-list',
  'starts-late',
  'not-an-image',
] as const
export type Reason = (typeof reasons)[number]
