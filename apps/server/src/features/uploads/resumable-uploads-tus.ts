import { AsyncLocalStorage } from 'node:async_hooks'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { Server, Upload, type ServerOptions } from '@tus/server'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { TusLocks } from '../../platform/http/tus-locks.ts'
import { UnfinishedFiles } from '../../platform/storage/unfinished-files.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { beginUpload, findOwnUpload, forgetUpload, type ResumableContext } from './resumable-uploads.ts'
import { makeUploadEnd } from './resumable-uploads-end.ts'
import { toDiskFull, type UploadContext, type UploadTarget } from './uploads.ts'

/** One request while tus works on it. */
interface TusCall {
  /** Null for OPTIONS, which anyone may ask. */
  by: RequestContext | null
  /** Of the upload that the address names. */
  uid: string | null
  /** How it ended. */
  outcome?: Outcome
  /** What a rule of ours threw: tus would make a 500 of it. */
  failure?: unknown
}

/** How long a request that another one waits for may still write. */
const DRAIN_MILLIS = 1000

/** tus with our rules: who calls, and what becomes of the call, travels beside it. */
export function makeTus(parts: UploadContext & { target: UploadTarget }) {
  const calls = new AsyncLocalStorage<TusCall>()
  const current = () => {
    const call = calls.getStore()
    if (!call?.by) throw new Error('tus was asked outside of a call')
    return { call, by: call.by }
  }
  const locks = new TusLocks()
  const unfinished = new UnfinishedFiles(parts.files.unfinishedFolder, {
    get: async uid => asTus(await findOwnUpload(context, current().by, uid)),
    set: async () => {}, // the row is there before tus makes the file
    delete: uid => forgetUpload(current().by, uid),
  })
  const context: ResumableContext = { ...parts, unfinished, isHeld: uid => locks.isHeld(uid) }
  const endUpload = makeUploadEnd(context)

  const options: ServerOptions & { datastore: UnfinishedFiles } = {
    path: '/api/v2/upload',
    datastore: unfinished,
    locker: locks,
    lockDrainTimeout: DRAIN_MILLIS,
    relativeLocation: true,
    namingFunction: () => uuidV7(),
    getFileIdFromRequest: () => current().call.uid ?? undefined,
    onUploadCreate: async (_, { id, size = 0, metadata = {} }) => {
      await beginUpload(context, current().by, { uid: id, sizeBytes: size, metadata })
      return {}
    },
    onUploadFinish: async (_, { id }) => {
      current().call.outcome = await endUpload(current().by, id)
      return { status_code: 200 }
    },
    onResponseError: (_, error) => {
      if (!('status_code' in error)) current().call.failure ??= toDiskFull(error)
      return undefined
    },
  }
  const server = new Server(options)
  return {
    context,
    /** Has tus answer a call. @returns its status, and how the upload ended if it did. @throws what our rules throw */
    ask: async (call: TusCall, ask: (server: Server) => Promise<Response>): Promise<TusEnd> => {
      const work = { ...call }
      try {
        const { status } = await calls.run(work, () => ask(server))
        return { status, outcome: work.outcome ?? null }
      } catch (error) {
        throw work.failure ?? error
      }
    },
  }
}
export type Tus = ReturnType<typeof makeTus>

interface TusEnd {
  status: number
  outcome: Outcome | null
}

function asTus(row: Awaited<ReturnType<typeof findOwnUpload>>): Upload {
  const { uid, sizeBytes, metadata } = row
  return new Upload({ id: uid, size: sizeBytes, metadata, offset: row.outcome ? sizeBytes : 0 })
}
