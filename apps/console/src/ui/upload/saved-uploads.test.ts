import { afterEach, expect, it, vi } from 'vitest'
import { sessionStore } from '../../platform/session.ts'
import { readSavedUploads, removeSavedUpload } from './saved-uploads.ts'

afterEach(() => sessionStore.set({ user: null, token: null }))

it('an unfinished upload that the console of 2.775.0 has stored is continued', () => {
  const user = { uid: 'ann' } as NonNullable<ReturnType<typeof sessionStore.get>['user']>
  sessionStore.set({ user, token: 'token' })
  const upload = {
    fingerprint: 'ann/ads//7/1/spot.mp3',
    userUid: 'ann',
    url: '/up/1',
    name: 'spot.mp3',
    size: 7,
  }
  const stored = new Map([
    ['floorcast.uploads', JSON.stringify([{ ...upload, told: { contentType: 'ads' } }])],
  ])
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    removeItem: (name: string) => void stored.delete(name),
  })
  expect(readSavedUploads()).toMatchObject([{ ...upload, target: { contentType: 'ads' } }])
  removeSavedUpload(upload.fingerprint)
  expect(stored.size).toBe(0)
})
