import type { SavedView } from '@floorcast/contract/saved-views.ts'
import { useTranslate } from '../../../platform/i18n.ts'
import { toastFailure } from '../../../platform/outcomes.ts'
import { toast } from '../../../platform/toasts.ts'
import type { ListControl } from '../use-list.ts'
import { useEditSavedView, useShareSavedView } from './saved-views-data.ts'
import type { ViewContent } from './view-content.ts'

/** The actions of the menu that need no dialog. This hook outlives the menu's items, which go when one is clicked. */
export function useViewActions({ open, link }: Pick<ListControl, 'link' | 'open'>) {
  const { t } = useTranslate()
  const { mutateAsync: edit } = useEditSavedView()
  const { mutateAsync: share } = useShareSavedView()
  const attempt = (work: Promise<unknown>, done: string) =>
    void work.then(
      () => void toast('success', done),
      (error: unknown) => toastFailure(error),
    )
  return {
    save: ({ uid, version, name }: SavedView, content: ViewContent) =>
      attempt(
        edit({ uid, version, ...content }).then(() => open(uid)),
        t('list:views.saved', { name }),
      ),
    share: ({ uid, name, isShared }: SavedView) =>
      attempt(
        share({ uid, isShared: !isShared }),
        t(isShared ? 'list:views.unshared' : 'list:views.nowShared', { name }),
      ),
    copyLink: () => attempt(navigator.clipboard.writeText(link()), t('copied')),
  }
}
