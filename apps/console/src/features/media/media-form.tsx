import { formatIsrc } from '@floorcast/contract/media-credits.ts'
import { editMedia, type MediaRow } from '@floorcast/contract/media.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { CreditInputs } from './credit-fields.tsx'
import { useEditMedia } from './media-data.ts'

interface MediaFormProps {
  /**
   * The item to edit; null while the form is closed. A card brings `version`, so that a stale edit is refused.
   */
  media: (MediaRow & { version?: number; invalidIsrc?: string }) | null
  onClose: () => void
}

/** Edits the name, description and credits of a media item. */
export function MediaForm({ media, onClose }: MediaFormProps) {
  if (!media) return null
  return <OpenMediaForm media={media} onClose={onClose} />
}

function OpenMediaForm({
  media,
  onClose,
}: {
  media: NonNullable<MediaFormProps['media']>
  onClose: () => void
}) {
  const { t } = useTranslate()
  const save = useEditMedia(media.contentType)
  const { uid, name, description, artist, title, isrc, composer, publisher, version } = media
  const credits = { artist, title, isrc: formatIsrc(isrc), composer, publisher }
  return (
    <SideForm
      isOpen
      title={t('media:editTitle')}
      schema={editMedia.body}
      initial={{ uid, name, description, ...credits, ...(version === undefined ? {} : { version }) }}
      onSave={async values => {
        await save.mutateAsync(values)
        void toast('success', t('media:saved', { name: values.name }))
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <NameFields form={form} />
          <CreditInputs form={form} invalidIsrc={media.invalidIsrc ?? ''} />
        </>
      )}
    </SideForm>
  )
}
