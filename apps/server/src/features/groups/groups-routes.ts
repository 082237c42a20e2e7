import * as bulk from '@floorcast/contract/bulk-calls.ts'
import * as contract from '@floorcast/contract/groups.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import type { Http } from '../../platform/http/http.ts'
import { copyGroup } from './group-copy.ts'
import { changeManyGroups, previewManyGroups } from './groups-bulk.ts'
import {
  addGroup,
  addToGroup,
  editGroup,
  changeGroupState,
  deleteGroup,
  deleteManyGroups,
  deleteUnusedGroups,
  readGroup,
  listGroups,
  removeFromGroup,
} from './groups.ts'

export function registerGroups(http: Http): void {
  http.forUsers(contract.listGroups, call => listGroups(call, { ...call.query, kind: call.params.x }))
  http.forUsers(contract.readGroup, call => readGroup(call, call.params.id, call.query))
  http.done(contract.addGroup, async call => ({
    uid: await addGroup(call, call.params.contentType, call.body),
  }))
  http.done(contract.copyGroup, async call => ({ uid: await copyGroup(call, call.body) }))
  http.done(contract.editGroup, call => editGroup(call, call.body))
  http.done(contract.deleteGroup, call => deleteGroup(call, call.body.uid))
  http.forUsers(contract.deleteManyGroups, call => deleteManyGroups(call, call.body))
  http.forUsers(bulk.previewManyGroups, call => previewManyGroups(call, call.body))
  http.forUsers(bulk.changeManyGroups, call => changeManyGroups(call, call.body))
  http.forUsers(contract.deleteUnusedGroups, call => deleteUnusedGroups(call))
  http.forUsers(contract.changeGroupState, async call => ({
    code: outcomes[await changeGroupState(call, call.params.id, call.query.from)],
  }))
  http.done(contract.addToGroup, call =>
    addToGroup(call, { deviceUid: call.params.device, groupUid: call.params.group }),
  )
  http.done(contract.removeFromGroup, call =>
    removeFromGroup(call, { deviceUid: call.params.device, groupUid: call.params.group }),
  )
}
