import { listPublications, type PublicationRow } from '@floorcast/contract/deployments.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { changeEach, gatherUids } from '../../platform/bulk.ts'
import { Refusal, call } from '../../platform/client.ts'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { usePublicationDelete, type KindWord } from './publication-data.ts'

interface DeletePublicationsProps {
  selection: Selection
  only?: Pick<PublicationRow, 'uid' | 'name' | 'state'>
  kind?: KindWord
  query?: QueryOf<typeof listPublications>
  onClose: () => void
  onDeleted: () => void
}

/** Moves publications to the recycle bin; one that is on or waiting stays (SPEC section 8, code 400). */
export function DeletePublications(props: DeletePublicationsProps) {
  const { selection, only, kind = 'all', query, onClose, onDeleted } = props
  const { t } = useWords()
  const { mutateAsync } = usePublicationDelete()
  const remove = async () => {
    const uids =
      selection.kind === 'some'
        ? selection.uids
        : await gatherUids(
            (page, size) => call(listPublications, { params: { x: kind }, query: { ...query, page, size } }),
            selection.except,
          )
    const { done, failed } = await changeEach(uids, uid => mutateAsync(uid))
    if (done.length > 0) {
      onDeleted()
      const count = done.length
      void toast(
        'success',
        only ? t('deployments:deletedOne', { name: only.name }) : t('deployments:deleted', { count }),
      )
    }
    const first = failed[0]
    if (first && uids.length === 1) throw first.error
    if (first) throw new Refusal({ code: 303 })
  }
  const isOn = only !== undefined && only.state !== 'disabled'
  return (
    <ConfirmDialog
      isOpen
      title={t('deployments:delete.title', { count: selection.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {only === undefined
        ? t('deployments:delete.many')
        : t(isOn ? 'deployments:delete.on' : 'deployments:delete.off', { name: only.name })}
    </ConfirmDialog>
  )
}
