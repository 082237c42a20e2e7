import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { ChannelMessage } from '@floorcast/contract/device-protocol.ts'
import type { Admission } from '../../platform/http/admit/admission.ts'
import type { AlertNotice } from '../alerts/alerts.ts'
import type { Manifests } from '../manifests/manifests.ts'
import type { Channel } from './channel.ts'
import type { ChannelTarget, ConnectedChannels } from './connected-channels.ts'

/** Alerts are sent for so long before other work runs. A begin then takes as long as the other work did, MAX_TURN_MS at most. */
const TURN_MS = 40
const MAX_TURN_MS = 250
/** An end waits for begins so long at most: one client's begins must not keep the sirens of another one on. */
const MAX_WAIT_MS = 1000
const WAIT_STEP_MS = 5
/** The devices of an alert for more than these spread their receipts, to so many a second. */
const FEW_RECEIPTS = 25
const RECEIPTS_A_SECOND = 4000

type AlertMessage = Extract<ChannelMessage, { type: 'alert' }>

interface AlertSenderParts {
  channels: ConnectedChannels
  manifests: Manifests
  admission: Admission
}

/**
 * Sends alerts to the connected devices, before other traffic: calls of lower priorities are held meanwhile, and in the middle of
 * a wave, when the turns of other work are long, a begin has half of the time. An end waits while
 * alerts are begun and sent, for a second at most.
 */
export class AlertSender {
  readonly #parts: AlertSenderParts
  #beginsInSending = 0

  constructor(parts: AlertSenderParts) {
    this.#parts = parts
  }

  /** Resolves when the alert is sent to all. */
  async send(alert: AlertNotice, target: ChannelTarget): Promise<void> {
    const isBegin = alert.step === 'begin'
    if (isBegin) this.#beginsInSending += 1
    try {
      const sending = this.#send(alert, target)
      this.#parts.admission.holdDuring(isBegin ? 'alert' : 'alert-end', target.clientId, sending)
      await sending
    } finally {
      if (isBegin) this.#beginsInSending -= 1
    }
  }

  async #send(alert: AlertNotice, target: ChannelTarget): Promise<void> {
    const { alertUid, kind, step, beganAt, isDrill } = alert
    const channels = this.#parts.channels.of(target)
    const receiptsWithinSeconds =
      channels.length <= FEW_RECEIPTS ? 0 : Math.ceil((channels.length / RECEIPTS_A_SECOND) * 10) / 10
    const head = { type: 'alert', alertUid, kind, step, beganAt, isDrill, receiptsWithinSeconds } as const
    const messageFor = (groupUid: string | null) => {
      const message: AlertMessage = { ...head, sound: this.#parts.manifests.soundOf(groupUid, kind) }
      return Buffer.from(JSON.stringify(message))
    }
    // The devices of a group get the same bytes.
    const messages = new Map<string | null, Buffer>()
    const sendTo = (channel: Channel) => {
      const { groupUid } = channel.peer.device
      const message = messages.get(groupUid) ?? messageFor(groupUid)
      messages.set(groupUid, message)
      channel.sendAlert(message)
    }
    await (step === 'begin' ? this.#sendBegin(channels, sendTo) : this.#sendEnd(channels, sendTo))
  }

  async #sendBegin(channels: readonly Channel[], sendTo: (channel: Channel) => void): Promise<void> {
    let endsAt = performance.now() + TURN_MS
    for (const channel of channels) {
      const leftAt = performance.now()
      if (leftAt > endsAt) {
        await nextTurn()
        const now = performance.now()
        endsAt = now + Math.min(Math.max(TURN_MS, now - leftAt), MAX_TURN_MS)
      }
      sendTo(channel)
    }
  }

  async #sendEnd(channels: readonly Channel[], sendTo: (channel: Channel) => void): Promise<void> {
    const waitsUntil = performance.now() + MAX_WAIT_MS
    let endsAt = 0
    for (const channel of channels) {
      if (performance.now() > endsAt) {
        await nextTurn()
        while (this.#isBeginning && performance.now() < waitsUntil) await pause(WAIT_STEP_MS)
        endsAt = performance.now() + TURN_MS
      }
      sendTo(channel)
    }
  }

  /** Whether an alert is being begun by a call, or is being sent. */
  get #isBeginning(): boolean {
    return this.#beginsInSending > 0 || this.#parts.admission.isAlertBeginning
  }
}
