import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import {
  addSavedView,
  deleteSavedView,
  editSavedView,
  listSavedViews,
  shareSavedView,
  type ViewedList,
} from '@floorcast/contract/saved-views.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, change } from '../../../platform/client.ts'
import { queryKeys } from '../../../platform/query-keys.ts'
import { useChange } from '../../../platform/use-change.ts'

/** The user's own views of a list, and the shared ones. */
export const savedViewsQuery = (list: ViewedList) =>
  queryOptions({
    queryKey: queryKeys.savedViews(list),
    queryFn: ({ signal }) => call(listSavedViews, { params: { list }, signal }),
  })

export const useAddSavedView = () =>
  useChange('view', (body: BodyOf<typeof addSavedView>) => change(addSavedView, { body }))

export const useEditSavedView = () =>
  useChange('view', (body: BodyOf<typeof editSavedView>) => change(editSavedView, { body }))

export const useShareSavedView = () =>
  useChange('view', (body: BodyOf<typeof shareSavedView>) => change(shareSavedView, { body }))

export const useDeleteSavedView = () =>
  useChange('view', (uid: string) => change(deleteSavedView, { body: { uid } }))
