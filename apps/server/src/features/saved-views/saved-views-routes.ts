import * as contract from '@floorcast/contract/saved-views.ts'
import type { Http } from '../../platform/http/http.ts'
import {
  addSavedView,
  editSavedView,
  deleteSavedView,
  listSavedViews,
  shareSavedView,
} from './saved-views.ts'

export function registerSavedViews(http: Http): void {
  http.forUsers(contract.listSavedViews, call => listSavedViews(call, call.params.list))
  http.done(contract.addSavedView, async call => ({
    uid: await addSavedView(call, call.body),
  }))
  http.done(contract.editSavedView, call => editSavedView(call, call.body))
  http.done(contract.shareSavedView, call => shareSavedView(call, call.body))
  http.done(contract.deleteSavedView, call => deleteSavedView(call, call.body.uid))
}
