import * as contract from '@floorcast/contract/uploads.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import type { Http, UserCall } from '../../platform/http/http.ts'
import { askTus } from '../../platform/http/tus-answer.ts'
import { extendUpload, findOwnUpload, lifeFrom, type ResumableContext } from './resumable-uploads.ts'
import { startUploadSweep } from './resumable-uploads-sweep.ts'
import { makeTus, type Tus } from './resumable-uploads-tus.ts'
import { cleanUpUploads, type UploadTarget } from './uploads.ts'

/** While bytes come, an upload's life is renewed so often. */
const RENEWAL_MILLIS = 10 * 60_000

/** Registers uploads that are sent in pieces to a target. */
export async function registerUploads(http: Http, context: Context, target: UploadTarget): Promise<void> {
  await cleanUpUploads(context, context.database)
  const tus = makeTus({ ...context, target })
  const { app } = http
  let endSweep = async () => {}
  app.addHook('onReady', async () => {
    endSweep = startUploadSweep(tus.context)
  })
  app.addHook('onClose', () => endSweep())

  // What the server can do, asked before anyone signs in (tus 1.0.0, OPTIONS).
  for (const url of ['/api/v2/upload/', '/api/v2/upload/:uid'])
    app.options(url, async (request, reply) => {
      const { status } = await tus.ask({ by: null, uid: null }, server => askTus(server, request, reply))
      return reply.code(status).send()
    })
  http.deliverToUsers(contract.beginUpload, async call => {
    const { status } = await ask(tus, call, null)
    const expiresAt = lifeFrom(context.now()).toUTCString()
    return call.reply.code(status).header('upload-expires', expiresAt).send()
  })
  for (const endpoint of [contract.followUpload, contract.cancelUpload])
    http.deliverToUsers(endpoint, async call => {
      await findOwnUpload(tus.context, call, call.params.uid)
      const { status } = await ask(tus, call, call.params.uid)
      return call.reply.code(status).send()
    })
  http.deliverToUsers(contract.continueUpload, async call => {
    const outcome = await continueUpload(tus, call)
    if (!outcome) return call.reply.code(204).send()
    return sendEnd(call, outcome)
  })
}

type Call = Pick<
  UserCall<typeof contract.beginUpload>,
  'scope' | 'session' | 'now' | 'requestId' | 'request' | 'reply'
>
type Continuing = UserCall<typeof contract.continueUpload>

const ask = (tus: Tus, ctx: Call, uid: string | null) =>
  tus.ask({ by: ctx, uid }, server => askTus(server, ctx.request, ctx.reply))

function sendEnd({ request, reply }: Continuing, outcome: Outcome): FastifyReply {
  request.note.outcome = outcome.code
  return reply
    .code(200)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ data: outcome }))
}

/** Takes bytes. @returns how the upload ended, if these were its last; null while some are missing */
async function continueUpload(tus: Tus, call: Continuing): Promise<Outcome | null> {
  const { reply, request } = call
  const { uid } = call.params
  const upload = await findOwnUpload(tus.context, call, uid)
  if (upload.outcome && request.headers['upload-offset'] === String(upload.sizeBytes)) {
    reply.header('tus-resumable', '1.0.0').header('upload-offset', String(upload.sizeBytes))
    return upload.outcome as unknown as Outcome
  }
  if (!upload.outcome) await extendUpload(tus.context, call, uid)
  const renewal = setInterval(() => renew(tus.context, call), RENEWAL_MILLIS)
  try {
    const { outcome } = await ask(tus, call, uid)
    if (outcome) return outcome
  } finally {
    clearInterval(renewal)
  }
  reply.header('upload-expires', (await extendUpload(tus.context, call, uid)).toUTCString())
  return null
}

function renew(context: ResumableContext, call: Continuing): void {
  extendUpload(context, call, call.params.uid).catch((error: unknown) => {
    context.log.warn({ err: error }, 'upload not renewed')
  })
}
