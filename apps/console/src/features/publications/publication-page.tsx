import type { PublicationCard } from '@floorcast/contract/publications.ts'
import { IconReplace } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import type { PageAddress } from '../../platform/page-address.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useMayChange } from '../../platform/session.ts'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { DuplicateItem } from '../../ui/duplicate/duplicate-action.tsx'
import { Menu } from '../../ui/overlay/overlays.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ReportLink } from '../../ui/report-link.tsx'
import { publicationFields } from './publication-columns.tsx'
import { publicationQueries, useRenamePublication } from './publications-data.ts'
import { PublicationDevices } from './publication-devices.tsx'
import {
  BulkPublications,
  DuplicatePublication,
  PublicationForm,
  ReplacePlaylist,
} from './publication-dialogs.ts'
import { PublicationStateBadge } from './publication-state-badge.tsx'
import { PublicationStateBar } from './publication-state-bar.tsx'

/** /deployments/publicationsOne/{id}: on or off, since when, and how far its devices are. */
export function PublicationPage() {
  const { uid = '' } = useParams()
  const result = useQuery(publicationQueries.card(uid))
  const rename = useRenamePublication()
  return (
    <DetailPage
      result={result}
      name={publication => publication.name}
      rename={rename}
      status={publication => <PublicationStateBadge publication={publication} />}
      actions={publication => <PublicationActions publication={publication} />}
    >
      {publication => (
        <>
          <PublicationStateBar publication={publication} />
          <PublicationFields publication={publication} />
          <PublicationDevices publication={publication} />
        </>
      )}
    </DetailPage>
  )
}

PublicationPage.prefetch = ({ uid }: PageAddress) => queryClient.prefetchQuery(publicationQueries.card(uid))

function PublicationFields({ publication }: { publication: PublicationCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel>
      <ItemFields fields={publicationFields(t, format)} card={publication} />
    </Panel>
  )
}

function PublicationActions({ publication }: { publication: PublicationCard }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const [isEditing, setIsEditing] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const [isReplacing, setIsReplacing] = useState(false)
  const [isCopying, setIsCopying] = useState(false)
  const mayChange = useMayChange()
  const { mayEdit, mayDelete } = publication.permissions
  return (
    <>
      <ReportLink to={paths.report('r1ext', { playlist: publication.playlist.uid })} />
      {mayEdit && <EditButton label={t('edit')} onClick={() => setIsEditing(true)} />}
      {mayDelete && (
        <MoreMenu label={t('moreActions')} onDelete={() => setIsDeleting(true)}>
          {mayChange && publication.state !== 'disabled' && (
            <Menu.Item
              leftSection={<IconReplace size={16} aria-hidden />}
              onClick={() => setIsReplacing(true)}
            >
              {t('publications:replace.button')}
            </Menu.Item>
          )}
          {mayChange && <DuplicateItem t={t} onClick={() => setIsCopying(true)} />}
        </MoreMenu>
      )}
      {isEditing && <PublicationForm item={publication} onClose={() => setIsEditing(false)} />}
      {isReplacing && <ReplacePlaylist publication={publication} onClose={() => setIsReplacing(false)} />}
      {isCopying && <DuplicatePublication publication={publication} onClose={() => setIsCopying(false)} />}
      {isDeleting && (
        <BulkPublications
          action="delete"
          selection={{ kind: 'some', uids: [publication.uid], count: 1 }}
          item={publication}
          onClose={() => setIsDeleting(false)}
          onDone={() => void navigate(paths.publications)}
        />
      )}
    </>
  )
}
