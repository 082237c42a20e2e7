import { Kind } from '@floorcast/contract/fields.ts'
import { GroupDraft, type GroupCard } from '@floorcast/contract/groups.ts'
import { Text } from '@mantine/core'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { KindField } from '../../ui/side-form/kind-field.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useAddGroup, useEditGroup } from './groups-data.ts'

interface GroupFormProps {
  /** The group to edit; without it the form adds one. */
  group?: GroupCard
  isOpen: boolean
  onClose: () => void
  onAdded?: (uid: string) => void
}

const Values = GroupDraft.extend({ kind: Kind, version: z.int() })
const blank = { name: '', description: '', kind: 'audio' as Kind, version: 0 }

/** Adds a group or edits a paused one. A group's kind is chosen once; a concurrent change is not overwritten. */
export function GroupForm({ group, isOpen, onClose, onAdded }: GroupFormProps) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddGroup()
  const { mutateAsync: edit } = useEditGroup()
  const initial = group
    ? {
        name: group.name,
        description: group.description,
        kind: group.kind,
        // That of the opened form. The page behind it follows what others change.
        version: group.version,
      }
    : blank
  const save = async (values: typeof initial) => {
    const { kind, version, ...draft } = Values.parse(values)
    if (group) {
      await edit({ uid: group.uid, version, ...draft })
      void toast('success', t('saved'))
      return
    }
    const { uid } = await add({ ...draft, kind })
    void toast('success', t('groups:added', { name: draft.name }))
    if (uid) onAdded?.(uid)
  }
  return (
    <SideForm
      isOpen={isOpen}
      title={group ? t('groups:edit') : t('groups:add')}
      schema={Values}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          {!group && (
            <>
              <KindField label={t('groups:columns.kind')} field={form.getInputProps('kind')} />
              <Text size="sm" c="dimmed">
                {t('groups:kindHint')}
              </Text>
            </>
          )}
          <NameFields form={form} />
        </>
      )}
    </SideForm>
  )
}
