import { Kind } from '@floorcast/contract/fields.ts'
import { PlaylistDraft } from '@floorcast/contract/playlists.ts'
import { SegmentedControl } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { usePlaylistAdd } from './playlist-data.ts'

interface AddPlaylistFormProps {
  isOpen: boolean
  onClose: () => void
  /** The editor of the new playlist comes next. */
  onAdded: (uid: string) => void
}

const initial: { name: string; description: string; kind: Kind } = {
  name: '',
  description: '',
  kind: 'audio',
}
const Draft = PlaylistDraft.extend({ kind: Kind })

/** Makes a simple playlist: empty, paused, of one kind for good. */
export function AddPlaylistForm({ isOpen, onClose, onAdded }: AddPlaylistFormProps) {
  const { t } = useWords()
  const { mutateAsync } = usePlaylistAdd()
  const save = async (values: typeof initial) => {
    const { uid } = await mutateAsync(Draft.parse(values))
    void toast('success', t('playlists:added', { name: values.name.trim() }))
    if (uid) onAdded(uid)
  }
  return (
    <SideForm
      isOpen={isOpen}
      title={t('playlists:add')}
      schema={Draft}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <SegmentedControl
            fullWidth
            aria-label={t('playlists:kind')}
            data={[
              { value: 'audio', label: t('kinds.audio') },
              { value: 'video', label: t('kinds.video') },
            ]}
            {...form.getInputProps('kind')}
          />
          <NameFields form={form} />
        </>
      )}
    </SideForm>
  )
}
