import { useCallback } from 'react'
import { useLocation, useNavigate, type To } from 'react-router'

/** The parameter of an address that opens the Publish sheet over its page. */
const PARAM = 'publish'

/** The uids that are chosen when the sheet opens. */
export interface PublishStart {
  playlist?: string
  group?: string
  device?: string
}
const starts = ['playlist', 'group', 'device'] as const

/** The devices of a list's selection, as a bulk call names them. They are in the history entry, so a reload keeps them. */
export interface PublishDevices {
  count: number
  selection: { uids: string[] } | { filter: object; except: string[]; all: true }
}

/** The start of the sheet from the address; null while it is closed. */
export function readPublishStart(address: URLSearchParams): PublishStart | null {
  const text = address.get(PARAM)
  if (text === null) return null
  const start: PublishStart = {}
  for (const part of text.split('.')) {
    const [name, uid] = part.split(':')
    const known = starts.find(each => each === name)
    if (known && uid) start[known] = uid
  }
  return start
}

/** An address without the sheet. */
export function closePublish(address: URLSearchParams): URLSearchParams {
  const closed = new URLSearchParams(address)
  closed.delete(PARAM)
  return closed
}

function openPublish(address: string, start: PublishStart): string {
  const opened = closePublish(new URLSearchParams(address))
  const parts = starts.flatMap(name => (start[name] ? `${name}:${start[name]}` : []))
  opened.set(PARAM, parts.join('.') || 'new')
  return `?${opened}`
}

/** The address of a page with the sheet open over it. */
export const publishAddress = (path: string, start: PublishStart): string => path + openPublish('', start)

/** The address of the present page with the sheet open. */
export function usePublishLink(start: PublishStart): To {
  const { search } = useLocation()
  return { search: openPublish(search, start) }
}

/** Opens the sheet over the present page with the devices of a selection. */
export function usePublishDevices(): (devices: PublishDevices) => void {
  const { search } = useLocation()
  const navigate = useNavigate()
  return useCallback(
    devices =>
      void navigate(
        { search: openPublish(search, {}) },
        { state: { publishDevices: devices }, preventScrollReset: true },
      ),
    [navigate, search],
  )
}

/** The devices that `usePublishDevices` gave. */
export function readPublishDevices(state: unknown): PublishDevices | null {
  if (typeof state !== 'object' || state === null || !('publishDevices' in state)) return null
  return state.publishDevices as PublishDevices
}
