import { AlertNotice } from '@floorcast/contract/device-messages.ts'
import { alertsDiffer } from '@floorcast/playback/cue-alert.ts'
import { z } from 'zod'
import type { ServerMessage } from './device-client.ts'
import type { StateStore } from './state-store.ts'

const Announced = AlertNotice.extend({ isFromAnswer: z.boolean().catch(true) })
type Announced = z.infer<typeof Announced>

type Values = Pick<StateStore, 'read' | 'write'>
type NewestAlerts = Parameters<typeof alertsDiffer>[0]
/** The parts that it reads of the newest manifest. */
interface ManifestAlerts {
  newest: () => { manifest: NewestAlerts } | null
  onChange: (listener: () => void) => void
}
type MetAlert = Pick<AlertNotice, 'uid' | 'kind' | 'beganAt'>

const STATE_NAME = 'alerts-announced'
const ENDED_NAME = 'alerts-ended'
/** The number of ended alerts that the agent remembers. */
const MAX_ENDED = 100

/**
 * Open alerts that the server announced before the manifest with them arrived, and alerts that have ended. They are on the
 * disk and survive a restart. The manifest has precedence: an announced alert has ended if a manifest that was fetched later
 * does not contain it. An alert has ended for good when a manifest no longer contains it or a message says so, because each
 * alert has its own uid.
 */
export interface AlertNotices {
  open: () => readonly AlertNotice[]
  /** The uids of ended alerts, which the manifest may still contain. */
  ended: () => ReadonlySet<string>
  /** Applies a heartbeat's answer, which contains all open alerts. Returns the new ones. */
  applyAnswer: (notices: readonly AlertNotice[]) => AlertNotice[]
  /** Applies a message of the channel, which contains one alert. Returns whether it is new. */
  applyMessage: (notice: AlertNotice) => boolean
  /** Applies a message of the channel that an alert has ended. */
  applyEnd: (uid: string) => void
  /** Call it before a fetch of the manifest; `complete` then ends the alerts that were announced before the fetch. */
  beginFetch: () => { complete: () => void }
  onChange: (listener: () => void) => void
  /** Called once for each alert, when it is first met: in an answer, a message or a manifest. */
  onMet: (listener: (alert: MetAlert) => void) => void
}

function makeMetListeners() {
  const listeners: Parameters<AlertNotices['onMet']>[0][] = []
  const meet = (met: readonly MetAlert[]) => {
    for (const { uid, kind, beganAt } of met) for (const each of listeners) each({ uid, kind, beganAt })
  }
  const onMet: AlertNotices['onMet'] = listener => void listeners.push(listener)
  return { meet, onMet }
}

function writeEnded(state: Pick<StateStore, 'write'>, ended: Set<string>): void {
  for (const oldest of ended) if (ended.size > MAX_ENDED) ended.delete(oldest)
  state.write(ENDED_NAME, [...ended])
}

export function makeAlertNotices(state: Values, manifests: ManifestAlerts): AlertNotices {
  const readUids = () => new Set(manifests.newest()?.manifest.alerts.map(({ uid }) => uid))
  let inManifest = readUids()
  let announced: readonly Announced[] = z.array(Announced).safeParse(state.read(STATE_NAME)).data ?? []
  const ended = new Set(z.array(z.string()).safeParse(state.read(ENDED_NAME)).data)
  const listeners: (() => void)[] = []
  const { meet, onMet } = makeMetListeners()
  const end = (uid: string) => writeEnded(state, ended.add(uid))
  manifests.onChange(() => {
    const previous = inManifest
    inManifest = readUids()
    for (const uid of previous) if (!inManifest.has(uid)) end(uid)
    const listed = manifests.newest()?.manifest.alerts ?? []
    meet(listed.filter(({ uid }) => !previous.has(uid) && !isKnown(uid)))
  })
  const replace = (next: readonly Announced[]) => {
    if (next.length === announced.length && next.every(alert => announced.includes(alert))) return
    announced = next
    state.write(STATE_NAME, announced)
    for (const listener of listeners) listener()
  }
  const isKnown = (uid: string) => ended.has(uid) || announced.some(alert => alert.uid === uid)
  const isNew = ({ uid }: AlertNotice) => !inManifest.has(uid) && !isKnown(uid)
  return {
    open: () => announced,
    ended: () => ended,
    applyAnswer(notices) {
      const added = notices.filter(isNew)
      const noticed = new Set(notices.map(({ uid }) => uid))
      const remaining = announced.filter(({ uid, isFromAnswer }) => !isFromAnswer || noticed.has(uid))
      replace([...remaining, ...added.map(notice => ({ ...notice, isFromAnswer: true }))])
      meet(added)
      return added
    },
    applyMessage(notice) {
      if (!isNew(notice)) return false
      replace([...announced, { ...notice, isFromAnswer: false }])
      meet([notice])
      return true
    },
    applyEnd(uid) {
      if (ended.has(uid)) return
      end(uid)
      announced = announced.filter(alert => alert.uid !== uid)
      state.write(STATE_NAME, announced)
      for (const listener of listeners) listener()
    },
    beginFetch() {
      const before = announced
      return {
        complete() {
          for (const { uid } of before) if (!inManifest.has(uid)) end(uid)
          replace(announced.filter(alert => !before.includes(alert)))
        },
      }
    },
    onChange: listener => void listeners.push(listener),
    onMet,
  }
}

/** Applies the open alerts of a heartbeat's answer. Returns whether the manifest has others and must be fetched. */
export function applyAlertAnswer(
  alerts: Pick<AlertNotices, 'applyAnswer' | 'open'>,
  newest: NewestAlerts | null,
  notices: readonly AlertNotice[],
): boolean {
  alerts.applyAnswer(notices)
  const named = new Set(notices.map(({ uid }) => uid))
  // Its end may have been missed, or the answer is older than the alert: the fetch decides.
  const mayHaveEnded = alerts.open().some(({ uid }) => !named.has(uid))
  return newest === null || mayHaveEnded || alertsDiffer(newest, notices)
}

/** Applies an alert message of the channel: the alert begins or ends before a manifest says so. */
export function applyAlertMessage(
  alerts: Pick<AlertNotices, 'applyMessage' | 'applyEnd'>,
  message: Extract<ServerMessage, { type: 'alert' }>,
): void {
  const { alertUid: uid, kind, step, beganAt, isDrill, sound } = message
  if (step === 'end') alerts.applyEnd(uid)
  else if (step === 'begin') alerts.applyMessage({ uid, kind, beganAt, isDrill, sound })
}
