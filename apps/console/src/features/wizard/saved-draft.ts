import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { z } from 'zod'
import { readLarge, writeLarge } from '../../platform/large-storage.ts'
import { parseJson, readStored, writeStored } from '../../platform/storage.ts'
import { steps, type WizardDraft } from './wizard-draft.ts'

/** Short, because five thousand of them are kept: uid, name, seconds, weight. */
const KeptTrack = z.tuple([z.string(), z.string(), z.number(), z.number()])
const Mode = z.enum(['auto', 'manual'])

const KeptDraft = z.object({
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
  melList: z.array(KeptTrack),
  adsList: z.array(KeptTrack),
  crossfade: z.number(),
  seed: z.number(),
  smartPlUid: z.string().nullable(),
  version: z.number().nullable(),
  smartPlName: z.string(),
  smartPlDescr: z.string(),
})

type Kept = z.infer<typeof KeptDraft>

const fold = ({ uid, name, duration, weight }: SmartTrack): Kept['melList'][number] => [
  uid,
  name,
  duration,
  weight,
]
const unfold = ([uid, name, duration, weight]: Kept['melList'][number]): SmartTrack => ({
  uid,
  name,
  duration,
  weight,
})

/** Each user has one draft of a new playlist, and one for each that is planned again or edited on the air. */
export const draftKey = (userUid: string, playlistUid: string | null) =>
  `floorcast.wizard.${userUid}.${playlistUid ?? 'new'}`

/**
 * In characters, of which a track takes about 110. Longer drafts go to IndexedDB, where the last half second before a
 * reload may be lost. Where neither has room, the wizard says so and asks before the user leaves.
 */
const largeFrom = 2_000_000
/** Stands in local storage for a draft that lies in the large one. */
const elsewhere = '"large"'

/** What was kept: a draft, nothing, or one that has to be read from the large storage first. */
export function readDraft(key: string): WizardDraft | null | 'large' {
  const text = readStored(key)
  return text === elsewhere ? 'large' : unpack(text)
}

/** A draft that local storage had no room for. */
export async function readLargeDraft(key: string): Promise<WizardDraft | null> {
  return unpack(await readLarge(key))
}

/** Keeps a draft over a reload; null forgets it. Answers whether the browser had room for it. */
export async function keepDraft(key: string, draft: WizardDraft | null): Promise<boolean> {
  const wasLarge = readStored(key) === elsewhere
  const text = draft && pack(draft)
  if ((text === null || text.length < largeFrom) && writeStored(key, text)) {
    if (wasLarge) await writeLarge(key, null)
    return true
  }
  // Room first for the word that stands for it; written at once, since the page may be going.
  writeStored(key, null)
  const isKept = writeStored(key, elsewhere) && (await writeLarge(key, text))
  if (!isKept && readStored(key) === elsewhere) writeStored(key, null)
  return isKept
}

function pack(draft: WizardDraft): string {
  return JSON.stringify({ ...draft, melList: draft.melList.map(fold), adsList: draft.adsList.map(fold) })
}

/** Null when it makes no sense. */
function unpack(text: unknown): WizardDraft | null {
  const kept = KeptDraft.safeParse(typeof text === 'string' ? parseJson(text) : null).data
  return kept ? { ...kept, melList: kept.melList.map(unfold), adsList: kept.adsList.map(unfold) } : null
}
