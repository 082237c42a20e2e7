import * as bulk from '@floorcast/contract/bulk-calls.ts'
import * as contract from '@floorcast/contract/publications.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import * as publishing from '@floorcast/contract/publish.ts'
import type { Http } from '../../platform/http/http.ts'
import { readPickableGroups } from '../groups/groups.ts'
import { readPickablePlaylists } from '../playlists/playlists.ts'
import { changeManyPublications, previewManyPublications } from './publications-bulk.ts'
import {
  addPublication,
  changePublication,
  deletePublication,
  deletePublications,
  deleteUnusedPublications,
  readPublicationCard,
  readPublicationDevices,
  readPublications,
} from './publications.ts'
import { pickedStartOf } from './publication-eligibility.ts'
import { replacePlaylist, returnPlaylist } from './publication-replace.ts'
import { changePublicationState, delayPublication } from './publication-states.ts'
import { previewPublish } from './publish-plan.ts'
import { publish } from './publish.ts'

export function registerPublications(http: Http): void {
  http.forUsers(contract.listPublications, call =>
    readPublications(call, { ...call.query, kind: call.params.x }),
  )
  http.forUsers(contract.readPublication, call => readPublicationCard(call, call.params.id))
  http.forUsers(contract.listPublicationDevices, call =>
    readPublicationDevices(call, call.params.id, call.query),
  )
  http.done(contract.addPublication, async call => ({
    uid: await addPublication(call, call.params.contentType, call.body),
  }))
  http.done(contract.editPublication, call => changePublication(call, call.body))
  http.done(contract.deletePublication, call => deletePublication(call, call.body.uid))
  http.forUsers(contract.deleteManyPublications, call => deletePublications(call, call.body))
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
    await replacePlaylist(call, { ...call.params, ...call.query }, call.body.playlistUid)
    return { code: outcomes.activated }
  })
  http.forUsers(contract.returnPublicationPlaylist, async call => {
    await returnPlaylist(call, { ...call.params, ...call.query })
    return { code: outcomes.activated }
  })
  http.forUsers(publishing.previewPublish, call => previewPublish(call, call.body))
  http.forUsers(publishing.publish, async call => ({
    code: outcomes.activated,
    uid: await publish(call, call.body),
  }))
  http.forUsers(contract.selectGroups, call => readPickableGroups(call.scope.reads, call.params.x))
  http.forUsers(contract.selectPlaylists, call => readPickablePlaylists(call.scope.reads, call.params.x))
}
