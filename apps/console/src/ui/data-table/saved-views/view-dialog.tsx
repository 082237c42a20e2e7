import { SavedViewDraft, type ViewedList } from '@floorcast/contract/saved-views.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useTranslate } from '../../../platform/i18n.ts'
import { useMayChange } from '../../../platform/session.ts'
import { toast } from '../../../platform/toasts.ts'
import { ConfirmDialog } from '../../confirm-dialog.tsx'
import type { ListControl } from '../use-list.ts'
import { checkBy, explainFailure } from '../../side-form/field-rules.ts'
import { FormFrame } from '../../side-form/form-frame.tsx'
import { useSavingForm } from '../../side-form/use-saving-form.ts'
import { useAddSavedView, useDeleteSavedView, useEditSavedView } from './saved-views-data.ts'
import type { ViewContent } from './view-content.ts'
import { Modal } from '../../overlay/overlays.tsx'

/** A question of a dialog about a view. */
export type ViewQuestion =
  | { kind: 'add'; list: ViewedList; content: ViewContent }
  | { kind: 'rename'; uid: string; name: string; version: number }
  | { kind: 'delete'; uid: string; name: string; isShared: boolean }

interface ViewDialogProps {
  question: ViewQuestion
  open: ListControl['open']
  onClose: () => void
}

export function ViewDialog({ question, ...props }: ViewDialogProps) {
  return question.kind === 'delete' ? (
    <DeleteDialog question={question} {...props} />
  ) : (
    <NameDialog question={question} {...props} />
  )
}

type Question<Kind extends ViewQuestion['kind']> = Omit<ViewDialogProps, 'question'> & {
  question: Extract<ViewQuestion, { kind: Kind }>
}

function DeleteDialog({ question: { uid, name, isShared }, open, onClose }: Question<'delete'>) {
  const { t } = useTranslate()
  const remove = useDeleteSavedView()
  const confirm = async () => {
    await remove.mutateAsync({ uid })
    open(null)
    void toast('success', t('list:views.deleted', { name }))
  }
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={t('list:views.deleteTitle', { name })}
      confirmLabel={t('list:views.delete')}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t(isShared ? 'list:views.deleteShared' : 'list:views.deleteOwn')}
    </ConfirmDialog>
  )
}

const Values = SavedViewDraft.pick({ name: true, isShared: true })

/** The name of a view, and of a new one whether it is shared. */
function NameDialog({ question, open, onClose }: Question<'add' | 'rename'>) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const save = useSave(question, open)
  const isNew = question.kind === 'add'
  const { form, ...saving } = useSavingForm({
    initial: { name: isNew ? '' : question.name, isShared: false },
    check: checkBy(t, Values),
    save: async values => {
      await save(values)
      onClose()
    },
    explain: error => explainFailure(t, error, ['name']),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(isNew ? 'list:views.add' : 'list:views.rename')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <FormFrame {...saving} saveLabel={t('save')} onCancel={onClose}>
        <TextInput
          label={t('name')}
          description={isNew ? t('list:views.addHint') : undefined}
          required
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        {isNew && mayChange && (
          <Checkbox label={t('list:views.share')} {...form.getInputProps('isShared', { type: 'checkbox' })} />
        )}
      </FormFrame>
    </Modal>
  )
}

function useSave(question: Extract<ViewQuestion, { kind: 'add' | 'rename' }>, open: ListControl['open']) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddSavedView()
  const { mutateAsync: edit } = useEditSavedView()
  return async (values: { name: string; isShared: boolean }) => {
    const { name, isShared } = Values.parse(values)
    if (question.kind === 'rename') {
      await edit({ uid: question.uid, version: question.version, name })
    } else {
      const { uid = null } = await add({ list: question.list, name, isShared, ...question.content })
      open(uid)
    }
    void toast('success', t('list:views.saved', { name }))
  }
}
