import type { Writes } from '../../platform/database/client-scope.ts'
import { notify, notifyAll } from '../../platform/database/notify.ts'
import { invalidateManifests } from '../manifests/manifests.ts'

/** Tells, when the transaction commits, whoever shows the item that it is no longer what it was. */
export async function announceMedia(writes: Writes, clientId: string, mediaUid: string): Promise<void> {
  await notify(writes, 'live', [clientId, 'media', mediaUid])
}

/** Tells whoever shows these playlists that their plans are no longer those of their media. */
export async function announcePlaylists(
  writes: Writes,
  clientId: string,
  playlistUids: readonly string[],
): Promise<void> {
  await notifyAll(
    writes,
    'live',
    playlistUids.map(uid => [clientId, 'playlist', uid]),
  )
}

/** Announces what devices that play the item must know too: a new file or name, or loudness alone. */
export async function announcePlayed(
  writes: Writes,
  clientId: string,
  change: { media: string; now: Date } | { loudness: string; now: Date },
): Promise<void> {
  const isLoudness = 'loudness' in change
  const uid = isLoudness ? change.loudness : change.media
  await invalidateManifests(writes, isLoudness ? { loudness: [uid] } : { media: [uid] }, change.now)
  await announceMedia(writes, clientId, uid)
}
