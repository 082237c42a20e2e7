import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sessionStore } from '../../platform/session.ts'
import { forgetImport, readSavedImport, saveImport, saveImportProgress } from './saved-import.ts'
import { noTexts } from './check-rows.ts'
import { noProgress, type ImportJob } from './send-import.ts'

const row = { line: 2, name: 'Shop 1', storeNumber: '0042', description: '' }
const job: ImportJob = {
  importUid: '01933d4e-0000-7000-8000-000000000001',
  kind: 'video',
  existing: 'skip',
  rows: [row],
  leftOut: [{ line: 3, texts: { ...noTexts, name: 'ab' }, fault: { column: 'name', message: 'too-short' } }],
}
const signIn = (uid: string) =>
  sessionStore.set({ user: { uid } as ReturnType<typeof sessionStore.get>['user'], token: 'token' })

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  signIn('ann')
})
afterEach(() => sessionStore.set({ user: null, token: null }))

it('an unfinished import is kept with its last progress until it is forgotten', () => {
  saveImport(job, noProgress)
  saveImportProgress({ sent: 2, added: 1, skippedLines: [7] })
  expect(readSavedImport()).toEqual({ job, progress: { sent: 2, added: 1, skippedLines: [7] } })
  forgetImport()
  expect(readSavedImport()).toBeNull()
})

it('an unfinished import is not shown to another user of the tab', () => {
  saveImport(job, noProgress)
  signIn('bob')
  expect(readSavedImport()).toBeNull()
})

it('an unfinished import is not kept if it is too long, nor the one before it', () => {
  saveImport(job, noProgress)
  const rows = Array.from({ length: 50_000 }, (_, n) => ({ ...row, line: n + 1 }))
  saveImport({ ...job, rows }, noProgress)
  expect(readSavedImport()).toBeNull()
})

it('an unfinished import is lost without an error where nothing can be stored', () => {
  vi.stubGlobal('sessionStorage', {
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  })
  saveImport(job, noProgress)
  expect(readSavedImport()).toBeNull()
})
