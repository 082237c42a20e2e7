import type { PublicationCard } from '@floorcast/contract/publications.ts'
import { Button, Group, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { useDelayPublication } from './publications-data.ts'
import { PublicationRefused } from './publication-refused.tsx'
import { readStart, startFieldsOf } from './publication-start.ts'
import { faultOfStart, StartFields, suggestStart } from './start-fields.tsx'

function useDelay(publication: PublicationCard, onClose: () => void) {
  const { t } = useTranslate()
  const { mutate, isPending, error } = useDelayPublication()
  const { startsAt } = publication
  const [values, setValues] = useState(() => (startsAt === null ? suggestStart() : startFieldsOf(startsAt)))
  const [fault, setFault] = useState<'wrong' | 'past' | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const startdatetime = readStart(values.field, values.clock)
    const broken = faultOfStart(values)
    setFault(broken)
    if (broken !== null || startdatetime === null) return
    const done = (_: unknown, isShown: boolean) => {
      void toast('success', t('publications:delaySaved', { name: publication.name }))
      if (isShown) onClose()
    }
    mutate({ uid: publication.uid, startdatetime }, { onSuccess: done })
  }
  return { values, setValues, fault, submit, isPending, error }
}

/** Picks the moment at which a publication starts; of a scheduled one it begins with the present moment. */
export function DelayDialog({ publication, onClose }: { publication: PublicationCard; onClose: () => void }) {
  const { t } = useTranslate()
  const { values, setValues, fault, submit, isPending, error } = useDelay(publication, onClose)
  const isScheduled = publication.state === 'delayed'
  return (
    <Modal
      opened
      onClose={onClose}
      title={isScheduled ? t('publish:reschedule') : t('publish:schedule')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <StartFields values={values} onChange={setValues} fault={fault} />
          {error && <PublicationRefused error={error} publication={publication} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {isScheduled ? t('publish:reschedule') : t('publish:schedule')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
