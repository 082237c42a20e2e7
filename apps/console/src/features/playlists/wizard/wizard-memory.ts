import { z } from 'zod'
import { readStoredJson, writeStored } from '../../../platform/storage.ts'
import type { SmartTrack } from '../smart/smart-day.ts'
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

/** Each user has one draft of a new playlist, and one for each that is planned again. */
export const draftKey = (userUid: string, playlistUid: string | null) =>
  `floorcast.wizard.${userUid}.${playlistUid ?? 'new'}`

/** The draft that was kept, null when there is none or it makes no sense. */
export function readDraft(key: string): WizardDraft | null {
  const kept = KeptDraft.safeParse(readStoredJson(key)).data
  return kept ? { ...kept, melList: kept.melList.map(unfold), adsList: kept.adsList.map(unfold) } : null
}

/** Keeps a draft over a reload; null forgets it. */
export function keepDraft(key: string, draft: WizardDraft | null): void {
  if (!draft) return writeStored(key, null)
  const kept = { ...draft, melList: draft.melList.map(fold), adsList: draft.adsList.map(fold) }
  writeStored(key, JSON.stringify(kept))
}
