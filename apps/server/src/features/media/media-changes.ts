import type { Writes } from '../../platform/database/client-scope.ts'
import { notify } from '../../platform/database/notify.ts'

/** Tells, when the transaction commits, whoever shows or plays the item that it is no longer what it was. */
export async function announceMedia(writes: Writes, clientId: string, mediaUid: string): Promise<void> {
  await notify(writes, 'live', [clientId, 'media', mediaUid])
}
