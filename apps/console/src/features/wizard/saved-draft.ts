import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { z } from 'zod'
import { readLarge, writeLarge } from '../../platform/large-storage.ts'
import { parseJson, readStored, writeStored } from '../../platform/storage.ts'
import { steps, type WizardDraft } from './wizard-draft.ts'

/** Uid, name, seconds, weight; short, because a draft may have 5,000. */
const SavedTrack = z.tuple([z.string(), z.string(), z.number(), z.number()])
const Mode = z.enum(['auto', 'manual'])

const SavedDraftJson = z.object({
  playlistType: z.enum(['audio-smart', 'video-smart']),
  step: z.enum(steps).nullable(),
  reached: z.int(),
  isRoundTheClock: z.boolean(),
  startDay: z.string(),
  endDay: z.string(),
  melTime: z.number(),
  adsTime: z.number(),
  melMode: Mode,
  adsMode: Mode,
  melList: z.array(SavedTrack),
  adsList: z.array(SavedTrack),
  crossfade: z.number(),
  /** Drafts of former versions have none. */
  minAdGap: z.number().default(0),
  seed: z.number(),
  smartPlUid: z.string().nullable(),
  version: z.number().nullable(),
  smartPlName: z.string(),
  smartPlDescr: z.string(),
})

type SavedDraft = z.infer<typeof SavedDraftJson>

const toSavedTrack = ({ uid, name, duration, weight }: SmartTrack): SavedDraft['melList'][number] => [
  uid,
  name,
  duration,
  weight,
]
const toTrack = ([uid, name, duration, weight]: SavedDraft['melList'][number]): SmartTrack => ({
  uid,
  name,
  duration,
  weight,
})

/** A user has one draft of a new playlist, and one for each playlist that is planned again or edited on the air. */
export const draftKey = (userUid: string, playlistUid: string | null) =>
  `floorcast.wizard.${userUid}.${playlistUid ?? 'new'}`

/** Whether a draft is one of this user: that of a former user is not saved again. */
export const isDraftOf = (key: string, userUid: string | undefined): boolean =>
  userUid !== undefined && key.startsWith(`floorcast.wizard.${userUid}.`)

/**
 * In characters, of which a track takes about 110. Longer drafts go to IndexedDB, where the last half second before a
 * reload may be lost. Where neither has room, the wizard says so and asks before the user leaves.
 */
const maxLocalLength = 2_000_000
/** Stored in place of a draft that is in IndexedDB. */
const largeMarker = '"large"'

/** The saved draft; null when there is none, 'large' when it is in IndexedDB. */
export function readDraft(key: string): WizardDraft | null | 'large' {
  const text = readStored(key)
  return text === largeMarker ? 'large' : parseDraft(text)
}

/** A draft from IndexedDB. */
export async function readLargeDraft(key: string): Promise<WizardDraft | null> {
  return parseDraft(await readLarge(key))
}

/** Saves a draft; null deletes it. Resolves with false when the browser has no room. */
export async function saveDraft(key: string, draft: WizardDraft | null): Promise<boolean> {
  const wasLarge = readStored(key) === largeMarker
  const text = draft && stringifyDraft(draft)
  if ((text === null || text.length < maxLocalLength) && writeStored(key, text)) {
    if (wasLarge) await writeLarge(key, null)
    return true
  }
  // Frees the room that the marker needs. Written before any await: the page may be closing.
  writeStored(key, null)
  const isSaved = writeStored(key, largeMarker) && (await writeLarge(key, text))
  if (!isSaved && readStored(key) === largeMarker) writeStored(key, null)
  return isSaved
}

function stringifyDraft(draft: WizardDraft): string {
  return JSON.stringify({
    ...draft,
    melList: draft.melList.map(toSavedTrack),
    adsList: draft.adsList.map(toSavedTrack),
  })
}

/** Null when it is invalid. */
function parseDraft(text: unknown): WizardDraft | null {
  const saved = SavedDraftJson.safeParse(typeof text === 'string' ? parseJson(text) : null).data
  return saved ? { ...saved, melList: saved.melList.map(toTrack), adsList: saved.adsList.map(toTrack) } : null
}
