import { isAd, kindOfMedia, type MediaCard, type MediaType } from '@floorcast/contract/media.ts'
import { Text, Button, FileButton } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import type { PageComponent } from '../../platform/page-address.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { sentenceGap } from '../../platform/sentences.ts'
import { useMarkStale } from '../../platform/use-change.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { PageTabs } from '../../ui/detail/page-tabs.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { onDemand } from '../../ui/overlay/on-demand.tsx'
import { Panel } from '../../ui/panel.tsx'
import { queueUploads } from '../../ui/upload/upload-store.ts'
import { mediaFields } from './media-columns.tsx'
import { mediaQueries, useRenameMedia } from './media-data.ts'
import { DeleteMedia, MediaForm } from './media-dialogs.ts'
import { acceptedFiles } from './media-drop.tsx'
import { SoundPlayer } from './sound-player.tsx'
import { VideoPlayer } from './video-player.tsx'

/* The tabs that the page does not begin with. */
const MediaDelivery = onDemand(async () => (await import('./media-tabs.tsx')).MediaDelivery)
const MediaUsage = onDemand(async () => (await import('./media-tabs.tsx')).MediaUsage)

/** The page of one media item: player, fields, usage, actions. */
function MediaPage({ contentType }: { contentType: MediaType }) {
  const { uid = '' } = useParams()
  const result = useQuery(mediaQueries.card({ contentType, uid }))
  const rename = useRenameMedia(contentType)
  return (
    <DetailPage
      result={result}
      name={media => media.name}
      rename={rename}
      actions={media => <MediaActions media={media} />}
    >
      {media => (
        <>
          {kindOfMedia(contentType) === 'video' ? (
            <VideoPlayer media={media} />
          ) : (
            <SoundPlayer media={media} />
          )}
          <MediaTabs media={media} />
        </>
      )}
    </DetailPage>
  )
}

/** The facts of a media item and its file. */
function MediaFacts({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel>
      <ItemFields fields={mediaFields(t, format, media.contentType)} card={media} />
      <Text c="dimmed" size="xs" mt="md" mb={4}>
        {t('media:hash')}
      </Text>
      <CopyField label={t('media:hash')} text={media.hash} isShort />
    </Panel>
  )
}

function MediaTabs({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  return (
    <PageTabs
      label={media.name}
      tabs={[
        { id: 'about', label: t('media:about'), content: <MediaFacts media={media} /> },
        ...(isAd(media.contentType)
          ? [
              {
                id: 'delivery',
                label: t('media:delivery.tab'),
                content: <MediaDelivery media={media} />,
              },
            ]
          : []),
        {
          id: 'playlists',
          label: t('media:usedIn.playlists', { count: media.usedInPlaylists }),
          content: <MediaUsage media={media} where="playlists" />,
        },
        {
          id: 'groups',
          label: t('media:usedIn.groups', { count: media.usedInGroups }),
          content: <MediaUsage media={media} where="groups" />,
        },
      ]}
    />
  )
}

function MediaActions({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const [isEditing, setIsEditing] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const { mayEdit, mayDelete } = media.permissions
  return (
    <>
      {mayEdit && <MediaReplace media={media} />}
      {mayEdit && <EditButton label={t('edit')} onClick={() => setIsEditing(true)} />}
      {mayDelete && <MoreMenu label={t('moreActions')} onDelete={() => setIsDeleting(true)} />}
      {isEditing && <MediaForm media={media} onClose={() => setIsEditing(false)} />}
      {isDeleting && (
        <DeleteMedia
          contentType={media.contentType}
          selection={{ kind: 'some', uids: [media.uid], count: 1 }}
          item={media}
          onClose={() => setIsDeleting(false)}
          onDone={() => void navigate(paths.media(media.contentType))}
        />
      )}
    </>
  )
}

function pageOf(contentType: MediaType): PageComponent {
  const Page: PageComponent = () => <MediaPage contentType={contentType} />
  Page.prefetch = ({ uid }) => queryClient.prefetchQuery(mediaQueries.card({ contentType, uid }))
  return Page
}

/** /media/videosOne/{id} */
export const VideoPage = pageOf('videos')
/** /media/videosAdsOne/{id} */
export const VideoAdPage = pageOf('videosAds')
/** /media/adsOne/{id} */
export const AdPage = pageOf('ads')
/** /media/melodiesOne/{id} */
export const MelodyPage = pageOf('melodies')

/** Replaces the file of an item: its version grows, and playlists that contain it follow. */
function MediaReplace({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const markStale = useMarkStale('media')
  const [file, setFile] = useState<File | null>(null)
  const { contentType, uid } = media
  const replace = async () => {
    if (file) queueUploads([file], { contentType, uid }, () => void markStale())
  }
  return (
    <>
      <FileButton accept={acceptedFiles(contentType)} onChange={setFile}>
        {props => (
          <Button {...props} variant="default" leftSection={<IconFileUpload size={16} aria-hidden />}>
            {t('media:replace')}
          </Button>
        )}
      </FileButton>
      <ConfirmDialog
        isOpen={file !== null}
        title={t('media:replaceTitle', { name: media.name })}
        confirmLabel={t('media:replace')}
        onConfirm={replace}
        onClose={() => setFile(null)}
      >
        {t('media:replaceText', { file: file?.name ?? '' })}
        {sentenceGap()}
        {media.usedInPlaylists > 0 && t('media:replaceFollow', { count: media.usedInPlaylists })}
      </ConfirmDialog>
    </>
  )
}
