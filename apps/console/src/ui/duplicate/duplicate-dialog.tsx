import { Name } from '@floorcast/contract/fields.ts'
import { freeCopyName } from '@floorcast/contract/names.ts'
import { Skeleton, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { queryKeys, type CopiedNoun } from '../../platform/query-keys.ts'
import { toast } from '../../platform/toasts.ts'
import { Modal } from '../overlay/overlays.tsx'
import { checkBy, explainFailure } from '../side-form/field-rules.ts'
import { FormFrame } from '../side-form/form-frame.tsx'
import { useSavingForm } from '../side-form/use-saving-form.ts'

const Values = z.object({ name: Name })

interface DuplicateDialogProps {
  noun: CopiedNoun
  /** The name of the original. */
  name: string
  /** Says what the copy has and what it lacks. */
  text: string
  /** Finds items like the original by words of their names. */
  find: (
    query: { search: string; size: number },
    signal: AbortSignal,
  ) => Promise<{ items: readonly { name: string }[] }>
  /** Makes the copy. @returns its uid */
  make: (name: string) => Promise<string>
  /** The page of the copy. */
  to: (uid: string) => string
  onClose: () => void
}

/** Asks for the name of a copy, proposes one that is free, makes the copy and leads to it. */
export function DuplicateDialog(props: DuplicateDialogProps) {
  const { t } = useTranslate()
  const { name, find, onClose } = props
  const ending = t('shell:duplicate.ending')
  const taken = useQuery({
    queryKey: queryKeys.copies(props.noun, name),
    queryFn: ({ signal }) => find({ search: `"${freeCopyName(name, ending, [])}"`, size: 200 }, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('shell:duplicate.title', { name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {taken.isPending ? (
        <Skeleton height={120} />
      ) : (
        <CopyForm
          {...props}
          proposed={freeCopyName(
            name,
            ending,
            (taken.data?.items ?? []).map(item => item.name),
          )}
        />
      )}
    </Modal>
  )
}

function CopyForm({ proposed, text, make, to, onClose }: DuplicateDialogProps & { proposed: string }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { form, ...saving } = useSavingForm({
    initial: { name: proposed },
    check: checkBy(t, Values),
    save: async values => {
      const { name } = Values.parse(values)
      const uid = await make(name)
      onClose()
      void toast('success', t('shell:duplicate.done', { name }))
      void navigate(to(uid))
    },
    explain: error => explainFailure(t, error, ['name']),
  })
  return (
    <FormFrame {...saving} saveLabel={t('shell:duplicate.button')} onCancel={onClose}>
      <TextInput
        label={t('name')}
        required
        data-autofocus
        ref={selectAll}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      <Text size="sm" role="status">
        {saving.isBusy && t('shell:duplicate.waiting')}
      </Text>
    </FormFrame>
  )
}

/** The proposed name is there to be typed over. */
function selectAll(input: HTMLInputElement | null): void {
  input?.focus()
  input?.select()
}
