import { type Outcome, outcomes } from '@floorcast/contract/outcomes.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { notFound, orNotFound, OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { UnfinishedFiles } from '../../platform/storage/unfinished-files.ts'
import { parseAnnouncement, type RawMetadata } from './announced-upload.ts'
import { SharedUploads } from './shared-uploads.ts'
import { UploadLocks } from './upload-locks.ts'
import { withUploadSlot } from './upload-slots.ts'
import * as queries from './uploads-queries.ts'
import { requireRoom, reserveStorage, type UploadContext, type UploadTarget } from './uploads.ts'

/** How long an unfinished upload lives after its last byte, and the outcome of an ended one after its end. */
const UPLOAD_LIFE_MS = 86_400_000
/** Unfinished uploads of one user at a time: more are a fault of the sender. */
const MAX_UNFINISHED = 100
const SWEEP_INTERVAL_MS = 3_600_000

interface Piece {
  /** Its start in the file. */
  offset: number
  /** Its length; null if the sender does not say. */
  announcedBytes: number | null
  /** Its bytes; they end early where the sender breaks off or the signal aborts. */
  read: (signal: AbortSignal) => AsyncIterable<Uint8Array>
}

/** How far an upload is, and until when it can be continued or how it ended. */
type Progress = { offset: number } & ({ expiresAt: Date } | { outcome: Outcome })

const tooManyBytes = () => new ProblemError('too-large', { detail: 'More bytes than the Upload-Length says' })

/**
 * Uploads that may be interrupted and continued. Each is a row, a file in the folder of unfinished ones, and from its first
 * byte on a storage reservation with the same uid.
 */
export class ResumableUploads {
  readonly #context: UploadContext
  readonly #target: UploadTarget
  readonly #unfinished: UnfinishedFiles
  /** Null where uploads are on this server alone. */
  readonly #shared: SharedUploads | null
  readonly #locks = new UploadLocks()

  constructor(context: UploadContext, target: UploadTarget) {
    this.#context = context
    this.#target = target
    const { incoming, files } = context
    this.#unfinished = new UnfinishedFiles(incoming.unfinishedFolder)
    const { pieces } = files
    this.#shared = pieces && new SharedUploads({ pieces, incoming, unfinished: this.#unfinished })
  }

