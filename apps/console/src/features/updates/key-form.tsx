import { UpdateKey } from '@floorcast/contract/update-signing.ts'
import { Alert, Text, TextInput } from '@mantine/core'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useSetUpdateKey } from './updates-data.ts'

const Values = z.object({ publicKey: UpdateKey })
const makeKey = 'npm run sign-update -- --make-key'

/** Sets the client's public key, or replaces it. @param former the present key; null without one */
export function KeyForm({ former, onClose }: { former: string | null; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync } = useSetUpdateKey()
  const save = async (values: z.infer<typeof Values>) => {
    await mutateAsync(Values.parse(values).publicKey)
    void toast('success', t('updates:key.done'))
  }
  return (
    <SideForm
      isOpen
      title={t(former === null ? 'updates:key.set' : 'updates:key.replace')}
      schema={Values}
      initial={{ publicKey: '' }}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <Text size="sm">{t('updates:key.howTo')}</Text>
          <CopyField label={t('updates:key.command')} text={makeKey} />
          {former !== null && <Alert color="amber">{t('updates:key.replaceText')}</Alert>}
          <TextInput
            label={t('updates:key.label')}
            description={t('updates:key.hint')}
            required
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            {...form.getInputProps('publicKey')}
          />
        </>
      )}
    </SideForm>
  )
}
