import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { FailureText } from '../../ui/failure-text.tsx'
import { paths } from '../../platform/paths.ts'
import type { PublishDevices, PublishStart } from '../../platform/publish-address.ts'
import { toast } from '../../platform/toasts.ts'
import { useFrozen } from '../../platform/use-frozen.ts'
import { useIsShown } from '../../platform/use-is-shown.ts'
import { Drawer } from '../../ui/overlay/overlays.tsx'
import { UnsavedDialog } from '../../ui/side-form/unsaved-dialog.tsx'
import { publishPlanQuery, startDeviceQuery, usePublish } from './publish-data.ts'
import { draftOf, type PublishValues } from './publish-draft.ts'
import { PublishFields } from './publish-fields.tsx'
import { PublishPlanPanel } from './publish-plan.tsx'
import { faultOfStart, suggestStart } from './start-fields.tsx'

interface PublishSheetProps {
  start: PublishStart
  /** The devices of a list's selection, for a new group. */
  chosen: PublishDevices | null
  onClose: () => void
}

/**
 * Publishes a playlist to a group, or to a new group of chosen devices, now or later. It says what that will do, and why it
 * would be refused, before the user does it. From the click on it stays as it was confirmed.
 */
export function PublishSheet({ start, chosen, onClose }: PublishSheetProps) {
  const { t } = useTranslate()
  const [isAsking, setIsAsking] = useState(false)
  const [isChanged, setIsChanged] = useState(false)
  const [isPublished, setIsPublished] = useState(false)
  const navigate = useNavigate()
  const device = useQuery({ ...startDeviceQuery(start.device ?? ''), enabled: start.device !== undefined })
  const isReady = start.device === undefined || !device.isPending
  const close = () => (isChanged ? setIsAsking(true) : onClose())
  const leadTo = (uid: string | undefined) => {
    if (!uid) return onClose()
    // The page may take its time to come.
    setIsPublished(true)
    // Back leads to the page without this sheet.
    void navigate(paths.publication(uid), { replace: true })
  }
  return (
    <>
      <Drawer
        opened={!isPublished}
        onClose={close}
        position="right"
        title={t('publish:title')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {isReady ? (
          <PublishForm
            initial={initialOf(start, chosen, device.data)}
            chosen={chosen}
            onChange={() => setIsChanged(true)}
            onCancel={close}
            onDone={leadTo}
          />
        ) : (
          <Skeleton height={320} />
        )}
      </Drawer>
      {isAsking && <UnsavedDialog onDiscard={onClose} onStay={() => setIsAsking(false)} />}
    </>
  )
}

/** A device in a group is published to with its group; a free one is the first of a new group. */
function initialOf(
  { playlist, group }: PublishStart,
  chosen: PublishDevices | null,
  device: DeviceCard | undefined,
): PublishValues {
  const groupUid = group ?? device?.group?.uid ?? null
  const isFree = device !== undefined && device.group === null
  return {
    playlistUid: playlist ?? null,
    target: groupUid === null && (chosen !== null || isFree) ? 'new' : 'group',
    groupUid,
    groupName: isFree ? device.name : '',
    devices: isFree ? [{ uid: device.uid, name: device.name }] : [],
    name: null,
    isLater: false,
    start: suggestStart(),
    turnsOff: [],
  }
}

interface PublishFormProps {
  initial: PublishValues
  chosen: PublishDevices | null
  onChange: () => void
  onCancel: () => void
  /** @param uid of the publication */
  onDone: (uid: string | undefined) => void
}

function PublishForm({ initial, chosen, onChange, onCancel, onDone }: PublishFormProps) {
  const { t } = useTranslate()
  const [values, setValues] = useState(initial)
  const draft = draftOf(values, chosen)
  const [asked] = useDebouncedValue(draft && JSON.stringify(draft), 200)
  const isAsked = draft !== null && asked === JSON.stringify(draft)
  const isShown = useIsShown()
  const { mutate, isPending, isSuccess, error } = usePublish({
    // Before the pages are read again.
    onSuccess: ({ uid }) => {
      void toast('success', t(values.isLater ? 'publish:scheduled' : 'publish:published', names))
      if (isShown()) onDone(uid)
    },
  })
  const isConfirmed = isPending || isSuccess
  const query = useQuery(publishPlanQuery(isAsked && !isConfirmed ? draft : null))
  const plan = useFrozen(query, isConfirmed)
  const names = { playlist: plan.data?.playlist.name, group: plan.data?.group.name }
  const fault = values.isLater ? faultOfStart(values.start) : null
  const mayPublish = isAsked && fault === null && !plan.isPlaceholderData && plan.data?.refusals.length === 0
  const change = (some: Partial<PublishValues>) => {
    onChange()
    setValues(now => ({ ...now, ...(isOfAnotherGroup(some) ? { turnsOff: [] } : {}), ...some }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A refusal stays in the sheet.
    if (mayPublish && draft !== null && !isConfirmed) mutate(draft, { onError: () => undefined })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <fieldset disabled={isConfirmed} style={{ border: 0, margin: 0, padding: 0, minInlineSize: 0 }}>
          <Stack gap="md">
            <PublishFields values={values} change={change} chosen={chosen} fault={fault} />
            <PublishPlanPanel
              query={plan}
              isComplete={draft !== null && fault === null}
              turnsOff={values.turnsOff}
              onTurnOff={turnsOff => change({ turnsOff })}
            />
          </Stack>
        </fieldset>
        {error && (
          <Alert color="red" role="alert">
            <FailureText error={error} subject="publication" />
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isConfirmed} disabled={!mayPublish && !isConfirmed}>
            {values.isLater ? t('publish:schedule') : t('publish:now')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The publications to turn off belong to a group and a moment. */
const isOfAnotherGroup = (some: Partial<PublishValues>) =>
  'groupUid' in some || 'target' in some || 'isLater' in some || 'playlistUid' in some
