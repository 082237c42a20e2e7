import { outcomes } from '@floorcast/contract/outcomes.ts'
import * as contract from '@floorcast/contract/device-profiles.ts'
import type { Http } from '../../platform/http/http.ts'
import {
  changeProfileState,
  deleteProfile,
  profileTypes,
  readProfileCard,
  listProfiles,
  editProfile,
} from './device-profiles.ts'

export function registerDeviceProfiles(http: Http): void {
  http.forUsers(contract.listProfiles, call => listProfiles(call, call.query))
  http.forUsers(contract.readProfileCard, call => readProfileCard(call, call.params.id))
  http.forUsers(contract.changeProfileState, async call => {
    const { outcome, overrules } = await changeProfileState(call, call.params.id, call.query.from)
    return { code: outcomes[outcome], ...(overrules.length > 0 ? { overrules } : {}) }
  })
  http.forUsers(contract.listProfileTypes, async () => profileTypes())
  http.forUsers(contract.listProfileStates, async () => [
    { state: 'active' as const, code: outcomes.activated },
    { state: 'paused' as const, code: outcomes.disabled },
  ])
  http.done(contract.editProfile, async call => ({ uid: await editProfile(call, call.body) }))
  http.done(contract.deleteProfile, call => deleteProfile(call, call.body.uid))
}
