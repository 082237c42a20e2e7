import type { PublicationCard } from '@floorcast/contract/publications.ts'
import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { usePublicationDelay } from './publication-data.ts'
import { PublicationRefused } from './publication-refused.tsx'
import { fillStart, isOver, readStart, type StartClock } from './publication-start.ts'

const hourMs = 3_600_000

/** The next whole hour but one: time enough for devices to fetch what they need. */
const suggestStart = () => fillStart(new Date(Math.ceil(Date.now() / hourMs + 1) * hourMs))

function useDelay(publication: PublicationCard, onClose: () => void) {
  const { t } = useTranslate()
  const { mutate, isPending, error } = usePublicationDelay()
  const [field, setField] = useState(suggestStart)
  const [clock, setClock] = useState<StartClock>('devices')
  const [fault, setFault] = useState<'wrong' | 'past' | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const startdatetime = readStart(field, clock)
    if (startdatetime === null) return setFault('wrong')
    if (isOver(startdatetime, Date.now())) return setFault('past')
    setFault(null)
    const done = () => {
      void toast('success', t('publications:delaySaved', { name: publication.name }))
      onClose()
    }
    mutate({ uid: publication.uid, startdatetime }, { onSuccess: done })
  }
  return { field, setField, clock, setClock, fault, submit, isPending, error }
}

/** Picks the moment at which a publication starts, by each shop's clock or by one's own. */
export function DelayDialog({ publication, onClose }: { publication: PublicationCard; onClose: () => void }) {
  const { t } = useTranslate()
  const { field, setField, clock, setClock, fault, submit, isPending, error } = useDelay(publication, onClose)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('publications:delayTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            type="datetime-local"
            label={t('publications:startMoment')}
            required
            data-autofocus
            value={field}
            onChange={event => setField(event.currentTarget.value)}
            error={fault && t(fault === 'past' ? 'problems:start-in-the-past' : 'publications:startWrong')}
          />
          <Radio.Group
            label={t('publications:timeZone')}
            value={clock}
            onChange={value => setClock(value === 'mine' ? 'mine' : 'devices')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="devices" label={t('publications:timeZones.devices')} />
              <Radio value="mine" label={t('publications:timeZones.mine', { zone })} />
            </Stack>
          </Radio.Group>
          {error && <PublicationRefused error={error} publication={publication} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('publications:setDelay')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
