import { outcomes, type Outcome } from '@floorcast/contract/outcomes.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { notFound, OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import {
  findOwnUpload,
  forgetUpload,
  lifeFrom,
  readMetadata,
  type ResumableContext,
} from './resumable-uploads.ts'
import { endUpload as writeEnd, findUpload, type UploadRow } from './uploads-queries.ts'

/** Ends whole uploads, each once however many ask at once. */
export type EndUpload = (ctx: RequestContext, uid: string) => Promise<Outcome>

/** Makes the one that judges, stores and answers uploads whose last byte has come. */
export function makeUploadEnd(context: ResumableContext): EndUpload {
  const running = new Map<string, Promise<Outcome>>()
  return (ctx, uid) => {
    const begun = running.get(uid)
    if (begun) return begun
    const ending = endOnce(context, ctx, uid).finally(() => running.delete(uid))
    running.set(uid, ending)
    return ending
  }
}

async function endOnce(context: ResumableContext, ctx: RequestContext, uid: string): Promise<Outcome> {
  const upload = await findOwnUpload(context, ctx, uid)
  if (upload.outcome) return upload.outcome as Outcome
  try {
    const outcome = await storeWhole(context, ctx, upload)
    // The bytes have another name now; should this one stay, it goes with the next sweep.
    await context.unfinished.removeBytes(uid).catch((error: unknown) => {
      context.log.warn({ err: error }, 'upload not tidied')
    })
    return outcome
  } catch (error) {
    return await endRefused(context, ctx, { uid, error })
  }
}

/** Judges and stores; the item and the upload's end are one transaction. */
async function storeWhole(
  context: ResumableContext,
  ctx: RequestContext,
  upload: UploadRow,
): Promise<Outcome> {
  const { files, unfinished, target } = context
  const { uid, sizeBytes } = upload
  const received = await files.adopt(unfinished.pathOf(uid), await unfinished.hashOf(uid, sizeBytes))
  try {
    const within = async (writes: Writes, outcome: Outcome) => {
      // Cancelled meanwhile, or ended by another server: nothing is stored.
      if (!(await writeEnd(writes, uid, { outcome, expiresAt: lifeFrom(context.now()) }))) throw notFound()
    }
    return await target.store(ctx, readMetadata(upload), { received, within })
  } finally {
    await files.discard(received)
  }
}

/** A refusal is kept as the upload's end; any other error leaves the bytes for the next try. */
async function endRefused(
  context: ResumableContext,
  ctx: RequestContext,
  { uid, error }: { uid: string; error: unknown },
): Promise<Outcome> {
  const { unfinished } = context
  const upload = await findUpload(ctx.scope.reads, { uid, userUid: ctx.session.userUid, now: context.now() })
  if (upload?.outcome) return upload.outcome as Outcome
  const isGone = upload === null || (error instanceof ProblemError && error.status === 404)
  if (isGone) {
    await forgetUpload(ctx, uid)
    await unfinished.removeBytes(uid)
    throw notFound()
  }
  if (!(error instanceof OutcomeError)) throw error
  const outcome: Outcome = { code: outcomes[error.outcome], ...error.details }
  await ctx.scope.write(writes => writeEnd(writes, uid, { outcome, expiresAt: lifeFrom(context.now()) }))
  await unfinished.removeBytes(uid)
  return outcome
}
