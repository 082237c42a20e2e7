import * as bulk from '@floorcast/contract/bulk-calls.ts'
import * as contract from '@floorcast/contract/publications.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import * as publishing from '@floorcast/contract/publish.ts'
import type { Http } from '../../platform/http/http.ts'
import { selectGroups } from '../groups/groups.ts'
import { selectPlaylists } from '../playlists/playlists.ts'
import {
  changeManyPublications,
  previewManyPublications,
  addPublication,
  editPublication,
  deletePublication,
  deleteManyPublications,
  deleteUnusedPublications,
  readPublication,
  listPublicationDevices,
  listPublications,
} from './publications.ts'
import { pickedStartOf } from './publication-eligibility.ts'
import { replacePublicationPlaylist, returnPublicationPlaylist } from './publication-replace.ts'
import { changePublicationState, delayPublication } from './publication-states.ts'
import { previewPublish } from './publish-plan.ts'
import { publish } from './publish.ts'

export function registerPublications(http: Http): void {
  http.forUsers(contract.listPublications, call =>
    listPublications(call, { ...call.query, kind: call.params.x }),
  )
  http.forUsers(contract.readPublication, call => readPublication(call, call.params.id))
  http.forUsers(contract.listPublicationDevices, call =>
    listPublicationDevices(call, call.params.id, call.query),
  )
  http.done(contract.addPublication, async call => ({
    uid: await addPublication(call, call.params.contentType, call.body),
  }))
  http.done(contract.editPublication, call => editPublication(call, call.body))
  http.done(contract.deletePublication, call => deletePublication(call, call.body.uid))
  http.forUsers(contract.deleteManyPublications, call => deleteManyPublications(call, call.body))
  http.forUsers(bulk.previewManyPublications, call => previewManyPublications(call, call.body))
  http.forUsers(bulk.changeManyPublications, call => changeManyPublications(call, call.body))
  http.forUsers(contract.deleteUnusedPublications, call => deleteUnusedPublications(call))
  http.forUsers(contract.changePublicationState, async call => ({
    code: outcomes[await changePublicationState(call, call.params.id, call.query.from)],
  }))
  http.forUsers(contract.delayPublication, async call => ({
    code: outcomes[await delayPublication(call, call.params.uid, pickedStartOf(call.params.startdatetime))],
  }))
  http.forUsers(contract.replacePublicationPlaylist, async call => {
    await replacePublicationPlaylist(call, { ...call.params, ...call.query }, call.body.playlistUid)
    return { code: outcomes.activated }
  })
  http.forUsers(contract.returnPublicationPlaylist, async call => {
    await returnPublicationPlaylist(call, { ...call.params, ...call.query })
    return { code: outcomes.activated }
  })
  http.forUsers(publishing.previewPublish, call => previewPublish(call, call.body))
  http.forUsers(publishing.publish, async call => ({
    code: outcomes.activated,
    uid: await publish(call, call.body),
  }))
  http.forUsers(contract.selectGroups, call => selectGroups(call.scope.reads, call.params.x))
  http.forUsers(contract.selectPlaylists, call => selectPlaylists(call.scope.reads, call.params.x))
}
