import { Button, Group, Text } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { personalize, usePersonalization } from '../../platform/personalization.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useReadChoices, useSaveProfile } from './account-data.ts'

/**
 * Color, mode and menu of this browser, which can be saved to the profile and taken from it
 * (docs/specification.md#1-what-the-product-does-and-for-whom).
 */
export function PersonalizationPanel() {
  const { t } = useTranslate()
  const chosen = usePersonalization()
  const { uid } = useSignedInUser()
  const save = useSaveProfile()
  const take = useReadChoices(uid)
  const saveChoice = () =>
    save.mutate(chosen, {
      onSuccess: () => void toast('success', t('account:personalSaved')),
      onError: error => toastFailure(error),
    })
  const takeChoice = () =>
    take.mutate(undefined, { onSuccess: personalize, onError: error => toastFailure(error) })
  return (
    <Panel title={t('account:personal')}>
      <Fields>
        <Field label={t('shell:settings.color')}>{t(`shell:settings.colors.${chosen.color}`)}</Field>
        <Field label={t('account:mode')}>{t(`shell:settings.modes.${chosen.mode}`)}</Field>
        <Field label={t('account:menu')}>{t(`account:menus.${chosen.menuType}`)}</Field>
      </Fields>
      <Text c="dimmed" size="sm" my="md">
        {t('account:personalText')}
      </Text>
      <Group gap="xs">
        <Button loading={save.isPending} onClick={saveChoice}>
          {t('account:savePersonal')}
        </Button>
        <Button variant="default" loading={take.isPending} onClick={takeChoice}>
          {t('account:takePersonal')}
        </Button>
      </Group>
    </Panel>
  )
}