  /**
   * Begins an upload; refuses a file whose name or length alone forbids it, and one that the plan has no room for.
   * @throws OutcomeError wrongFileType, nameExists, storageFull; ProblemError 404, 422, 429; DiskFloorError
   */
  async begin(ctx: RequestContext, metadata: RawMetadata, sizeBytes: number) {
    const announced = parseAnnouncement(metadata, sizeBytes)
    const { contentType, originalName } = announced
    if (sizeBytes === 0)
      throw new OutcomeError('wrongFileType', { names: [originalName], reason: 'file-empty' })
    await this.#target.admit(ctx, announced)
    const [uid, expiresAt] = [uuidV7(), this.#expiry()]
    const { clientId } = ctx.scope
    const { userUid } = ctx.session
    const file = { contentType, originalName, sizeBytes }
    await ctx.scope.write(async writes => {
      await queries.lockStorage(writes, clientId)
      await this.#deleteUnbegun(writes, { userUid, ...file })
      if ((await queries.countUnfinished(writes, userUid, ctx.now)) >= MAX_UNFINISHED)
        throw new ProblemError('too-many-requests', { retryAfterSeconds: 60 })
      const room = { uid, receivedBytes: 0, announcedBytes: sizeBytes, originalName, now: ctx.now }
      await requireRoom(writes, ctx, room)
      await this.#context.incoming.requireSpace(sizeBytes)
      const row = { uid, clientId, userUid, ...file, createdAt: ctx.now, expiresAt }
      await queries.insertUpload(writes, { ...row, metadata: JSON.stringify(metadata) })
      await this.#unfinished.create(uid)
    })
    return { uid, expiresAt }
  }

  /** @throws ProblemError 404 for an upload that is not the caller's, whatever else is wrong with the request */
  async requireOwn(ctx: RequestContext, uid: string): Promise<void> {
    await this.#find(ctx, uid)
  }

  /** @throws ProblemError 404, 410, 423 */
  read(ctx: RequestContext, uid: string) {
    return this.#withUpload(ctx, uid, async upload => ({
      offset: await this.#offsetOf(ctx, upload),
      sizeBytes: upload.sizeBytes,
      metadata: upload.metadata as RawMetadata,
    }))
  }

  /**
   * Appends bytes; after the last one probes and stores the file. A piece without bytes at the end of an ended upload
   * returns its outcome again. @throws ProblemError 404, 409, 410, 413, 423, 429; DiskFloorError
   */
  append(ctx: RequestContext, uid: string, piece: Piece): Promise<Progress> {
    return this.#withUpload(ctx, uid, async (upload, signal) => {
      const { sizeBytes } = upload
      if (piece.offset !== (await this.#offsetOf(ctx, upload)))
        throw new ProblemError('wrong-offset', { detail: 'Upload-Offset is not where the upload is' })
      if (upload.outcome) return { offset: sizeBytes, outcome: upload.outcome as Outcome }
      if (piece.offset + (piece.announcedBytes ?? 0) > sizeBytes) throw tooManyBytes()
      return withUploadSlot(ctx.session.userUid, () => this.#append(ctx, upload, { piece, signal }))
    })
  }

  async #append(
    ctx: RequestContext,
    upload: queries.UploadRow,
    { piece, signal }: { piece: Piece; signal: AbortSignal },
  ): Promise<Progress> {
    const { uid, sizeBytes } = upload
    try {
      const offset = await this.#receive(ctx, upload, { ...piece, bytes: piece.read(signal) })
      if (offset < sizeBytes) return { offset, expiresAt: await this.#extend(ctx, uid, offset) }
      return { offset, outcome: await this.#store(ctx, upload) }
    } catch (error) {
      return { offset: sizeBytes, outcome: await this.#refuse(ctx, uid, error) }
    }
  }

  /** Deletes an upload, its bytes and its reservation; a stored file stays. @throws ProblemError 404, 423 */
  cancel(ctx: RequestContext, uid: string): Promise<void> {
    return this.#withUpload(ctx, uid, () => this.#delete(ctx, uid))
  }

  /**
   * Removes the files of uploads that nobody continued for a day, now and every hour. Their rows and reservations expire by
   * their own time. @returns a function that stops it and waits for the current run
   */
  startSweep(): () => Promise<void> {
    const { now, log } = this.#context
    const sweep = async () => {
      try {
        const removed = await this.#unfinished.removeOlderThan(new Date(now().getTime() - UPLOAD_LIFE_MS))
        if (removed > 0) log.info({ removed }, 'unfinished uploads removed')
      } catch (error) {
        log.error({ err: error }, 'unfinished uploads not removed')
      }
    }
    let running = sweep()
    const timer = setInterval(() => {
      running = running.then(sweep)
    }, SWEEP_INTERVAL_MS)
    return async () => {
      clearInterval(timer)
      await running
    }
  }

  #expiry(): Date {
    return new Date(this.#context.now().getTime() + UPLOAD_LIFE_MS)
  }

  /** A user's own upload. @throws ProblemError 404 for anyone else's, and for an expired one */
  async #find(ctx: RequestContext, uid: string): Promise<queries.UploadRow> {
    const { userUid } = ctx.session
    return orNotFound(await queries.findUpload(ctx.scope.reads, { uid, userUid, now: this.#context.now() }))
  }

  /** Runs `work` alone on an upload of this user. */
  async #withUpload<T>(
    ctx: RequestContext,
    uid: string,
    work: (upload: queries.UploadRow, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    await this.#find(ctx, uid) // nobody else may interrupt its sender
    return this.#locks.run(uid, signal => {
      const go = async () => work(await this.#find(ctx, uid), signal)
      return this.#shared ? this.#shared.run(ctx.scope, uid, go) : go()
    })
  }

  /** An ended upload needs no more bytes. @throws ProblemError 410 if its bytes are not on this server */
  async #offsetOf(ctx: RequestContext, { uid, sizeBytes, outcome }: queries.UploadRow): Promise<number> {
    const offset = outcome ? sizeBytes : await this.#sizeOf(ctx.scope.reads, uid)
    if (offset === null)
      throw new ProblemError('upload-gone', { detail: 'The bytes are not on this server: begin again' })
    return offset
  }

  /** Bytes that have come; null if they are not on this server. */
  async #sizeOf(reads: Reads, uid: string): Promise<number | null> {
    return this.#shared ? this.#shared.sizeOf(reads, uid) : this.#unfinished.sizeOf(uid)
  }

  async #removeBytes(ctx: RequestContext, uid: string): Promise<void> {
    await this.#unfinished.remove(uid)
    await this.#shared?.remove(ctx.scope, uid)
  }

  /** Deletes uploads of the same file without a byte: their sender did not get the answer, or they are on another server. */
  async #deleteUnbegun(writes: Writes, file: Parameters<typeof queries.findUnfinished>[1]): Promise<void> {
    for (const uid of await queries.findUnfinished(writes, file))
      if (!this.#locks.isHeld(uid) && !(await this.#sizeOf(writes, uid))) {
        await queries.deleteUpload(writes, uid)
        await this.#unfinished.remove(uid)
      }
  }

  /** Appends a piece within reserved storage. @returns the new offset */
  async #receive(
    ctx: RequestContext,
    { uid, sizeBytes, originalName }: queries.UploadRow,
    { offset, bytes }: { offset: number; bytes: AsyncIterable<Uint8Array> },
  ): Promise<number> {
    let reservedBytes = 0
    let takenBytes = 0
    const admit = async (pieceBytes: number) => {
      const receivedBytes = offset + pieceBytes
      if (receivedBytes > sizeBytes) throw tooManyBytes()
      await this.#context.incoming.takeSpace(pieceBytes - takenBytes)
      takenBytes = pieceBytes
      if (receivedBytes <= reservedBytes) return
      const expiresAt = this.#expiry()
      const reservation = { uid, receivedBytes, announcedBytes: sizeBytes, originalName, expiresAt }
      reservedBytes = await ctx.scope.write(async writes => {
        const reserved = await reserveStorage(writes, ctx, { ...reservation, now: this.#context.now() })
        await queries.extendUpload(writes, uid, { expiresAt })
        return reserved
      })
    }
    return this.#shared
      ? this.#shared.append(ctx.scope, uid, { source: bytes, offset, admit })
      : this.#unfinished.append(uid, bytes, { offset, admit })
  }

  /** Extends the life of an upload, and reduces its reservation to the bytes that came. */
  async #extend(ctx: RequestContext, uid: string, receivedBytes: number): Promise<Date> {
    const expiresAt = this.#expiry()
    await ctx.scope.write(writes =>
      queries.extendUpload(writes, uid, { expiresAt, sizeBytes: receivedBytes }),
    )
    return expiresAt
  }

  /** Probes and stores a whole file; its rows and the outcome of the upload are one transaction. */
  async #store(ctx: RequestContext, upload: queries.UploadRow): Promise<Outcome> {
    const { incoming, log } = this.#context
    const { uid, sizeBytes } = upload
    await this.#shared?.copy(ctx.scope, uid, sizeBytes)
    const hash = await this.#unfinished.hashOf(uid, sizeBytes)
    const received = await incoming.adopt(this.#unfinished.pathOf(uid), hash)
    const within = async (writes: Writes, outcome: Outcome) => {
      // The upload was cancelled meanwhile.
      if (!(await queries.endUpload(writes, uid, { outcome, expiresAt: this.#expiry() }))) throw notFound()
    }
    try {
      const announced = parseAnnouncement(upload.metadata, sizeBytes)
      const outcome = await this.#target.store(ctx, announced, { received, within })
      // If this fails, the sweep removes the bytes.
      await this.#removeBytes(ctx, uid).catch((error: unknown) => {
        log.warn({ err: error }, 'unfinished upload not removed')
      })
      return outcome
    } finally {
      await incoming.discard(received)
    }
  }

  /** Saves a refusal as the outcome. Any other error leaves the bytes for the next try. */
  async #refuse(ctx: RequestContext, uid: string, error: unknown): Promise<Outcome> {
    if (error instanceof ProblemError && error.status === 404) {
      await this.#delete(ctx, uid)
      throw error
    }
    if (!(error instanceof OutcomeError)) throw error
    const outcome: Outcome = { code: outcomes[error.outcome], ...error.details }
    await ctx.scope.write(writes => queries.endUpload(writes, uid, { outcome, expiresAt: this.#expiry() }))
    await this.#removeBytes(ctx, uid)
    return outcome
  }

  async #delete(ctx: RequestContext, uid: string): Promise<void> {
    await this.#removeBytes(ctx, uid)
    await ctx.scope.write(writes => queries.deleteUpload(writes, uid))
  }
}
