import * as bulk from '@floorcast/contract/bulk-calls.ts'
import * as credits from '@floorcast/contract/media-credit-calls.ts'
import * as contract from '@floorcast/contract/media.ts'
import type { Context } from '../../context.ts'
import { sendFile } from '../../platform/http/answer/send-file.ts'
import type { Http } from '../../platform/http/http.ts'
import { announcedBytes } from '../../platform/http/receive/input.ts'
import { readLargeBody } from '../../platform/http/receive/large-body.ts'
import { readForm } from '../../platform/http/receive/multipart.ts'
import type { UploadTarget } from '../uploads/uploads.ts'
import * as media from './media.ts'
import { makeLoudnessQueue, makeTagQueue } from './media.ts'
import { importCredits, exportCredits } from './media-credits.ts'
import { makeUploadTarget, uploadForm } from './media-upload.ts'

/** 10,000 rows of the usual length take 3 MB. */
const CREDITS_BYTES = 2 ** 23

function registerCredits(http: Http): void {
  http.streamToUsers(credits.exportCredits, async call =>
    call.reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="credits-${call.params.contentType}.csv"`)
      .send(exportCredits(call, call.params.contentType, call.query)),
  )
  http.forLargeBodies(
    credits.importCredits,
    { read: sent => readLargeBody(credits.importCredits, sent), bodyLimit: CREDITS_BYTES },
    async call => ({ code: 200, ...(await importCredits(call, call.params.contentType, call.body)) }),
  )
}

/** @returns the library as the target of uploads that are sent in pieces */
export function registerMedia(http: Http, context: Context): UploadTarget {
  const { files } = context
  const loudness = makeLoudnessQueue(context)
  const queues = [loudness, makeTagQueue(context)]
  http.app.addHook('onReady', async () => queues.forEach(queue => queue.start()))
  http.shutdown.onLeave(async () => void (await Promise.all(queues.map(queue => queue.stop()))))

  registerCredits(http)
  http.forUsers(contract.listMedia, call => media.listMedia(call, call.params.contentType, call.query))
  http.forUsers(contract.readMedia, call => media.readMedia(call, call.params.contentType, call.params.uid))
  http.forUsers(contract.listMediaPlaylists, call => media.listMediaPlaylists(call, call.params, call.query))
  http.forUsers(contract.listMediaGroups, call => media.listMediaGroups(call, call.params, call.query))
  http.forUsers(contract.uploadMedia, async call => {
    const answer = await uploadForm(context, call, {
      contentType: call.params.contentType,
      parts: readForm(call.request),
      announcedBytes: announcedBytes(call.request),
    })
    loudness.enqueue(call.scope.clientId)
    return answer
  })
  http.done(contract.editMedia, async call => {
    await media.editMedia(call, call.params.contentType, call.body)
    return { uid: call.body.uid }
  })
  http.done(contract.deleteMedia, async call => {
    await media.deleteMedia(call, call.params.contentType, call.body)
    return { uid: call.body.uid }
  })
  http.forUsers(contract.deleteManyMedia, call =>
    media.removeManyMedia(call, call.params.contentType, call.body),
  )
  http.forUsers(bulk.previewManyMedia, call =>
    media.previewManyMedia(call, call.params.contentType, call.body.items),
  )
  http.forUsers(contract.deleteUnusedMedia, call =>
    media.removeManyMedia(call, call.params.contentType, {
      filter: { search: '', used: 'unused' },
      except: [],
    }),
  )
  http.streamToUsers(contract.readMediaFile, async call =>
    sendFile(call, files, await media.getFile(call, call.params.uid)),
  )
  http.streamToUsers(contract.readMediaPreview, async call =>
    sendFile(call, files, await media.getPreview(call, call.params.uid)),
  )
  return makeUploadTarget(context, clientId => loudness.enqueue(clientId))
}
