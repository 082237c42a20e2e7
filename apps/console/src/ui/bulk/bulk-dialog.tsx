import type { BulkPlan } from '@floorcast/contract/bulk-calls.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { markStale, queryKeys, type ChangedEntity } from '../../platform/query-keys.ts'
import { toast } from '../../platform/toasts.ts'
import type { Selection } from '../data-table/list-column.ts'
import { Modal } from '../overlay/overlays.tsx'
import { FailureText } from '../failure-text.tsx'
import { itemsOf, planBulk, type BulkItems, runBulk, type FailedItem } from './bulk-calls.ts'
import { FailedList, PlanLines } from './bulk-lines.tsx'
import type { BulkUndo } from './use-undo.ts'

/** An action on the items of a selection. */
export interface BulkActionCalls<Filter> {
  entity: ChangedEntity
  /** Identifies the action for its preview. */
  key: unknown
  /** The action deletes items. */
  removes?: boolean
  preview: (items: BulkItems<Filter>) => Promise<BulkPlan>
  run: (items: BulkItems<Filter>) => Promise<Outcome>
}

interface BulkDialogProps<Filter> {
  title: string
  confirmLabel: string
  isDanger?: boolean
  selection: Selection
  /** The list's filter: a selection of all means its matches. */
  filter: Filter
  /** Null while a field of the action is missing. */
  calls: BulkActionCalls<Filter> | null
  /** Describes the result, with the number of changed items. */
  doneText: (count: number) => string
  /** Takes back what was done. Not offered if some items were so before, or are too many. */
  undo?: BulkUndo | null
  /** The consequence in a sentence, unless there is none. */
  consequence?: ReactNode
  /** Says what happens to this number of items, instead of 'will be changed'; null: `children` say it. */
  describe?: ((count: number) => string) | null | undefined
  /** The fields of the action. */
  children?: ReactNode
  onClose: () => void
  /** Some items have changed. */
  onDone: () => void
}

const never: BulkActionCalls<never> = {
  entity: 'device',
  key: null,
  preview: () => Promise.reject(new Error('no action')),
  run: () => Promise.reject(new Error('no action')),
}

function useBulk<Filter>(props: BulkDialogProps<Filter>) {
  const { t } = useTranslate()
  const { selection, filter, calls, undo } = props
  const items = useMemo(() => itemsOf(selection, filter), [selection, filter])
  const { entity, key, preview, run, removes } = calls ?? (never as BulkActionCalls<Filter>)
  const { progress, start, stop } = useBulkRun(run)
  const queries = useQueryClient()
  const plan = useQuery({
    queryKey: queryKeys.bulk(entity, key, items),
    queryFn: () => planBulk(items, preview),
    enabled: calls !== null && progress.state === 'ready',
    retry: false,
  })
  const navigate = useNavigate()
  const isAdmin = useSignedInUser().role === 'admin'
  const tell = (done: readonly string[]) => {
    const mayUndo =
      undo && done.length <= undo.max && !plan.data?.leftOut.some(({ reason }) => reason === 'already-so')
    const action = { label: t('undo'), run: () => void undo?.run(done) }
    const bin = undo?.bin
    const secondAction = { label: t('routes:sections.recycle'), run: () => void navigate(bin ?? '') }
    void toast('success', props.doneText(done.length), {
      ...(mayUndo ? { action } : {}),
      ...(bin !== undefined && isAdmin ? { secondAction } : {}),
    })
  }
  const confirm = async () => {
    const { done, failed, error, isStopped } = await start(items)
    if (done.length > 0) {
      tell(done)
      props.onDone()
    }
    // The cards of deleted items are gone.
    void markStale(queries, [entity], { except: removes ? done : [] })
    if (failed.length === 0 && error === null && !isStopped) props.onClose()
  }
  return { plan, progress, confirm, stop }
}

/**
 * Does one thing with many items: says first how many it leaves out and why, shows its progress, and names what failed with
 * the reason. There is no button that could do nothing.
 */
