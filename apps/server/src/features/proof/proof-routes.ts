import * as contract from '@floorcast/contract/proof.ts'
import type { Context } from '../../context.ts'
import { sendDownload } from '../../platform/http/answer/send-file.ts'
import type { Http } from '../../platform/http/http.ts'
import { readPlays } from '../archive/archive.ts'
import { checkProof, makeProof } from './proof.ts'

export function registerProof(http: Http, context: Context): void {
  http.streamToUsers(contract.downloadProof, async call => {
    // HEAD makes no file, and is refused as GET is.
    if (call.request.method === 'HEAD')
      await readPlays(context, call.scope, reads => checkProof(reads, call.params))
    return sendDownload(call, async () => {
      const asked = { asked: call.params, signal: call.signal }
      const { handle, bytes, manifest } = await makeProof(context, call, asked)
      call.reply.header('content-length', bytes)
      const { filters, period } = manifest
      return {
        mimeType: 'application/zip',
        fileName: `${filters.media.name} proof of play ${period.from} ${period.to}.zip`,
        body: handle.createReadStream({ start: 0 }),
      }
    })
  })
}
