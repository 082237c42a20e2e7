import { foldText } from '@floorcast/contract/fold-text.ts'
import type { AlertReach, AlertRow } from '@floorcast/contract/alerts.ts'
import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { toast } from '../../platform/toasts.ts'
import { useFrozen } from '../../platform/use-frozen.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import type { ChosenAlert } from './alert-draft.ts'
import { nameAlert, nameTarget } from './alert-words.ts'
import { alertQueries, useBeginAlert } from './alerts-data.ts'
import { focusFirst } from './focus-first.ts'
import { openAlertsQuery } from './open-alerts-query.ts'

interface ConfirmAlertProps {
  alert: ChosenAlert
  onBack: () => void
  onClose: () => void
}

/** The second step: how many devices sound it. An alert for all shops takes a typed word. */
export function ConfirmAlert({ alert, onBack, onClose }: ConfirmAlertProps) {
  const { t } = useTranslate()
  const reach = useQuery(alertQueries.reach(alert.target))
  if (reach.isError) return <ErrorPanel error={reach.error} retry={() => void reach.refetch()} />
  if (!reach.data) return <Skeleton height={160} aria-busy aria-label={t('loading')} />
  return <Confirmation alert={alert} reach={reach.data} onBack={onBack} onClose={onClose} />
}

function useBegin(alert: ChosenAlert, { target }: AlertReach, onClose: () => void) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { mutate, isPending, isSuccess, error } = useBeginAlert()
  const begin = () =>
    mutate(
      { uid: alert.target, alerttype: alert.kind, isDrill: alert.isDrill },
      {
        onSuccess: ({ uid, wasOpen = false }, isShown) => {
          const names = { alert: nameAlert(t, alert), target: nameTarget(t, target) }
          void toast(wasOpen ? 'warning' : 'success', t(wasOpen ? 'alerts:wasOpen' : 'alerts:begun', names))
          if (!isShown) return
          if (uid) void navigate(paths.alert(uid))
          else onClose()
        },
      },
    )
  // The page of the alert may take its time to come.
  return { begin, isConfirmed: isPending || isSuccess, error }
}

function Confirmation({ alert, onBack, onClose, ...now }: ConfirmAlertProps & { reach: AlertReach }) {
  const { t } = useTranslate()
  const { data: openAlerts } = useQuery(openAlertsQuery())
  const { begin, isConfirmed, error } = useBegin(alert, now.reach, onClose)
  const { reach, open } = useFrozen({ reach: now.reach, open: findOpen(alert, openAlerts) }, isConfirmed)
  const isForAll = alert.target === 'all'
  const word = t('alerts:begin.word')
  const [typed, setTyped] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const isTyped = !isForAll || foldText(typed.trim()) === foldText(word)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (isTyped && !isConfirmed) begin()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Reach alert={alert} reach={reach} />
        {open && <OpenBefore alert={alert} open={open} />}
        {isForAll && (
          <TextInput
            ref={focusFirst}
            label={t('alerts:begin.type', { word })}
            required
            autoComplete="off"
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            error={isChecked && !isTyped && t('alerts:begin.wrongWord', { word })}
          />
        )}
        {error && (
          <Alert
            color="red"
            role="alert"
            title={t('alerts:notBegun')}
            icon={<IconAlertTriangle size={20} aria-hidden />}
          >
            {describeFailure(t, error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          {/* The focus is here, so that Enter does not begin an alert by accident. */}
          <Button ref={isForAll ? undefined : focusFirst} variant="default" onClick={onBack}>
            {t('alerts:begin.back')}
          </Button>
          <Button type="submit" color={alert.isDrill ? 'orange' : 'red'} loading={isConfirmed}>
            {t(alert.isDrill ? 'alerts:begin.confirmDrill' : 'alerts:begin.confirm', {
              count: reach.deviceCount,
            })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Says what begins where, on how many devices, and how many of them are reachable now. */
function Reach({ alert, reach }: { alert: ChosenAlert; reach: AlertReach }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { deviceCount, reachableCount } = reach
  const away = deviceCount - reachableCount
  return (
    <Stack gap="xs">
      <Text fw={600} size="lg">
        {nameAlert(t, alert)} · <bdi>{nameTarget(t, reach.target)}</bdi>
      </Text>
      <Text>
        {deviceCount === 0
          ? t('alerts:reach.none')
          : t('alerts:reach.devices', { reachable: format.number(reachableCount), count: deviceCount })}
      </Text>
      {away > 0 && <Text>{t('alerts:reach.away', { count: away })}</Text>}
      <Text c="dimmed">{t(alert.isDrill ? 'alerts:reach.drill' : 'alerts:reach.interrupts')}</Text>
    </Stack>
  )
}

const findOpen = (alert: ChosenAlert, open: readonly AlertRow[] = []) =>
  open.find(({ kind, target }) => kind === alert.kind && (target.uid ?? 'all') === alert.target)

/** The same alert is on already, or a drill that the real one ends. */
function OpenBefore({ alert, open }: { alert: ChosenAlert; open: AlertRow }) {
  const { t } = useTranslate()
  const names = { alert: nameAlert(t, open), name: open.beganBy ?? t('alerts:somebody') }
  return (
    <Alert color="amber" icon={<IconAlertTriangle size={20} aria-hidden />}>
      {t(open.isDrill && !alert.isDrill ? 'alerts:endsDrill' : 'alerts:isOpen', names)}
    </Alert>
  )
}
