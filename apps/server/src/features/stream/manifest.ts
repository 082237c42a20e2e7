import type { ClientScope } from '../../platform/database/client-scope.ts'
import { makeDocument, type ManifestDocument } from './manifest-body.ts'
import { lockManifests, readManifestRow, readSources, saveManifest } from './manifest-queries.ts'

/**
 * Makes the manifests of these devices that are marked, and returns those of all. Nothing changes, not a byte, where the
 * state is what it was.
 */
export async function makeManifests(
  scope: ClientScope,
  deviceUids: readonly string[],
  now: Date,
): Promise<Map<string, ManifestDocument>> {
  return scope.write(async writes => {
    const locked = await lockManifests(writes, scope.clientId, deviceUids)
    const made = new Map<string, ManifestDocument>(
      locked.map(({ deviceUid, ...former }) => [deviceUid, former]),
    )
    const stale = locked.filter(({ isStale }) => isStale).map(({ deviceUid }) => deviceUid)
    if (stale.length === 0) return made
    for (const source of await readSources(writes, stale)) {
      const { uid } = source.device
      const former = made.get(uid)
      if (!former) continue
      const { generation, etag, body } = makeDocument(source, former)
      await saveManifest(writes, uid, { generation, etag, body, madeAt: now })
      made.set(uid, { generation, etag, body })
    }
    return made
  })
}

/** The ETag of a device's manifest as of now; made if it has to be. Empty for a device that is gone. */
export async function currentEtag(scope: ClientScope, deviceUid: string, now: Date): Promise<string> {
  const { etag } = await currentManifest(scope, { deviceUid, held: null, now })
  return etag
}

/** A device's manifest as of now; `body` is null when `held` is its ETag. */
export async function currentManifest(
  scope: ClientScope,
  { deviceUid, held, now }: { deviceUid: string; held: string | null; now: Date },
): Promise<{ etag: string; body: string | null }> {
  const row = await readManifestRow(scope.reads, deviceUid, held)
  if (row && !row.isStale) return row
  const made = (await makeManifests(scope, [deviceUid], now)).get(deviceUid)
  if (!made) return { etag: '', body: null }
  return { etag: made.etag, body: made.etag === held ? null : made.body }
}
