import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeOutcome, toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { publishAddress } from '../../platform/publish-address.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { readStored, writeStored } from '../../platform/storage.ts'
import { toast } from '../../platform/toasts.ts'
import { useMarkStale } from '../../platform/use-change.ts'
import { useUndoOf } from '../../ui/bulk/use-undo.ts'
import { Panel } from '../../ui/panel.tsx'
import { firstDeviceQuery, playlistCountQuery } from './dashboard-data.ts'
import styles from './dashboard.module.css'
import { addSamples, samplesQuery, useRemoveSamples } from './sample-media.ts'

/** False when nothing has been played, nothing is scheduled and no known device is down. */
export const hasBegun = ({ latestPlays, publications, down }: QuickMetrics): boolean =>
  latestPlays.length + publications.active + publications.delayed + down.length > 0

/** Whether this user's steps are shown: from the first visit of an empty console until they are closed. */
function useIsOpen(isEmpty: boolean): [isOpen: boolean, close: () => void] {
  const key = `floorcast.first-steps.${useSignedInUser().uid}`
  const [stored, setStored] = useState(() => readStored(key))
  const store = (next: 'open' | 'closed') => {
    writeStored(key, next)
    setStored(next)
  }
  useEffect(() => {
    if (isEmpty && stored === null) writeStored(key, 'open')
  }, [isEmpty, stored, key])
  return [stored === 'open' || (isEmpty && stored === null), () => store('closed')]
}

/** The way from the first upload to the first play; each step is ticked once it is done, by any user. */
export function FirstSteps({ metrics }: { metrics: QuickMetrics }) {
  const mayChange = useMayChange()
  const [isOpen, close] = useIsOpen(!hasBegun(metrics))
  return mayChange && isOpen && <StepList {...{ metrics, close }} />
}

function useSteps(metrics: QuickMetrics) {
  const { publications, devices, limits } = metrics
  const playlists = useQuery(playlistCountQuery())
  const device = useQuery({ ...firstDeviceQuery(), enabled: limits.devices.used > 0 })
  return [
    { key: 'media', to: paths.media('melodies'), isDone: metrics.media.items > 0 },
    { key: 'playlist', to: paths.playlists, isDone: (playlists.data ?? 0) > 0 },
    { key: 'device', to: paths.devices, isDone: limits.devices.used > 0 },
    {
      key: 'publication',
      to: publishAddress(paths.publications, {}),
      isDone: publications.active + publications.delayed > 0,
    },
    {
      key: 'player',
      to: device.data ? paths.device(device.data) : paths.devices,
      isDone: devices.online + devices.linkdown + devices.linklost > 0,
    },
    { key: 'play', to: paths.devices, isDone: metrics.latestPlays.length > 0 },
  ] as const
}

function StepList({ metrics, close }: { metrics: QuickMetrics; close: () => void }) {
  const { t } = useTranslate()
  const steps = useSteps(metrics)
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Panel
      title={t('dashboard:first.title')}
      end={
        <Group gap="xs">
          <Text c="dimmed" size="sm">
            {t('dashboard:first.progress', { done, total: steps.length })}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={close}>
            {t('close')}
          </Button>
        </Group>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ key, to, isDone }) => (
          <li key={key} aria-current={key === next?.key ? 'step' : undefined}>
            <Link to={to} className={styles.step} data-done={isDone || undefined}>
              {isDone ? (
                <IconCircleCheckFilled size={20} aria-label={t('dashboard:first.done')} role="img" />
              ) : (
                <IconCircleDashed size={20} aria-hidden />
              )}
              {t(`dashboard:first.${key}`)}
            </Link>
            {key === next?.key && <StepHint>{t(`dashboard:first.hints.${key}`)}</StepHint>}
            {key === 'device' && <DeviceRoom {...metrics.limits.devices} />}
            {key === 'media' && <Samples hasMedia={isDone} />}
          </li>
        ))}
      </ol>
      {!next && <Text mt="sm">{t('dashboard:first.finished')}</Text>}
    </Panel>
  )
}

const StepHint = ({ children }: { children: ReactNode }) => (
  <Text c="dimmed" size="sm" className={styles.stepHint}>
    {children}
  </Text>
)

/** How many devices the plan allows, and the way to a larger one. */
function DeviceRoom({ used, limit }: QuickMetrics['limits']['devices']) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <StepHint>
      <Anchor component={Link} to={paths.pricing} inherit>
        {t('dashboard:first.devices', { used: format.number(used), limit: format.number(limit) })}
      </Anchor>
    </StepHint>
  )
}

/** Adds the sample media, or removes them. */
function Samples({ hasMedia }: { hasMedia: boolean }) {
  const { t } = useTranslate()
  const markStale = useMarkStale('media')
  const undoOf = useUndoOf()
  const { mutateAsync: removeAll } = useRemoveSamples()
  const [isBusy, setIsBusy] = useState(false)
  const samples = useQuery({ ...samplesQuery(), enabled: hasMedia })
  const found = samples.data ?? []
  const run = async (work: () => Promise<void>) => {
    setIsBusy(true)
    await work().catch(toastFailure)
    setIsBusy(false)
  }
  const add = () => run(() => addSamples(found, () => void markStale()))
  const remove = () =>
    run(async () => {
      const { done, failed } = await removeAll(found)
      const undo = { label: t('undo'), run: () => void undoOf.restore('media').run(done) }
      if (done.length > 0)
        void toast('success', t('dashboard:first.samplesRemoved', { count: done.length }), { action: undo })
      if (failed[0])
        void toast('warning', describeOutcome(t, { ...failed[0], names: failed.map(({ name }) => name) }))
    })
  if (hasMedia && found.length === 0) return null
  return (
    <Button
      className={styles.stepHint}
      variant={hasMedia ? 'subtle' : 'default'}
      size="compact-md"
      loading={isBusy}
      onClick={() => void (hasMedia ? remove() : add())}
    >
      {t(hasMedia ? 'dashboard:first.removeSamples' : 'dashboard:first.addSamples')}
    </Button>
  )
}
