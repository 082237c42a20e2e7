import * as contract from '@floorcast/contract/media.ts'
import type { Context } from '../../context.ts'
import { sendFile } from '../../platform/http/send-file.ts'
import type { Http } from '../../platform/http/http.ts'
import { announcedBytes, readForm } from '../../platform/http/multipart.ts'
import type { UploadTarget } from '../uploads/uploads.ts'
import * as media from './media.ts'
import { LoudnessQueue } from './media-loudness.ts'
import { makeUploadTarget, uploadForm } from './media-upload.ts'

/** @returns the library as the target of uploads that are sent in pieces */
export function registerMedia(http: Http, context: Context): UploadTarget {
  const { files } = context
  const loudness = new LoudnessQueue(context)
  http.app.addHook('onReady', () => loudness.start())
  http.app.addHook('onClose', () => loudness.stop())

  http.forUsers(contract.listMedia, call => media.listMedia(call, call.params.contentType, call.query))
  http.forUsers(contract.readMedia, call => media.readMedia(call, call.params.contentType, call.params.uid))
  http.forUsers(contract.listMediaPlaylists, call => media.listPlaylistsOf(call, call.params, call.query))
  http.forUsers(contract.listMediaGroups, call => media.listGroupsOf(call, call.params, call.query))
  http.forUsers(contract.uploadMedia, async call => {
    const answer = await uploadForm(context, call, {
      contentType: call.params.contentType,
      parts: readForm(call.request),
      announcedBytes: announcedBytes(call.request),
    })
    loudness.enqueue(call.scope.clientId)
    return answer
  })
  http.forUsers(contract.editMedia, async call => {
    await media.changeMedia(call, call.params.contentType, call.body)
    return { code: 200, uid: call.body.uid }
  })
  http.forUsers(contract.deleteMedia, async call => {
    await media.removeMedia(call, call.params.contentType, call.body)
    return { code: 200, uid: call.body.uid }
  })
  http.forUsers(contract.deleteManyMedia, call =>
    media.removeManyMedia(call, call.params.contentType, call.body),
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