export function BulkDialog<Filter>(props: BulkDialogProps<Filter>) {
  const { t } = useTranslate()
  const { plan, progress, confirm, stop } = useBulk(props)
  const isRunning = progress.state === 'running'
  const total = plan.data?.count ?? 0
  return (
    <Modal
      opened
      onClose={isRunning ? () => undefined : props.onClose}
      title={progress.state === 'ended' ? t('bulk:ended') : props.title}
      size="lg"
      withCloseButton={!isRunning}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        {progress.state === 'ready' && (
          <>
            {total > 0 && props.consequence && <Text component="div">{props.consequence}</Text>}
            {props.children}
            {props.calls && <PlanLines plan={plan.data} error={plan.error} describe={props.describe} />}
          </>
        )}
        {isRunning && <RunningLine done={progress.done.length + progress.failed.length} total={total} />}
        {progress.state === 'ended' && <Ending progress={progress} doneText={props.doneText} />}
        <Group justify="flex-end" gap="xs">
          {isRunning ? (
            <Button variant="default" onClick={stop}>
              {t('bulk:stop')}
            </Button>
          ) : (
            <Button variant="default" onClick={props.onClose} data-autofocus={props.isDanger || undefined}>
              {t(progress.state === 'ended' || plan.data?.count === 0 ? 'close' : 'cancel')}
            </Button>
          )}
          {progress.state === 'ready' && plan.data?.count !== 0 && (
            <Button
              {...(props.isDanger ? { color: 'red' } : {})}
              disabled={!plan.data}
              onClick={() => void confirm()}
            >
              {props.confirmLabel}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

/** Says what was done, and what was not and why. */
function Ending({ progress, doneText }: { progress: BulkRun; doneText: (count: number) => string }) {
  const { t } = useTranslate()
  return (
    <>
      <Text>{doneText(progress.done.length)}</Text>
      {progress.isStopped && <Text c="dimmed">{t('bulk:stopped')}</Text>}
      <FailedList items={progress.failed} />
      {progress.error !== null && (
        <Alert color="red" role="alert">
          <FailureText error={progress.error} />
        </Alert>
      )}
    </>
  )
}

function RunningLine({ done, total }: { done: number; total: number }) {
  const { t } = useTranslate()
  const text = t('bulk:progress', { done, total: Math.max(done, total) })
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{text}</Text>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={text} animated />
    </Stack>
  )
}

/** How far a bulk action is. `ended`: it is over, or the user has stopped it. */
interface BulkRun {
  state: 'ready' | 'running' | 'ended'
  done: readonly string[]
  failed: readonly FailedItem[]
  /** Why it ended early: no answer, or an ended session. */
  error: unknown
  isStopped: boolean
}

const ready: BulkRun = { state: 'ready', done: [], failed: [], error: null, isStopped: false }

/** Runs an action on the items of a selection, call by call. What a call has changed stays changed when the next one fails. */
function useBulkRun<Filter>(run: (items: BulkItems<Filter>) => Promise<Outcome>) {
  const [progress, setProgress] = useState(ready)
  const isStopped = useRef(false)
  const start = async (items: readonly BulkItems<Filter>[]): Promise<BulkRun> => {
    isStopped.current = false
    const sum = { done: [] as string[], failed: [] as FailedItem[] }
    let error: unknown = null
    setProgress({ ...ready, state: 'running' })
    try {
      for await (const { done = [], failed = [] } of runBulk(items, run)) {
        sum.done.push(...done)
        sum.failed.push(...failed)
        setProgress({ ...ready, ...sum, state: 'running' })
        if (isStopped.current) break
      }
    } catch (failure) {
      error = failure
    }
    const ended: BulkRun = { ...sum, state: 'ended', error, isStopped: isStopped.current }
    setProgress(ended)
    return ended
  }
  return { progress, start, stop: () => (isStopped.current = true) }
}
