import { listPublications, readPublication, type PublicationRow } from '@floorcast/contract/publications.ts'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DuplicateDialog } from '../../ui/duplicate/duplicate-dialog.tsx'
import { useAddPublication } from './publications-data.ts'

/** Adds a publication of the same playlist to the same group, turned off. */
export function DuplicatePublication({
  publication,
  onClose,
}: {
  publication: PublicationRow
  onClose: () => void
}) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddPublication()
  const copy = async (name: string) => {
    const { kind, description, group, playlist } = await call(readPublication, {
      params: { id: publication.uid },
    })
    return add({ kind, name, description, groupUid: group.uid, playlistUid: playlist.uid })
  }
  return (
    <DuplicateDialog
      noun="publication"
      name={publication.name}
      text={t('publications:copyHas')}
      find={(query, signal) => call(listPublications, { params: { x: 'all' }, query, signal })}
      make={async name => (await copy(name)).uid ?? ''}
      to={paths.publication}
      onClose={onClose}
    />
  )
}
