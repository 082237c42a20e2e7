import { AlertNotice } from '@floorcast/contract/device-messages.ts'
import { z } from 'zod'
import type { ManifestBook } from './manifest-store.ts'
import type { StateStore } from './state-store.ts'

const Heard = AlertNotice.extend({ isFromAnswer: z.boolean().catch(true) })
type Heard = z.infer<typeof Heard>

const STATE_NAME = 'alerts-heard'
/** Ended alerts that are remembered. */
const MAX_ENDED = 100

/**
 * Open alerts that the server told before the manifest with them came. They are kept on the disk, so that they survive
 * a restart. The manifest decides: what a manifest that was fetched later does not name has ended, and what a manifest
 * names no longer is never taken from a late answer again.
 */
export interface HeardAlerts {
  open: () => readonly AlertNotice[]
  /** A heartbeat's answer told all open alerts. Returns those that are new. */
  hearAll: (notices: readonly AlertNotice[]) => AlertNotice[]
  /** The channel told one. Returns whether it is new. */
  hearOne: (notice: AlertNotice) => boolean
  /** To be called before the server is asked for the manifest; `settle` then ends what was heard before. */
  mark: () => { settle: () => void }
  onChange: (listener: () => void) => void
}

export function makeHeardAlerts(state: StateStore, book: ManifestBook): HeardAlerts {
  const readNamed = () => new Set(book.newest()?.manifest.alerts.map(({ uid }) => uid))
  let named = readNamed()
  let heard: readonly Heard[] = z.array(Heard).safeParse(state.read(STATE_NAME)).data ?? []
  const ended = new Set<string>()
  const listeners: (() => void)[] = []

  const end = (uid: string) => {
    ended.add(uid)
    for (const oldest of ended) if (ended.size > MAX_ENDED) ended.delete(oldest)
  }
  book.onChange(() => {
    const former = named
    named = readNamed()
    for (const uid of former) if (!named.has(uid)) end(uid)
  })
  const keep = (next: readonly Heard[]) => {
    if (next.length === heard.length && next.every(alert => heard.includes(alert))) return
    heard = next
    state.write(STATE_NAME, heard)
    for (const listener of listeners) listener()
  }
  const isNew = ({ uid }: AlertNotice) =>
    !named.has(uid) && !ended.has(uid) && !heard.some(alert => alert.uid === uid)

  return {
    open: () => heard,
    hearAll(notices) {
      const added = notices.filter(isNew)
      const told = new Set(notices.map(({ uid }) => uid))
      const still = heard.filter(({ uid, isFromAnswer }) => !isFromAnswer || told.has(uid))
      keep([...still, ...added.map(notice => ({ ...notice, isFromAnswer: true }))])
      return added
    },
    hearOne(notice) {
      if (!isNew(notice)) return false
      keep([...heard, { ...notice, isFromAnswer: false }])
      return true
    },
    mark() {
      const before = heard
      return {
        settle() {
          for (const { uid } of before) if (!named.has(uid)) end(uid)
          keep(heard.filter(alert => !before.includes(alert)))
        },
      }
    },
    onChange: listener => void listeners.push(listener),
  }
}
