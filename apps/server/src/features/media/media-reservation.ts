import { OutcomeError } from '../../platform/lib/errors.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import {
  deleteReservation,
  extendReservation,
  insertReservation,
  lockStorage,
  readStorage,
} from './media-upload-queries.ts'

/** A reservation outlives its process by this much, so that a killed server gives the storage back soon. */
const LIFE_MILLIS = 5 * 60_000
const RENEWAL_MILLIS = 60_000

/** Storage held for an upload that runs. */
export interface StorageReservation {
  /** The most that the upload's file may have. */
  maxBytes: number
  /** Gives the storage back; call it whatever became of the upload. */
  end: () => Promise<void>
}

interface Hold {
  uid: string
  sizeBytes: number
  originalName: string
  expiresAt: Date
}

/** Holds storage until it is given back or expires. @returns bytes that were free before. @throws OutcomeError storageFull */
export async function holdStorage(writes: Writes, ctx: RequestContext, hold: Hold): Promise<number> {
  const { uid, sizeBytes, originalName, expiresAt } = hold
  const { clientId } = ctx.scope
  await lockStorage(writes, clientId)
  const { allowedBytes, usedBytes, heldBytes } = await readStorage(writes, ctx.now)
  const free = allowedBytes - usedBytes - heldBytes
  if (free <= 0 || sizeBytes > free) throw new OutcomeError('storageFull', { names: [originalName] })
  const userUid = ctx.session.userUid
  await insertReservation(writes, { uid, clientId, userUid, sizeBytes, createdAt: ctx.now, expiresAt })
  return free
}

/**
 * Holds storage of the client's plan for an upload of `announcedBytes`; null if the sender does not say how many come,
 * which then are counted when they are there. @throws OutcomeError storageFull
 */
export async function reserveStorage(
  ctx: RequestContext,
  { announcedBytes, originalName }: { announcedBytes: number | null; originalName: string },
  now: () => Date,
): Promise<StorageReservation> {
  const uid = uuidV7()
  const { scope } = ctx
  const expiresAt = () => new Date(now().getTime() + LIFE_MILLIS)
  const sizeBytes = announcedBytes ?? 0
  const freeBytes = await scope.write(writes =>
    holdStorage(writes, ctx, { uid, sizeBytes, originalName, expiresAt: expiresAt() }),
  )
  const renewal = setInterval(() => {
    // One that fails is made up by the next; the last word about storage is said when the file is stored.
    scope.write(writes => extendReservation(writes, uid, expiresAt())).catch(() => {})
  }, RENEWAL_MILLIS)
  return {
    maxBytes: announcedBytes ?? freeBytes,
    end: async () => {
      clearInterval(renewal)
      await scope.write(writes => deleteReservation(writes, uid, now()))
    },
  }
}
