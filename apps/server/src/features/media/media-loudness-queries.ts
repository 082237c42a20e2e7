import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { LoudnessFigures } from './loudness/loudness-meter.ts'

/** A file whose loudness waits to be measured. */
export interface PendingFile {
  mediaUid: string
  fileVersion: number
  sha256: string
  mimeType: string
}

/** The client's file that has waited longest, of those not in `skipped` (`mediaUid.fileVersion`). */
export async function findPendingFile(reads: Reads): Promise<PendingFile | null> {
  const row = await reads
    .selectFrom('mediaFiles')
    .select(['mediaUid', 'fileVersion', 'sha256', 'mimeType'])
    .where('loudnessState', '=', 'pending')
    .orderBy('uploadedAt')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Keeps what was measured; null: it cannot be. False if the file is gone or was measured meanwhile. */
export async function saveLoudness(
  writes: Writes,
  file: PendingFile,
  figures: LoudnessFigures | null,
): Promise<boolean> {
  const row = await writes
    .updateTable('mediaFiles')
    .set({
      loudnessState: figures ? 'measured' : 'not-measured',
      integratedLufs: figures?.integratedLufs ?? null,
      truePeakDbtp: figures?.truePeakDbtp ?? null,
    })
    .where('mediaUid', '=', file.mediaUid)
    .where('fileVersion', '=', file.fileVersion)
    .where('loudnessState', '=', 'pending')
    .returning('mediaUid')
    .executeTakeFirst()
  return row !== undefined
}
