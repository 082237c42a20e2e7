import { DeviceImport, DeviceImportRow } from '@floorcast/contract/device-import.ts'
import { Kind } from '@floorcast/contract/fields.ts'
import { z } from 'zod'
import { sessionStore } from '../../platform/session.ts'
import { parseJson } from '../../platform/storage.ts'
import { columns, rowFaults } from './check-rows.ts'
import type { ImportJob, ImportProgress } from './send-import.ts'

/*
 * An unfinished import in session storage, so that a reload of the tab continues it. The rows are stored once, the
 * progress after each call.
 */

const jobKey = 'floorcast.import'
const progressKey = 'floorcast.import-progress'

/** Characters; session storage has room for 5 million. A longer list, of some 20,000 devices, is lost with the page. */
const maxSavedLength = 3_000_000

const SavedJob = z.object({
  userUid: z.string(),
  kind: Kind,
  importUid: DeviceImport.shape.importUid,
  existing: z.enum(['refuse', 'skip']),
  rows: z.array(DeviceImportRow).min(1),
  leftOut: z.array(
    z.object({
      line: z.int(),
      texts: z.record(z.enum(columns), z.string()),
      fault: z.object({ column: z.enum(columns), message: z.enum(rowFaults) }),
    }),
  ),
})
const SavedProgress = z.object({ sent: z.int(), added: z.int(), skippedLines: z.array(z.int()).default([]) })

/** Runs a call of session storage, which throws where it is blocked or full. */
function attempt<T>(run: (storage: Storage) => T): T | null {
  try {
    return run(sessionStorage)
  } catch {
    return null
  }
}

export function saveImport(job: ImportJob, progress: ImportProgress): void {
  const text = JSON.stringify({ ...job, userUid: sessionStore.get().user?.uid })
  forgetImport()
  if (text.length <= maxSavedLength) attempt(storage => storage.setItem(jobKey, text))
  saveImportProgress(progress)
}

export const saveImportProgress = (progress: ImportProgress): void =>
  void attempt(storage => storage.setItem(progressKey, JSON.stringify(progress)))

export const forgetImport = (): void =>
  void attempt(storage => {
    storage.removeItem(jobKey)
    storage.removeItem(progressKey)
  })

/** The unfinished import of the signed-in user; null without one. */
export function readSavedImport(): { job: ImportJob; progress: ImportProgress } | null {
  const read = (key: string) => parseJson(attempt(storage => storage.getItem(key)) ?? '')
  const saved = SavedJob.safeParse(read(jobKey))
  const progress = SavedProgress.safeParse(read(progressKey))
  if (!saved.success || !progress.success) return null
  const { userUid, ...job } = saved.data
  return userUid === sessionStore.get().user?.uid ? { job, progress: progress.data } : null
}
