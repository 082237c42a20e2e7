import type { PublicationCard } from '@floorcast/contract/publications.ts'
import { Button, Group, Text, Anchor } from '@mantine/core'
import {
  IconAlertTriangleFilled,
  IconBroadcast,
  IconBroadcastOff,
  IconClock,
  type Icon,
  IconArrowBackUp,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { describeOutcome, toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { sentenceGap } from '../../platform/sentences.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DelayDialog } from './publication-dialogs.ts'
import { isReadyEverywhere } from './publication-readiness.ts'
import { PublicationRefused } from './publication-refused.tsx'
import { describeStart } from './publication-start.ts'
import {
  publicationQueries,
  useChangePublicationState,
  useReturnPublicationPlaylist,
} from './publications-data.ts'
import styles from './publications.module.css'

type ShownState = PublicationCard['state'] | 'partial'

/** `partial`: it is active, and not on the air on every device of its group. */
const shownState = ({ state, readiness }: PublicationCard): ShownState =>
  state === 'active' && readiness !== null && !isReadyEverywhere(readiness) ? 'partial' : state

const shapes: Record<ShownState, Icon> = {
  partial: IconAlertTriangleFilled,
  active: IconBroadcast,
  delayed: IconClock,
  disabled: IconBroadcastOff,
}

/** The state of a publication, and the way to turn it on, off or on later; a refusal stays here with its way out. */
export function PublicationStateBar({ publication }: { publication: PublicationCard }) {
  const { t } = useTranslate()
  const { mutateAsync, isPending } = useChangePublicationState()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>(null)
  const [dialog, setDialog] = useState<'off' | 'delay' | null>(null)
  const { uid, state, group } = publication
  const toggle = async () => {
    setFailure(null)
    const outcome = await mutateAsync({ uid, from: state })
    // The change has fetched the card again.
    const card = queries.getQueryData(publicationQueries.card(uid).queryKey)
    const isHeard = card?.readiness?.devices !== 0
    if (isHeard) void toast('success', describeOutcome(t, outcome, 'publication'))
    else void toast('warning', t('publish:onWithoutDevices', { group: group.name }))
  }
  const turnOn = () =>
    void toggle().catch((error: unknown) => {
      setFailure(error)
      toastFailure(error, 'publication')
    })
  return (
    <section
      className={styles.stateBar}
      data-state={shownState(publication)}
      aria-label={t('publications:state')}
    >
      <Group justify="space-between" gap="sm">
        <StateLine publication={publication} />
        <Group gap="xs">
          <ReturnPlaylist publication={publication} />
          <StateButtons
            state={state}
            isBusy={isPending}
            turnOn={turnOn}
            openDialog={question => {
              setFailure(null)
              setDialog(question)
            }}
          />
        </Group>
      </Group>
      {failure !== null && <PublicationRefused error={failure} publication={publication} />}
      <ConfirmDialog
        isOpen={dialog === 'off'}
        title={t('publications:off.title', { name: publication.name })}
        confirmLabel={state === 'delayed' ? t('publications:cancelDelay') : t('publications:deactivate')}
        isDanger
        onConfirm={toggle}
        onClose={() => setDialog(null)}
      >
        {t(state === 'delayed' ? 'publications:off.delayed' : 'publications:off.active', {
          group: group.name,
        })}
      </ConfirmDialog>
      {dialog === 'delay' && <DelayDialog publication={publication} onClose={() => setDialog(null)} />}
    </section>
  )
}

function StateLine({ publication }: { publication: PublicationCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const Glyph = shapes[shownState(publication)]
  return (
    <Group gap="sm" wrap="nowrap" className={styles.stateText}>
      <Glyph size={20} aria-hidden className={styles.stateIcon} />
      <Text>{describeState({ t, format }, publication)}</Text>
    </Group>
  )
}

interface StateButtonsProps {
  state: PublicationCard['state']
  isBusy: boolean
  turnOn: () => void
  openDialog: (dialog: 'off' | 'delay') => void
}

function StateButtons({ state, isBusy, turnOn, openDialog }: StateButtonsProps) {
  const { t } = useTranslate()
  if (!useMayChange()) return null
  return (
    <>
      {state !== 'active' && (
        <Button
          variant="default"
          leftSection={<IconClock size={16} aria-hidden />}
          onClick={() => openDialog('delay')}
        >
          {state === 'delayed' ? t('publish:reschedule') : t('publications:activateLater')}
        </Button>
      )}
      {state === 'disabled' && (
        <Button leftSection={<IconBroadcast size={16} aria-hidden />} loading={isBusy} onClick={turnOn}>
          {t('publications:activate')}
        </Button>
      )}
      {state !== 'disabled' && (
        <Button
          variant="default"
          leftSection={<IconBroadcastOff size={16} aria-hidden />}
          onClick={() => openDialog('off')}
        >
          {state === 'delayed' ? t('publications:cancelDelay') : t('publications:deactivate')}
        </Button>
      )}
    </>
  )
}

function describeState(
  { t, format }: { t: Translate; format: Format },
  publication: PublicationCard,
): string {
  const { state, startsAt, activatedAt, group, readiness } = publication
  if (state === 'active' && readiness?.devices === 0)
    return t('publish:onWithoutDevices', { group: group.name })
  if (state === 'delayed' && startsAt) {
    return t('publications:delayedText', { group: group.name, start: describeStart({ t, format }, startsAt) })
  }
  if (state === 'active' && readiness && !isReadyEverywhere(readiness)) {
    const { holding, devices } = readiness
    const text = t('publications:activeOnSome', {
      holding: format.number(holding),
      devices: format.number(devices),
      group: group.name,
    })
    if (!activatedAt) return text
    return [text, t('publications:since', { moment: format.dateTime(activatedAt) })].join(' · ')
  }
  if (state === 'active') {
    return activatedAt
      ? t('publications:activeSince', { group: group.name, moment: format.dateTime(activatedAt) })
      : t('publications:activeText', { group: group.name })
  }
  return t('publications:disabledText')
}

/** The way back to what the group played before the last replace. */
function ReturnPlaylist({ publication }: { publication: PublicationCard }) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const { mutateAsync } = useReturnPublicationPlaylist()
  const [isAsked, setIsAsked] = useState(false)
  const { uid, state, group, playlist, formerPlaylist } = publication
  if (!mayChange || state === 'disabled' || formerPlaylist === null) return null
  const { name } = formerPlaylist
  const goBack = async () => {
    await mutateAsync({ uid, from: playlist.uid })
    void toast('success', t('publications:return.done', { name }))
  }
  const texts = { group: group.name, playlist: playlist.name, name }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={16} aria-hidden className="fc-points" />}
        onClick={() => setIsAsked(true)}
      >
        {t('publications:return.button', { name })}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title={t('publications:return.title', { name })}
        confirmLabel={t('publications:return.confirm')}
        onConfirm={goBack}
        onClose={() => setIsAsked(false)}
      >
        {t(state === 'delayed' ? 'publications:return.delayed' : 'publications:return.active', texts)}
        {formerPlaylist.state === 'paused' && (
          <Text mt="xs">
            {t('publications:return.paused', { name })}
            {sentenceGap()}
            <Anchor component={Link} to={paths.playlist(formerPlaylist.uid)} inherit td="underline">
              {t('publications:fixes.playlist', { name })}
            </Anchor>
          </Text>
        )}
      </ConfirmDialog>
    </>
  )
}
