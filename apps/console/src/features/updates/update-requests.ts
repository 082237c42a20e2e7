import { DeployState, type DeployRow } from '@floorcast/contract/deploy-packages.ts'
import { ChannelState, type ChannelRow } from '@floorcast/contract/update-channels.ts'
import { PackageState, type PackageRow } from '@floorcast/contract/update-packages.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import {
  useDeleteChannel,
  useDeleteDeployPackage,
  useDeletePackage,
  useRotateChannel,
  useRotateDeployPackage,
  useRotatePackage,
} from './updates-data.ts'

/** A user's request, and the text of its confirmation. */
export interface UpdateRequest {
  title: string
  /** Describes its effect. */
  text: string
  confirmLabel: string
  isDanger?: boolean
  run: () => Promise<unknown>
  doneText: string
  onDone?: () => void
}

export const nameOfPackage = ({ name, version }: { name: string; version: string }) => `${name} ${version}`

type Ask = (request: UpdateRequest) => void

/** The state after this one; the first follows the last. */
export function nextOf<State extends string>(states: readonly State[], state: State): State {
  return states[(states.indexOf(state) + 1) % states.length] ?? state
}

/** Asks for the steps of packages. */
export function usePackageRequests(ask: Ask) {
  const { t } = useTranslate()
  const format = useFormat()
  const { mutateAsync: rotate } = useRotatePackage()
  const { mutateAsync: remove } = useDeletePackage()
  const turn = (row: PackageRow) => {
    const name = nameOfPackage(row)
    const to = nextOf(PackageState.options, row.state)
    const channels = format.list(row.channels.map(channel => channel.name))
    // The offer of a release depends on the channels that it is on.
    const isOffering = to === 'released' && row.channels.length > 0
    ask({
      title: t(`updates:package.turn.${to}.title`, { name }),
      text: isOffering
        ? t('updates:package.turn.released.onChannels', { channels })
        : t(`updates:package.turn.${to}.text`),
      confirmLabel: t(`updates:package.turn.${to}.button`),
      isDanger: to === 'draft',
      run: () => rotate({ uid: row.uid, from: row.state }),
      doneText: t(`updates:package.turn.${to}.done`, { name }),
    })
  }
  const removeOne = (row: PackageRow, onDone?: () => void) =>
    ask({
      title: t('updates:package.delete.title', { name: nameOfPackage(row) }),
      text: t('updates:package.delete.text'),
      confirmLabel: t('delete'),
      isDanger: true,
      run: () => remove({ uid: row.uid }),
      doneText: t('updates:deleted', { name: nameOfPackage(row) }),
      ...(onDone ? { onDone } : {}),
    })
  return { turn, remove: removeOne }
}

/** Asks for the steps of channels. */
export function useChannelRequests(ask: Ask) {
  const { t } = useTranslate()
  const { mutateAsync: rotate } = useRotateChannel()
  const { mutateAsync: remove } = useDeleteChannel()
  const turn = ({ uid, name, state, deviceCount }: ChannelRow) => {
    const to = nextOf(ChannelState.options, state)
    ask({
      title: t(`updates:channel.turn.${to}.title`, { name }),
      text: t(`updates:channel.turn.${to}.text`, { count: deviceCount }),
      confirmLabel: t(`updates:channel.turn.${to}.button`),
      run: () => rotate({ uid, from: state }),
      doneText: t(`updates:channel.turn.${to}.done`, { name }),
    })
  }
  const removeOne = ({ uid, name }: ChannelRow) =>
    ask({
      title: t('updates:channel.delete.title', { name }),
      text: t('updates:channel.delete.text'),
      confirmLabel: t('delete'),
      isDanger: true,
      run: () => remove({ uid }),
      doneText: t('updates:deleted', { name }),
    })
  return { turn, remove: removeOne }
}

/** Asks for the steps of packages on channels. */
export function useDeployRequests(ask: Ask) {
  const { t } = useTranslate()
  const { mutateAsync: rotate } = useRotateDeployPackage()
  const { mutateAsync: remove } = useDeleteDeployPackage()
  const turn = (row: DeployRow) => {
    const to = nextOf(DeployState.options, row.state)
    const names = {
      name: nameOfPackage(row.package),
      channel: row.channel.name,
      version: row.package.version,
      count: row.deviceCount,
    }
    const isFrozen = to !== 'paused' && row.channel.state === 'frozen'
    ask({
      title: t(`updates:deploy.turn.${to}.title`, names),
      text: isFrozen ? t('updates:deploy.turn.frozen', names) : t(`updates:deploy.turn.${to}.text`, names),
      confirmLabel: t(`updates:deploy.turn.${to}.button`),
      isDanger: to === 'forced',
      run: () => rotate({ uid: row.uid, from: row.state }),
      doneText: t(`updates:deploy.turn.${to}.done`, names),
    })
  }
  const removeOne = (row: DeployRow) => {
    const names = { name: nameOfPackage(row.package), channel: row.channel.name }
    ask({
      title: t('updates:deploy.delete.title', names),
      text: t('updates:deploy.delete.text', names),
      confirmLabel: t('updates:deploy.delete.button'),
      isDanger: true,
      run: () => remove({ uid: row.uid }),
      doneText: t('updates:deploy.delete.done', names),
    })
  }
  return { turn, remove: removeOne }
}
