import type { CallInput } from '@floorcast/contract/client.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import * as contract from '@floorcast/contract/operator.ts'
import { Button, Group, NativeSelect, NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { Panel } from '../../ui/panel.tsx'
import { callAsOperator, operatorQueries } from './operator-data.ts'

const hourMs = 3_600_000
const maxHours = 24 * 30

/** Runs a call that changes something, and reads everything again. */
export function useAct() {
  const [busy, setBusy] = useState<string | null>(null)
  const act = async <E extends Endpoint>(name: string, endpoint: E, input: CallInput<E>) => {
    setBusy(name)
    try {
      await callAsOperator(endpoint, input)
      await operatorQueries.invalidateQueries()
      return true
    } catch (error) {
      toastFailure(error)
      return false
    } finally {
      setBusy(null)
    }
  }
  return { busy, act }
}

const untilOf = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()

type State = contract.OperatorOverview['state']

function ShownNotice({ notice }: { notice: NonNullable<State['notice']> }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { busy, act } = useAct()
  return (
    <Group justify="space-between" align="start">
      <Stack gap={2}>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <bdi>{notice.text}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {t('operator:notice.shown', { time: format.dateTime(notice.until) })}
        </Text>
      </Stack>
      <Button
        variant="default"
        loading={busy === 'end'}
        onClick={() => void act('end', contract.endNotice, {})}
      >
        {t('operator:notice.end')}
      </Button>
    </Group>
  )
}

/** What operators tell all users. */
export function NoticePanel({ notice }: Pick<State, 'notice'>) {
  const { t } = useTranslate()
  const { busy, act } = useAct()
  const [text, setText] = useState('')
  const [level, setLevel] = useState('info')
  const [hours, setHours] = useState<number | string>(24)
  const levels = contract.setNotice.body.shape.level
  const show = async () => {
    const body = { text, level: levels.parse(level), until: untilOf(Number(hours)) }
    if (await act('show', contract.setNotice, { body })) setText('')
  }
  return (
    <Panel title={t('operator:sections.tell')}>
      <Stack gap="sm">
        {notice && <ShownNotice notice={notice} />}
        <Textarea
          label={t('operator:notice.text')}
          value={text}
          maxLength={500}
          autosize
          minRows={2}
          onChange={event => setText(event.currentTarget.value)}
        />
        <Group grow align="end">
          <NativeSelect
            label={t('operator:notice.level')}
            value={level}
            data={levels.options.map(value => ({ value, label: t(`operator:notice.${value}`) }))}
            onChange={event => setLevel(event.currentTarget.value)}
          />
          <Hours label={t('operator:notice.hours')} value={hours} onChange={setHours} />
        </Group>
        <Button
          w="fit-content"
          disabled={text.trim() === '' || !(Number(hours) > 0)}
          loading={busy === 'show'}
          onClick={() => void show()}
        >
          {t('operator:notice.show')}
        </Button>
      </Stack>
    </Panel>
  )
}

interface HoursProps {
  label: string
  value: number | string
  onChange: (hours: number | string) => void
}

const Hours = (props: HoursProps) => <NumberInput {...props} min={1} max={maxHours} clampBehavior="strict" />

/** Refuses changes of users while the installation is maintained. */
export function ReadOnlyPanel({ readOnly }: Pick<State, 'readOnly'>) {
  const { t } = useTranslate()
  const format = useFormat()
  const { busy, act } = useAct()
  const [hours, setHours] = useState<number | string>(1)
  const begin = () => {
    const until = Number(hours) > 0 ? untilOf(Number(hours)) : null
    return act('begin', contract.setReadOnly, { body: { until } })
  }
  return (
    <Panel title={t('operator:readOnly.title')}>
      <Stack gap="sm">
        <Text size="sm">{t('operator:readOnly.text')}</Text>
        {readOnly ? (
          <>
            <Text size="sm" role="status">
              {t('operator:readOnly.on', { time: format.dateTime(readOnly.since) })}
            </Text>
            <Button
              w="fit-content"
              color="amber"
              loading={busy === 'end'}
              onClick={() => void act('end', contract.endReadOnly, {})}
            >
              {t('operator:readOnly.end')}
            </Button>
          </>
        ) : (
          <>
            <Hours label={t('operator:readOnly.hours')} value={hours} onChange={setHours} />
            <Button w="fit-content" variant="default" loading={busy === 'begin'} onClick={() => void begin()}>
              {t('operator:readOnly.begin')}
            </Button>
          </>
        )}
      </Stack>
    </Panel>
  )
}
