import { changeManyGroups, previewManyGroups, type EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { Kind, type KindFilter } from '@floorcast/contract/fields.ts'
import { GroupDraft, type GroupCard, listGroups, type GroupRow } from '@floorcast/contract/groups.ts'
import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { z } from 'zod'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { editConfirm, oppositeOf } from '../../ui/bulk/edit-actions.ts'
import { useUndoOf } from '../../ui/bulk/use-undo.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { DuplicateDialog } from '../../ui/duplicate/duplicate-dialog.tsx'
import { ItemForm, type ItemFormProps, valuesOf } from '../../ui/side-form/item-form.tsx'
import { KindField } from '../../ui/side-form/kind-field.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { useAddGroup, useEditGroup, useCopyGroup } from './groups-data.ts'

const Values = GroupDraft.extend({ kind: Kind, version: z.int() })
const blank = { name: '', description: '', kind: 'audio' as Kind, version: 0 }

/** Adds a group or edits a paused one. A group's kind is chosen once; a concurrent change is not overwritten. */
export function GroupForm(props: ItemFormProps<GroupCard>) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddGroup()
  const { mutateAsync: edit } = useEditGroup()
  const { item } = props
  return (
    <ItemForm
      {...props}
      title={t(item ? 'groups:edit' : 'groups:add')}
      schema={Values}
      initial={valuesOf(blank, item)}
      add={values => add({ ...GroupDraft.parse(values), contentType: values.kind })}
      edit={(values, { uid }) => edit({ uid, ...GroupDraft.parse(values), version: values.version })}
      addedText={({ name }) => t('groups:added', { name })}
    >
      {form => (
        <>
          {!item && (
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
    </ItemForm>
  )
}

/** Copies a group without its devices: a device is in one group only. */
export function DuplicateGroup({ group, onClose }: { group: GroupRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync: copy } = useCopyGroup()
  return (
    <DuplicateDialog
      noun="group"
      name={group.name}
      text={t('groups:copyHas')}
      find={(query, signal) => call(listGroups, { params: { x: 'all' }, query, signal })}
      make={async name => (await copy({ uid: group.uid, name })).uid ?? ''}
      to={paths.group}
      onClose={onClose}
    />
  )
}

interface BulkGroupsProps {
  action: EditAction
  selection: Selection
  /** A single group, of its own menu; null for a selection. */
  item: Pick<GroupRow, 'name' | 'deviceCount'> | null
  kind?: KindFilter
  query?: QueryOf<typeof listGroups>
  onClose: () => void
  onDone: () => void
}

/** Activates, pauses or deletes groups. One that a publication names is not deleted (docs/specification.md#8-error-catalogue, code 409). */
export function BulkGroups(props: BulkGroupsProps) {
  const { action, selection, item, kind = 'all', query, onClose, onDone } = props
  const { t } = useTranslate()
  const undoOf = useUndoOf()
  const filter = useMemo(() => ({ ...query, kind }), [query, kind])
  const { count } = selection
  const isDelete = action === 'delete'
  const opposite = oppositeOf(action)
  const undo = opposite
    ? undoOf.call('group', uids => call(changeManyGroups, { body: { items: { uids }, action: opposite } }))
    : undoOf.restore('groups')
  const doneText = (done: number) => {
    if (action !== 'delete') return t(`bulk:groups.${action}.done`, { count: done })
    return item && done === 1
      ? t('groups:deletedOne', { name: item.name })
      : t('groups:deleted', { count: done })
  }
  const describeDelete = (planned: number) =>
    item
      ? t('groups:delete.text', { name: item.name, count: item.deviceCount })
      : t('bulk:binned', { count: planned })
  return (
    <BulkDialog
      title={
        action === 'delete'
          ? t('groups:delete.title', { count })
          : t(`bulk:groups.${action}.title`, { count })
      }
      confirmLabel={editConfirm(t, action)}
      isDanger={isDelete}
      selection={selection}
      filter={filter}
      calls={{
        entity: 'group',
        key: action,
        removes: action === 'delete',
        preview: items => call(previewManyGroups, { body: { items, action } }),
        run: items => call(changeManyGroups, { body: { items, action } }),
      }}
      doneText={doneText}
      undo={undo}
      consequence={isDelete && !item && t('groups:delete.many')}
      describe={isDelete ? describeDelete : undefined}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
