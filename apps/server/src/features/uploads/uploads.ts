import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import type { FilePart } from '../../platform/http/receive/multipart.ts'
import { OutcomeError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type ReceivedFile, upTo } from '../../platform/storage/incoming-files.ts'
import type { AdmitBytes } from '../../platform/storage/write-stream.ts'
import type { AnnouncedUpload } from './announced-upload.ts'
import { withUploadSlot } from './upload-slots.ts'
import * as queries from './uploads-queries.ts'

export { toItemName, toOriginalName } from './file-names.ts'
export { findUnownedFiles, listStoredFiles } from './uploads-queries.ts'
export { deleteAbandonedPieces } from './shared-uploads.ts'
export {
  collectDueFiles,
  collectGarbageAfter,
  deleteUnownedFiles,
  storeFiles,
  storeNoted,
} from './stored-files.ts'

/*
 * Receives files into the storage of a client's plan. Media and update files use it alike. Storage is reserved while bytes come.
 */

/** The services that uploads use. */
export type UploadContext = Pick<Context, 'files' | 'incoming' | 'log' | 'now'>

/** A feature that takes files which are sent in pieces. */
export interface UploadTarget {
  /** Refuses a file before its first byte. @throws OutcomeError, ProblemError */
  admit: (ctx: RequestContext, upload: AnnouncedUpload) => Promise<void>
  /** Probes and stores a received file; `within` runs in the transaction that adds its rows. @throws OutcomeError, ProblemError */
  store: (
    ctx: RequestContext,
    upload: AnnouncedUpload,
    file: { received: ReceivedFile; within: (writes: Writes, outcome: Outcome) => Promise<void> },
  ) => Promise<Outcome>
}

/** Storage is reserved in steps of this size while bytes come. */
const RESERVATION_STEP_BYTES = 32 * 1024 * 1024
/** How long the reservation of a form outlives its process: after this time a killed server's storage is free again. */
const RESERVATION_LIFE_MS = 5 * 60_000
const RENEWAL_MS = 60_000

interface Reservation {
  uid: string
  /** Bytes that came. */
  receivedBytes: number
  /** Bytes that will have come at the end; null if the sender does not say. */
  announcedBytes: number | null
  originalName: string
  now: Date
  expiresAt: Date
}

/** @returns the free bytes of the plan, those of this reservation included. @throws OutcomeError storageFull if the upload does not fit */
export async function requireRoom(
  writes: Writes,
  ctx: RequestContext,
  { uid, receivedBytes, announcedBytes, originalName, now }: Omit<Reservation, 'expiresAt'>,
): Promise<number> {
  await queries.lockStorage(writes, ctx.scope.clientId)
  const { allowedBytes, usedBytes, heldBytes } = await queries.readStorage(writes, { now, exceptUid: uid })
  const freeBytes = allowedBytes - usedBytes - heldBytes
  if (Math.max(1, receivedBytes, announcedBytes ?? 0) > freeBytes)
    throw new OutcomeError('storageFull', { names: [originalName] })
  return freeBytes
}

/**
 * Reserves storage for the bytes that came and the next step. Not for the announced length: a sender that sends nothing must
 * not block others. So an upload is refused later if others take its room first. @returns the bytes that are reserved.
 * @throws OutcomeError storageFull
 */
export async function reserveStorage(
  writes: Writes,
  ctx: RequestContext,
  reservation: Reservation,
): Promise<number> {
  const freeBytes = await requireRoom(writes, ctx, reservation)
  const { uid, receivedBytes, announcedBytes, now, expiresAt } = reservation
  const sizeBytes = Math.min(receivedBytes + RESERVATION_STEP_BYTES, announcedBytes ?? Infinity, freeBytes)
  const { scope, session } = ctx
  const owner = { clientId: scope.clientId, userUid: session.userUid }
  await queries.saveReservation(writes, { uid, ...owner, sizeBytes, createdAt: now, expiresAt })
  return sizeBytes
}

/** Reserves storage for the file of a form, and renews the reservation until `end`. @throws OutcomeError storageFull */
async function openReservation(
  ctx: RequestContext,
  file: Pick<Reservation, 'announcedBytes' | 'originalName'>,
  now: () => Date,
): Promise<{ admit: AdmitBytes; end: () => Promise<void> }> {
  const uid = uuidV7()
  const { scope } = ctx
  const expiresAt = () => new Date(now().getTime() + RESERVATION_LIFE_MS)
  const reserve = (receivedBytes: number) =>
    scope.write(writes =>
      reserveStorage(writes, ctx, { ...file, uid, receivedBytes, now: now(), expiresAt: expiresAt() }),
    )
  let reservedBytes = await reserve(0)
  const renewal = setInterval(() => {
    // The next renewal makes up for a failed one; the storage is checked again when the file is stored.
    scope.write(writes => queries.extendReservation(writes, uid, expiresAt())).catch(() => {})
  }, RENEWAL_MS)
  return {
    admit: async totalBytes => {
      if (totalBytes > reservedBytes) reservedBytes = await reserve(totalBytes)
    },
    end: async () => {
      clearInterval(renewal)
      await scope.write(writes => queries.deleteReservation(writes, uid, now()))
    },
  }
}

/** One upload in a form. */
export interface UploadSession {
  /** Receives the upload's file within reserved storage. @throws OutcomeError storageFull; DiskFloorError */
  receive: (part: FilePart, originalName: string) => Promise<ReceivedFile>
  /** Receives a small file without a reservation. @throws FileTooLargeError, DiskFloorError */
  receiveUpTo: (part: FilePart, maxBytes: number) => Promise<ReceivedFile>
}

interface UploadWork<T> {
  announcedBytes: number | null
  work: (session: UploadSession) => Promise<T>
}

/**
 * Runs `work` with a session; removes what it received and did not store, and releases the reserved storage.
 * @throws ProblemError 429 if the user has too many uploads under way; DiskFloorError if the disk has no room
 */
export async function withUploadSession<T>(
  context: UploadContext,
  ctx: RequestContext,
  upload: UploadWork<T>,
): Promise<T> {
  await context.incoming.requireSpace(0)
  return withUploadSlot(ctx.session.userUid, () => runSession(context, ctx, upload))
}

async function runSession<T>(
  context: UploadContext,
  ctx: RequestContext,
  { announcedBytes, work }: UploadWork<T>,
): Promise<T> {
  const { incoming, log, now } = context
  const received: ReceivedFile[] = []
  const reservations: { end: () => Promise<void> }[] = []
  const receive = async ({ bytes }: FilePart, admit: AdmitBytes) => {
    const file = await incoming.receive(bytes, admit)
    received.push(file)
    return file
  }
  try {
    return await work({
      receiveUpTo: (part, maxBytes) => receive(part, upTo(maxBytes)),
      receive: async (part, originalName) => {
        const reservation = await openReservation(ctx, { announcedBytes, originalName }, now)
        reservations.push(reservation)
        await incoming.requireSpace(announcedBytes ?? 0)
        return receive(part, reservation.admit)
      },
    })
  } finally {
    for (const file of received) await incoming.discard(file)
    for (const reservation of reservations)
      await reservation.end().catch((error: unknown) => {
        // The reservation expires.
        log.warn({ err: error }, 'storage reservation not ended')
      })
  }
}
