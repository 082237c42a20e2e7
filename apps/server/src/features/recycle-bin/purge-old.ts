import type { AuditedKind } from '@floorcast/contract/audit.ts'
import { BIN_DAYS, type BinKind } from '@floorcast/contract/recycle-bin.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'
import { recordOwnChanges } from '../audit/audit.ts'
import { dropFormerVersions } from '../media/media.ts'
import { collectGarbageAfter } from '../uploads/uploads.ts'
import { purgeBinnedBefore, type Purged } from './purge-queries.ts'

/**
 * The history's names for the kinds of the bin. An item comes before the items that it needs: a publication before its playlist, a
 * playlist before its media.
 */
export const ENTITIES: Readonly<Record<BinKind, AuditedKind>> = {
  publications: 'publication',
  playlists: 'playlist',
  media: 'media',
  groups: 'group',
  devices: 'device',
}
const KINDS = Object.keys(ENTITIES) as BinKind[]
const DAY_MS = 86_400_000
/** Rows of one transaction: a bin of 100,000 items locks nothing for long. */
const BATCH = 500

/** The hashes of the files of purged items, and of former files that only their plans had. */
export async function collectHashes(writes: Writes, purged: readonly Purged[]): Promise<string[]> {
  const planned = purged.flatMap(({ plannedMedia }) => plannedMedia)
  return [
    ...purged.flatMap(({ hashes }) => hashes),
    ...(planned.length > 0 ? await dropFormerVersions(writes, planned) : []),
  ]
}

/**
 * Purges the items that were in a client's recycle bin for 30 days, with an audit entry for each item, and the files without a row.
 * An item that another item of the bin needs stays until that one is purged: otherwise a playlist could not be restored.
 * One statement finds, checks and deletes, so an admin who restores at that moment either is first or finds nothing.
 * A server that is killed between a batch and its files leaves the files of at most 500 items behind.
 * @returns the number of purged items
 */
export async function purgeOld(scope: ClientScope, files: FileStore, now: Date): Promise<number> {
  const before = new Date(now.getTime() - BIN_DAYS * DAY_MS)
  const purgeBatch = (x: BinKind) =>
    collectGarbageAfter(scope, files, async writes => {
      const gone = await purgeBinnedBefore(writes, x, { before, max: BATCH })
      const entity = ENTITIES[x]
      const changes = gone.map(({ uid, name }) => ({ action: 'purge' as const, entity, uid, name }))
      await recordOwnChanges(writes, { clientId: scope.clientId, at: now }, changes)
      return { done: gone.length, hashes: await collectHashes(writes, gone) }
    })
  let sum = 0
  for (const kind of KINDS)
    for (let isMore = true; isMore;) {
      const count = await purgeBatch(kind)
      sum += count
      isMore = count === BATCH
    }
  return sum
}
