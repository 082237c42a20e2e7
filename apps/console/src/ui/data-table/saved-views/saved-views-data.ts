import {
  addSavedView,
  deleteSavedView,
  editSavedView,
  listSavedViews,
  shareSavedView,
  type ViewedList,
} from '@floorcast/contract/saved-views.ts'
import { callQuery } from '../../../platform/call-query.ts'
import { queryKeys } from '../../../platform/query-keys.ts'
import { changeHook } from '../../../platform/use-change.ts'

/** The user's own views of a list, and the shared ones. */
export const savedViewsQuery = (list: ViewedList) =>
  callQuery(queryKeys.savedViews(list), listSavedViews, { params: { list } })

export const useAddSavedView = changeHook('view', addSavedView)
export const useEditSavedView = changeHook('view', editSavedView)
export const useShareSavedView = changeHook('view', shareSavedView)
export const useDeleteSavedView = changeHook('view', deleteSavedView)
