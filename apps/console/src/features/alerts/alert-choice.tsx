import { AlertKind } from '@floorcast/contract/alert-kind.ts'
import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { chosenOf, type AlertDraft } from './alert-draft.ts'
import { focusFirst } from './focus-first.ts'
import { AlertTargetField } from './alert-target-field.tsx'
import { nameTarget } from './alert-words.ts'
import { alertQueries } from './alerts-data.ts'

interface AlertChoiceProps {
  draft: AlertDraft
  /** The page has named the target. */
  isTargetGiven: boolean
  change: (some: Partial<AlertDraft>) => void
  onCancel: () => void
  onChosen: () => void
}

/** The first step: where, which kind, drill or real. */
export function AlertChoice({ draft, isTargetGiven, change, onCancel, onChosen }: AlertChoiceProps) {
  const { t } = useTranslate()
  const [isChecked, setIsChecked] = useState(false)
  const { target, kind, isDrill } = draft
  const missing = (value: unknown) => isChecked && value === null && t('alerts:begin.choose')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (chosenOf(draft)) onChosen()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        {isTargetGiven && target !== null ? (
          <GivenTarget uid={target} />
        ) : (
          <AlertTargetField
            value={target}
            onChange={uid => change({ target: uid })}
            error={missing(target)}
          />
        )}
        <Radio.Group
          label={t('alerts:begin.kind')}
          required
          value={kind}
          onChange={value => change({ kind: AlertKind.parse(value) })}
          error={missing(kind)}
        >
          <Group gap="lg" mt="xs">
            {AlertKind.options.map((value, index) => (
              <Radio
                key={value}
                ref={isTargetGiven && index === 0 ? focusFirst : undefined}
                data-autofocus={(isTargetGiven && index === 0) || undefined}
                value={value}
                label={t(`alerts:kinds.${value}`)}
              />
            ))}
          </Group>
        </Radio.Group>
        <PurposeField
          isDrill={isDrill}
          onChange={value => change({ isDrill: value })}
          error={missing(isDrill)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit">{t('alerts:begin.continue')}</Button>
        </Group>
      </Stack>
    </form>
  )
}

interface PurposeFieldProps {
  isDrill: boolean | null
  onChange: (isDrill: boolean) => void
  error: string | false
}

/** Drill or real. */
function PurposeField({ isDrill, onChange, error }: PurposeFieldProps) {
  const { t } = useTranslate()
  return (
    <Radio.Group
      label={t('alerts:begin.purpose')}
      required
      value={isDrill === null ? null : isDrill ? 'drill' : 'alert'}
      onChange={value => onChange(value === 'drill')}
      error={error}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="drill" label={t('alerts:purposes.drill')} description={t('alerts:begin.drillHint')} />
        <Radio value="alert" label={t('alerts:purposes.alert')} description={t('alerts:begin.alertHint')} />
      </Stack>
    </Radio.Group>
  )
}

/** The device or group of the page from which the dialog was opened. */
function GivenTarget({ uid }: { uid: string }) {
  const { t } = useTranslate()
  const reach = useQuery(alertQueries.reach(uid))
  if (reach.isError) return <ErrorPanel error={reach.error} retry={() => void reach.refetch()} />
  return (
    <Text fw={600}>
      <bdi>{reach.data ? nameTarget(t, reach.data.target) : t('loading')}</bdi>
    </Text>
  )
}
