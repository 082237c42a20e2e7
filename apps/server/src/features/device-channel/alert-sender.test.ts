import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Admission } from '../../platform/http/admit/admission.ts'
import type { AlertNotice } from '../alerts/alerts.ts'
import type { Manifests } from '../manifests/manifests.ts'
import { AlertSender } from './alert-sender.ts'
import type { Channel } from './channel.ts'
import { ConnectedChannels } from './connected-channels.ts'

const clientId = 'client'
const target = { clientId, deviceUid: null, groupUid: null }

/** A sender to so many channels, each of which takes a millisecond, and the steps in the order in which they were sent. */
function makeSender(count: number) {
  const sent: string[] = []
  const channels = new ConnectedChannels()
  for (let number = 0; number < count; number += 1) {
    const sendAlert = (json: Buffer) => {
      const endsAt = performance.now() + 1
      while (performance.now() < endsAt);
      sent.push((JSON.parse(String(json)) as { step: string }).step)
    }
    const device = { deviceUid: `device ${number}`, groupUid: null, clientId }
    channels.add({ peer: { device }, sendAlert } as unknown as Channel)
  }
  const admission = new Admission({ steady: () => performance.now(), random: () => 0 })
  const manifests = { soundOf: () => null } as unknown as Manifests
  return { sender: new AlertSender({ channels, manifests, admission }), admission, sent }
}

const notice = (alertUid: string, step: 'begin' | 'end'): AlertNotice => ({
  ...target,
  alertUid,
  step,
  kind: 'air',
  beganAt: '2026-03-01T08:00:00Z',
  isDrill: false,
})

test('A begin overtakes the end that is being sent, and the end goes on after it', async () => {
  const { sender, sent } = makeSender(200)
  const ending = sender.send(notice('first', 'end'), target)
  while (sent.length === 0) await turn()
  await sender.send(notice('second', 'begin'), target)
  const endsBefore = sent.indexOf('begin')
  expect(endsBefore).toBeLessThan(200)
  expect(sent.slice(endsBefore)).toEqual(Array<string>(200).fill('begin'))
  await ending
  expect(sent.filter(step => step === 'end')).toHaveLength(200)
})

test('An end waits while a call begins an alert', async () => {
  const { sender, admission, sent } = makeSender(3)
  const { promise: call, resolve } = Promise.withResolvers<void>()
  const beginning = admission.run('alert', { clientId }, () => call)
  const ending = sender.send(notice('first', 'end'), target)
  await pause(30)
  expect(sent).toEqual([])
  resolve()
  await Promise.all([beginning, ending])
  expect(sent).toEqual(['end', 'end', 'end'])
})

test('An end waits a second at most, whoever goes on beginning alerts', async () => {
  const { sender, admission, sent } = makeSender(3)
  const { promise: call, resolve } = Promise.withResolvers<void>()
  const beginning = admission.run('alert', { clientId: 'another' }, () => call)
  await sender.send(notice('first', 'end'), target)
  expect(sent).toEqual(['end', 'end', 'end'])
  resolve()
  await beginning
})

test('While an alert is sent, calls of lower priorities wait and other work has its turns', async () => {
  // Others are held for a second at most, in which a busy machine may not send to all.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { sender, admission, sent } = makeSender(200)
  const sending = sender.send(notice('first', 'begin'), target)
  let turns = 0
  const counting = setInterval(() => (turns += 1), 1)
  const atCall = admission.run('console', { clientId }, () => sent.length)
  const atHeartbeat = admission.run('heartbeat', { clientId }, () => sent.length)
  await sending
  clearInterval(counting)
  vi.runAllTimers()
  expect([await atCall, sent.length]).toEqual([200, 200])
  expect(await atHeartbeat).toBeLessThan(200)
  expect(turns).toBeGreaterThan(1)
})
