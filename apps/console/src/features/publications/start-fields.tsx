import { Radio, Stack } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { MomentField } from '../../ui/dates/moment-field.tsx'
import { fillMoment } from '../../ui/dates/wall-moment.ts'
import { isOver, readStart, type StartClock } from './publication-start.ts'

/** A start as its fields have it. */
export interface StartValues {
  /** The value of a moment's field. */
  field: string
  clock: StartClock
}

const hourMs = 3_600_000

/** The next whole hour but one: time enough for devices to fetch what they need. */
export const suggestStart = (): StartValues => ({
  field: fillMoment(new Date(Math.ceil(Date.now() / hourMs + 1) * hourMs)),
  clock: 'devices',
})

/** Why a start cannot be taken; null if it can. */
export function faultOfStart({ field, clock }: StartValues): 'wrong' | 'past' | null {
  const start = readStart(field, clock)
  if (start === null) return 'wrong'
  return isOver(start, Date.now()) ? 'past' : null
}

interface StartFieldsProps {
  values: StartValues
  onChange: (values: StartValues) => void
  fault: 'wrong' | 'past' | null
}

/** Picks a moment, in each device's time zone or in one's own. */
export function StartFields({ values, onChange, fault }: StartFieldsProps) {
  const { t } = useTranslate()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <>
      <MomentField
        label={t('publications:startMoment')}
        required
        data-autofocus
        value={values.field}
        onChange={field => onChange({ ...values, field })}
        error={fault && t(fault === 'past' ? 'problems:start-in-the-past' : 'publications:startWrong')}
      />
      <Radio.Group
        label={t('publications:timeZone')}
        value={values.clock}
        onChange={value => onChange({ ...values, clock: value === 'mine' ? 'mine' : 'devices' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="devices" label={t('publications:timeZones.devices')} />
          <Radio value="mine" label={t('publications:timeZones.mine', { zone })} />
        </Stack>
      </Radio.Group>
    </>
  )
}
