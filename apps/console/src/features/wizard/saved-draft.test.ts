import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { draftKey, saveDraft, readDraft } from './saved-draft.ts'
import { emptyDraft, withStep, withTracks, withType } from './wizard-draft.ts'

const key = draftKey('olga', null)
const tracks = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    uid: `01933d4e-0000-7000-8000-${String(n).padStart(12, '0')}`,
    name: `Melody number ${n}, by its singer`,
    duration: 180.123456 + n,
    weight: 1,
  }))

let stored: Map<string, string>
beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

it('the kept draft is read as it was written, and small enough for any browser', async () => {
  const draft = withStep('check')(withTracks('melody', tracks(5000))(withType('video-smart')(emptyDraft)))
  expect(await saveDraft(key, draft)).toBe(true)
  expect(readDraft(key)).toEqual(draft)
  // Browsers keep 5 MB, some count two bytes a character.
  expect((stored.get(key)?.length ?? 0) * 2).toBeLessThan(2_000_000)
})

it('the kept draft belongs to a user and a playlist', async () => {
  await saveDraft(key, withType('audio-smart')(emptyDraft))
  expect(readDraft(draftKey('ivan', null))).toBeNull()
  expect(readDraft(draftKey('olga', 'p1'))).toBeNull()
})

it('the kept draft is gone when it is forgotten, and nothing when it makes no sense', async () => {
  await saveDraft(key, emptyDraft)
  await saveDraft(key, null)
  expect(readDraft(key)).toBeNull()
  for (const broken of ['{', '[]', '{"step":"hours"}', JSON.stringify({ ...emptyDraft, melList: [['a']] })]) {
    stored.set(key, broken)
    expect(readDraft(key)).toBeNull()
  }
})

it('the kept draft is no older one where the browser has no room at all', async () => {
  await saveDraft(key, withType('audio-smart')(emptyDraft))
  // No IndexedDB here either.
  const large = withTracks('melody', tracks(30_000))(emptyDraft)
  expect(await saveDraft(key, large)).toBe(false)
  expect(readDraft(key)).toBeNull()
})
