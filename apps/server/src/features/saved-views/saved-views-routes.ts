import * as contract from '@floorcast/contract/saved-views.ts'
import type { Http } from '../../platform/http/http.ts'
import {
  addSavedView,
  changeSavedView,
  deleteSavedView,
  readSavedViews,
  shareSavedView,
} from './saved-views.ts'

export function registerSavedViews(http: Http): void {
  http.forUsers(contract.listSavedViews, call => readSavedViews(call, call.params.list))
  http.forUsers(contract.addSavedView, async call => ({
    code: 200,
    uid: await addSavedView(call, call.body),
  }))
  http.forUsers(contract.editSavedView, async call => {
    await changeSavedView(call, call.body)
    return { code: 200 }
  })
  http.forUsers(contract.shareSavedView, async call => {
    await shareSavedView(call, call.body)
    return { code: 200 }
  })
  http.forUsers(contract.deleteSavedView, async call => {
    await deleteSavedView(call, call.body.uid)
    return { code: 200 }
  })
}
