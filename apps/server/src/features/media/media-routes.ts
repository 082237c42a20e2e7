import * as contract from '@floorcast/contract/media.ts'
import type { Context } from '../../context.ts'
import { sendFile } from '../../platform/http/deliver-file.ts'
import type { Http } from '../../platform/http/http.ts'
import { readForm } from '../../platform/http/multipart.ts'
import * as media from './media.ts'
import { makeLoudnessQueue } from './media-loudness.ts'
import { registerResumable } from './media-resumable-routes.ts'
import { settleUploads, uploadMedia } from './media-upload.ts'

export async function registerMedia(http: Http, context: Context): Promise<void> {
  const { files, database } = context
  const loudness = makeLoudnessQueue(context)
  await settleUploads(context, database)
  http.app.addHook('onReady', () => loudness.start())
  http.app.addHook('onClose', () => loudness.stop())

  http.forUsers(contract.listMedia, call => media.listMedia(call, call.params.contentType, call.query))
  http.forUsers(contract.readMedia, call => media.readMedia(call, call.params.contentType, call.params.uid))
  http.forUsers(contract.listMediaPlaylists, call => media.listPlaylistsOf(call, call.params, call.query))
  http.forUsers(contract.listMediaGroups, call => media.listGroupsOf(call, call.params, call.query))
  http.forUsers(contract.uploadMedia, async call => {
    const announcedBytes = Number(call.request.headers['content-length'] ?? NaN)
    const answer = await uploadMedia(context, call, {
      contentType: call.params.contentType,
      parts: readForm(call.request),
      announcedBytes: Number.isNaN(announcedBytes) ? null : announcedBytes,
    })
    loudness.look(call.scope.clientId)
    return answer
  })
  registerResumable(http, context, clientId => loudness.look(clientId))
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
  http.deliverToUsers(contract.readMediaFile, async call =>
    sendFile(call, files, await media.findFile(call, call.params.uid)),
  )
  http.deliverToUsers(contract.readMediaPreview, async call =>
    sendFile(call, files, await media.findPreview(call, call.params.uid)),
  )
}
