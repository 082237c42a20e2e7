import * as contract from '@floorcast/contract/listening.ts'
import type { Context } from '../../context.ts'
import { sendFile } from '../../platform/http/answer/send-file.ts'
import type { Http } from '../../platform/http/http.ts'
import { notFound } from '../../platform/lib/errors.ts'
import type { Manifests } from '../manifests/manifests.ts'
import { getPublishedFile } from '../media/media.ts'
import { readListening, requireListenable } from './listening.ts'

/** The calls of users who listen in on a device: decision 228. */
export function registerListening(http: Http, context: Context, manifests: Manifests): void {
  http.forUsers(contract.readListening, async call => {
    const request = { uid: call.params.uid, held: call.query.held }
    const state = await readListening(call, manifests, request)
    // The time of the answer: a manifest may have been made meanwhile.
    return { ...state, serverTime: context.now().toISOString() }
  })

  http.streamToUsers(contract.readListeningMedia, async call => {
    const { uid, mediaUid, sha256 } = call.params
    const device = await requireListenable(call, uid)
    if (!(await manifests.mayFetch(device, { uid: mediaUid, sha256 }))) throw notFound()
    return sendFile(call, context.files, await getPublishedFile(call.scope, mediaUid, sha256))
  })
}
