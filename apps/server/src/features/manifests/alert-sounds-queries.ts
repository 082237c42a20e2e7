import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { soundsOf } from './alert-sounds.ts'
import type { SourceFile } from './programme-body.ts'

/** The newest files of the media that any of these profiles' settings name, by media uid. */
export async function readSounds(
  reads: Reads,
  profiles: readonly unknown[],
): Promise<Map<string, SourceFile>> {
  const named = profiles.flatMap(profile => soundsOf([profile]))
  const uids = [...new Set(named.map(({ mediaUid }) => mediaUid))]
  if (uids.length === 0) return new Map()
  const rows = await reads
    .selectFrom('mediaItems as m')
    .innerJoin('mediaFiles as f', join =>
      join.onRef('f.mediaUid', '=', 'm.uid').onRef('f.fileVersion', '=', 'm.fileVersion'),
    )
    .where('m.uid', '=', sql<string>`any(${uids}::uuid[])`)
    .select(['m.uid as mediaUid', 'm.name as mediaName', 'm.contentType'])
    .select(['f.sha256', 'f.sizeBytes', 'f.durationSeconds', 'f.integratedLufs', 'f.truePeakDbtp'])
    .execute()
  return new Map(rows.map(row => [row.mediaUid, row]))
}
