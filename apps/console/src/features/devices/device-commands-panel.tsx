import { CommandFailure, type CommandKind, type DeviceCommand } from '@floorcast/contract/device-commands.ts'
import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { Button, Group, Input, List, Skeleton, Slider, Stack, Text, Image } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconBell, IconDownload, IconFileText, IconPhoto, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Format, useFormat } from '../../platform/format.ts'
import { type Translate, useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { describeVolume } from './describe-volume.ts'
import { deviceCommandsQuery, downloadLog, useSendCommand, screenshotQuery } from './devices-data.ts'

/** The buttons, in their order; the volume has a slider. */
const icons = {
  identify: IconBell,
  screenshot: IconPhoto,
  'send-log': IconFileText,
  restart: IconRefresh,
} satisfies Record<Exclude<CommandKind, 'volume'>, typeof IconBell>
const buttons = Object.keys(icons) as (keyof typeof icons)[]

type Send = (command: CommandKind, value?: number | null) => Promise<void>

/** Commands to the device, what came of them, and the screenshot and log that it has sent. */
export function DeviceCommandsPanel({ device }: { device: DeviceCard }) {
  const { t } = useTranslate()
  const result = useQuery(deviceCommandsQuery(device.uid))
  const { data } = result
  return (
    <Panel title={t('devices:commands.title')}>
      <Stack gap="md">
        {device.permissions.mayEdit && (
          <CommandButtons device={device} hasOwnVolume={data?.hasOwnVolume ?? false} />
        )}
        {data ? (
          <>
            <CommandList commands={data.commands} />
            {data.screenshot && <DeviceScreenshot device={device} madeAt={data.screenshot.madeAt} />}
            {data.log && <LogButton uid={device.uid} madeAt={data.log.madeAt} />}
          </>
        ) : (
          <>
            {result.isPending && <Skeleton height={21} aria-busy />}
            {result.isError && <ErrorPanel error={result.error} retry={() => void result.refetch()} />}
          </>
        )}
      </Stack>
    </Panel>
  )
}

function useSend(device: DeviceCard): Send {
  const { t } = useTranslate()
  const send = useSendCommand()
  return async (command, value) => {
    await send.mutateAsync({ uid: device.uid, command, ...(value === undefined ? {} : { value }) })
    void toast('success', t('devices:commands.asked', { name: device.name }))
  }
}

function CommandButtons({ device, hasOwnVolume }: { device: DeviceCard; hasOwnVolume: boolean }) {
  const { t } = useTranslate()
  const send = useSend(device)
  const user = useSignedInUser()
  const [isAsking, setIsAsking] = useState(false)
  const isOffered = (command: CommandKind) =>
    (command !== 'screenshot' || device.kind === 'video') && (command !== 'send-log' || user.role === 'admin')
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {buttons.filter(isOffered).map(command => {
          const Icon = icons[command]
          return (
            <Button
              key={command}
              variant="default"
              leftSection={<Icon size={16} aria-hidden />}
              onClick={() =>
                void (command === 'restart' ? setIsAsking(true) : send(command).catch(toastFailure))
              }
            >
              {t(`devices:commands.send.${command}`)}
            </Button>
          )
        })}
      </Group>
      <VolumeCommand key={device.volume} device={device} hasOwnVolume={hasOwnVolume} send={send} />
      <ConfirmDialog
        isOpen={isAsking}
        title={t('devices:commands.restartTitle')}
        confirmLabel={t('devices:commands.send.restart')}
        onConfirm={() => send('restart')}
        onClose={() => setIsAsking(false)}
      >
        {t('devices:commands.restartText', { name: device.name })}
      </ConfirmDialog>
    </Stack>
  )
}

/** A key that is held moves the slider step by step. */
const saveAfterMs = 400

/** The volume of the device, which it follows when the user releases the slider. */
function VolumeCommand({
  device,
  hasOwnVolume,
  send,
}: {
  device: DeviceCard
  hasOwnVolume: boolean
  send: Send
}) {
  const { t } = useTranslate()
  const format = useFormat()
  const [volume, setVolume] = useState(device.volume)
  const save = useDebouncedCallback((next: number) => {
    if (next === device.volume) return
    void send('volume', next).catch((error: unknown) => {
      setVolume(device.volume)
      toastFailure(error)
    })
  }, saveAfterMs)
  return (
    <Group gap="md" align="center">
      <Input.Wrapper label={t('devices:card.volume')} labelElement="div" flex="1 0 160px" miw={0}>
        <Slider
          mt="xs"
          mx="xs"
          min={0}
          max={100}
          value={volume}
          onChange={setVolume}
          onChangeEnd={save}
          label={null}
          thumbLabel={t('devices:card.volume')}
        />
        <Text size="sm" className="fc-figures" mt={8}>
          {describeVolume(t, format, volume)}
        </Text>
      </Input.Wrapper>
      {hasOwnVolume && (
        <Button variant="default" onClick={() => void send('volume', null).catch(toastFailure)}>
          {t('devices:commands.resetVolume')}
        </Button>
      )}
    </Group>
  )
}

function CommandList({ commands }: { commands: readonly DeviceCommand[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  if (commands.length === 0) return <Text c="dimmed">{t('devices:commands.none')}</Text>
  return (
    <List
      aria-label={t('devices:commands.recent')}
      aria-live="polite"
      listStyleType="none"
      spacing="xs"
      withPadding={false}
    >
      {commands.map(command => (
        <List.Item key={command.uid}>
          <Text fw={500}>
            {t(`devices:commands.kinds.${command.command}`, { value: command.value ?? 0 })}
          </Text>
          <Text size="sm">{describeState(t, format, command)}</Text>
          <Text size="sm" c="dimmed">
            {t('devices:commands.by', { name: command.askedBy, time: format.dateTime(command.askedAt) })}
          </Text>
        </List.Item>
      ))}
    </List>
  )
}

/** Describes the result of a command, with its time. */
function describeState(t: Translate, format: Format, command: DeviceCommand): string {
  const { state, endedAt, sentAt, expiresAt, why } = command
  const known = CommandFailure.safeParse(why?.split(':')[0]).data
  const at = state === 'waiting' || state === 'expired' ? expiresAt : (endedAt ?? sentAt ?? expiresAt)
  return t(`devices:commands.states.${state}`, {
    time: format.dateTime(at),
    why: known ? t(`devices:commands.why.${known}`) : (why ?? ''),
  })
}

function LogButton({ uid, madeAt }: { uid: string; madeAt: string }) {
  const { t } = useTranslate()
  const format = useFormat()
  const user = useSignedInUser()
  if (user.role !== 'admin') return null
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => void downloadLog(uid, 'device-log.txt').catch(toastFailure)}
    >
      {t('devices:commands.downloadLog', { time: format.dateTime(madeAt) })}
    </Button>
  )
}

/** The newest screenshot that a device has sent. */
function DeviceScreenshot({ device, madeAt }: { device: DeviceCard; madeAt: string }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { data: address } = useQuery(screenshotQuery(device.uid, madeAt))
  const time = format.dateTime(madeAt)
  return (
    <Stack gap={4}>
      <Text size="sm">{t('devices:commands.screenshot', { time })}</Text>
      {address !== undefined && (
        <Image
          src={address}
          alt={t('devices:commands.screenshotAlt', { name: device.name, time })}
          radius="sm"
        />
      )}
    </Stack>
  )
}
