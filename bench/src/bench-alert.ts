import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { channelPath } from '@floorcast/contract/device-protocol.ts'
import { changePublicationState } from '@floorcast/contract/publications.ts'
import { type Bench, numberOption } from './bench-types.ts'
import { bindDevices, type FilledDevice } from './chain-fill.ts'
import { type Chain, connectFleet, withChain } from './connected-chain.ts'
import type { FleetFixture } from './fleet-fixture.ts'
import type { FleetProcess } from './fleet-process.ts'
import { hasMosquitto, startMosquitto } from './mosquitto.ts'
import { percentile } from './percentile.ts'
import { type ReceiverProcess, startReceivers } from './receiver-process.ts'

const DEVICES = 10_000
/** The share of the devices that receive apart while the others are a fleet, in the middle of a wave. */
const APART_SHARE = 0.1
const ALERTS = 50
const WAVE_ALERTS = 10
const PER_SECOND = 400
const BETWEEN_MS = 300
/** The time after an alert in which the devices of all channels send their receipts. Mosquitto has the same pauses. */
const RECEIPTS_MS = 3000
const STORED_STEP_MS = 200
const MAX_WAIT_MS = 20_000
/** Alerts begin in the first seconds of a wave. */
const WAVE_STEP_MS = 1500
const SETTLE_MS = 30_000
const TOPIC = 'alerts'

const alertParams = { uid: 'all', alerttype: 'air' } as const

interface Received {
  /** Milliseconds from the begin of each alert to each receipt. */
  times: number[]
  /** Of each alert, the last receipt. */
  lasts: number[]
  /** Of each alert, until the call to begin it is answered. */
  calls: number[]
  missing: number
  /** Receipts that are not stored. */
  unstored: number
  uncommitted: number
  lagMs: number
  lagMax: number
  /** Of the server's event loop. */
  loopP99: number
  loopMax: number
}

const described = ({ lasts, calls }: Received) =>
  `last after ${lasts.join(', ')} ms; the calls took ${calls.join(', ')} ms`

/** Waits until all receivers have an alert, or for MAX_WAIT_MS, and adds its times. */
async function collect(
  receivers: { process: ReceiverProcess; count: number },
  alert: { uid: string; begunAt: number; callMs?: number; waitMs?: number },
  received: Received,
): Promise<void> {
  if (alert.callMs !== undefined) received.calls.push(alert.callMs)
  await pause(alert.waitMs ?? BETWEEN_MS)
  const times: number[] = []
  let isCommitted = true
  while (times.length < receivers.count && Date.now() - alert.begunAt < MAX_WAIT_MS) {
    const arrivals = await receivers.process.arrivalsOf(alert.uid)
    times.push(...arrivals.times.map(at => at - alert.begunAt))
    isCommitted &&= arrivals.isCommitted
    Object.assign(received, { lagMs: arrivals.lagMs, lagMax: arrivals.lagMax })
    if (times.length < receivers.count) await pause(100)
  }
  for (const ms of times) received.times.push(ms)
  received.lasts.push(times.length < receivers.count ? Number.NaN : Math.max(...times.slice(-1000)))
  received.missing += Math.max(0, receivers.count - times.length)
  received.uncommitted += isCommitted ? 0 : 1
}

const nothingReceived = (): Received => ({
  times: [],
  lasts: [],
  calls: [],
  missing: 0,
  unstored: 0,
  uncommitted: 0,
  lagMs: 0,
  lagMax: 0,
  loopP99: 0,
  loopMax: 0,
})

/** Whether nothing arrived at all, as from a server that sends no alerts on channels. */
const isHopeless = ({ times, missing }: Received, count: number) => times.length === 0 && missing >= count

const shareOf = (times: readonly number[], part: number) => percentile(Float64Array.from(times).sort(), part)
/** NaN if one is: an alert that did not reach all. */
const worst = (values: readonly number[]) => Math.max(...values)

async function begin({ call }: FleetFixture): Promise<{ uid: string; begunAt: number; callMs: number }> {
  const begunAt = Date.now()
  const { uid = '' } = await call(beginAlert, { params: alertParams })
  return { uid, begunAt, callMs: Date.now() - begunAt }
}

function receiveAsDevices(fixture: FleetFixture, devices: readonly FilledDevice[]): Promise<ReceiverProcess> {
  return startReceivers({
    port: Number(new URL(fixture.deviceOrigin).port),
    perSecond: PER_SECOND,
    channels: devices.map(({ uid, token }) => ({
      path: `${buildPath(channelPath, { playpointid: uid })}?protocol=2`,
      token,
    })),
    databaseUrl: fixture.superuserUrl,
  })
}

/** Counts the receipts of all alerts since then. It waits for the last ones, MAX_WAIT_MS at most. */
async function countReceipts({ superuser }: FleetFixture, since: Date, expected: number): Promise<number> {
  const endsAt = Date.now() + MAX_WAIT_MS
  for (;;) {
    const { rows } = await superuser.query<{ receipts: number }>(
      'select count(*)::int as receipts from alert_receipts where received_at >= $1',
      [since],
    )
    const receipts = rows[0]?.receipts ?? 0
    if (receipts >= expected || Date.now() > endsAt) return receipts
    await pause(500)
  }
}

/** Waits RECEIPTS_MS. @returns the milliseconds from an alert's begin until its last receipt is stored; null if it is not yet */
async function waitForReceipts(
  { superuser }: FleetFixture,
  alert: { uid: string; begunAt: number },
  count: number,
): Promise<number | null> {
  const endsAt = Date.now() + RECEIPTS_MS
  let storedMs: number | null = null
  while (storedMs === null && Date.now() < endsAt - STORED_STEP_MS) {
    await pause(STORED_STEP_MS)
    const { rows } = await superuser.query<{ receipts: number }>(
      'select count(*)::int as receipts from alert_receipts where alert_uid = $1',
      [alert.uid],
    )
    if ((rows[0]?.receipts ?? 0) >= count) storedMs = Date.now() - alert.begunAt
  }
  await pause(Math.max(0, endsAt - Date.now()))
  return storedMs
}

/** Alerts to all devices, each connected by a receiver that only notes the time. */
async function measureAlerts({ fixture, devices }: Chain): Promise<Received> {
  await bindDevices(fixture.superuser, devices)
  const process = await receiveAsDevices(fixture, devices)
  const received = nothingReceived()
  const stored: (number | null)[] = []
  const since = new Date()
  await fixture.takeLoopDelay()
  const end = fixture.measureProcessors(process.pid)
  for (let count = 0; count < ALERTS; count += 1) {
    const alert = await begin(fixture)
    await collect({ process, count: devices.length }, alert, received)
    await fixture.call(endAlert, { params: alertParams })
    if (isHopeless(received, devices.length)) break
    stored.push(await waitForReceipts(fixture, alert, devices.length))
  }
  console.error(`${ALERTS} alerts: ${JSON.stringify(end())} (fleet: the receivers); ${described(received)}`)
  console.error(`The last receipt is stored after ${stored.map(ms => ms ?? 'more').join(', ')} ms`)
  const { p99: loopP99, max: loopMax } = await fixture.takeLoopDelay()
  const unstored = received.times.length - (await countReceipts(fixture, since, received.times.length))
  Object.assign(received, { loopP99, loopMax, unstored })
  await process.stop()
  return received
}

/** The same number of messages of the same size to as many subscribers of Mosquitto. */
async function measureMosquitto(folder: string, count: number): Promise<Received> {
  const received = nothingReceived()
  const broker = await startMosquitto(folder)
  const channels = Array.from({ length: count }, (_, index) => ({ id: `shop-${index}`, topic: TOPIC }))
  const process = await startReceivers({
    port: broker.port,
    perSecond: PER_SECOND,
    channels,
    databaseUrl: null,
  })
  for (let alert = 0; alert < ALERTS; alert += 1) {
    const uid = randomUUID()
    const begunAt = Date.now()
    const message = {
      type: 'alert',
      alertUid: uid,
      kind: 'air',
      step: 'begin',
      beganAt: new Date().toISOString(),
    }
    broker.publish(TOPIC, JSON.stringify({ ...message, isDrill: false, sound: 'a'.repeat(64) }))
    await collect({ process, count }, { uid, begunAt }, received)
    await pause(RECEIPTS_MS)
  }
  await process.stop()
  await broker.stop()
  return received
}

/** Alerts while a publication's wave goes through the fleet; a part of the devices receives apart. */
async function measureInWave(chain: Chain, args: readonly string[]) {
  const { fixture, devices, simpleUid } = chain
  const count = Math.max(1, Math.round(devices.length * APART_SHARE))
  const apart = devices.slice(0, count)
  const fleet: FleetProcess = await connectFleet(chain, devices.slice(count), args)
  await bindDevices(fixture.superuser, apart)
  const process = await receiveAsDevices(fixture, apart)
  const turn = () => fixture.call(changePublicationState, { params: { id: simpleUid } })
  await turn()
  await pause(SETTLE_MS)
  fleet.mark()
  const received = nothingReceived()
  await turn()
  for (let alert = 0; alert < WAVE_ALERTS; alert += 1) {
    await collect({ process, count }, { ...(await begin(fixture)), waitMs: WAVE_STEP_MS }, received)
    await fixture.call(endAlert, { params: alertParams })
    if (isHopeless(received, count)) break
  }
  const { alerts } = await fleet.summary()
  console.error(`In the wave: ${described(received)}; the fleet's own receipts: ${JSON.stringify(alerts)}`)
  await process.stop()
  await fleet.stop()
  return { received, alerts }
}

async function measure(chain: Chain, args: readonly string[]): Promise<Record<string, number>> {
  const { fixture, devices } = chain
  const wave = await measureInWave(chain, args)
  await fixture.restart()
  const alerts = await measureAlerts(chain)
  const one = args.includes('--cell') ? await fixture.becomeOne().then(() => measureAlerts(chain)) : null
  await fixture.stopServers()
  if (!hasMosquitto()) console.error('Without Mosquitto there is no comparison: apt-get install mosquitto')
  const mqtt = hasMosquitto() && !one ? await measureMosquitto(fixture.folder, devices.length) : null
  return {
    last: worst(alerts.lasts),
    p50: shareOf(alerts.times, 0.5),
    p99: shareOf(alerts.times, 0.99),
    missing: alerts.missing,
    unstored: alerts.unstored,
    uncommitted: alerts.uncommitted,
    loopP99: alerts.loopP99,
    loopMax: alerts.loopMax,
    lagMs: alerts.lagMs,
    lagMax: alerts.lagMax,
    waveP99: shareOf(wave.received.times, 0.99),
    waveLast: worst(wave.received.lasts),
    waveMissing: wave.received.missing,
    waveFleetP99: wave.alerts.p99 ?? Number.NaN,
    ...(one && {
      oneP99: shareOf(one.times, 0.99),
      besideOne: shareOf(alerts.times, 0.99) / shareOf(one.times, 0.99),
    }),
    ...(mqtt && {
      mqttLast: worst(mqtt.lasts),
      mqttP50: shareOf(mqtt.times, 0.5),
      mqttP99: shareOf(mqtt.times, 0.99),
      mqttLagMs: mqtt.lagMs,
      besideMqtt: shareOf(alerts.times, 0.99) / shareOf(mqtt.times, 0.99),
    }),
  }
}

const bench: Bench = {
  name: 'alert',
  what: 'Alerts to all devices of a client, on receivers that only note the time, beside Mosquitto; and in the middle of a publication’s wave. --devices N (10,000), --faulty PERCENT (0), --cell (2 api and 2 stream servers behind HAProxy), --profile',
  options: ['--cell', '--profile'],
  numbers: ['--devices', '--faulty'],
  figures: {
    last: { what: 'alert begun until the last channel has it, worst of 50', unit: 'ms', atMost: 1000 },
    p50: { what: 'p50 of all alerts and channels', unit: 'ms' },
    p99: { what: 'p99 of all alerts and channels', unit: 'ms', atMost: 300 },
    missing: { what: 'channels that did not get an alert', unit: '', atMost: 0 },
    unstored: { what: 'receipts that the server has not stored', unit: '', atMost: 0 },
    uncommitted: { what: 'alerts whose row was not committed before', unit: '', atMost: 0 },
    lagMs: { what: 'event loop of the receivers, p99', unit: 'ms' },
    lagMax: { what: 'event loop of the receivers, worst', unit: 'ms' },
    loopP99: { what: 'event loop of the server, p99', unit: 'ms', atMost: 50 },
    loopMax: { what: 'event loop of the server, worst', unit: 'ms' },
    waveP99: { what: 'in the middle of a wave, p99', unit: 'ms', atMost: 500 },
    waveLast: { what: 'in the middle of a wave, worst', unit: 'ms' },
    waveMissing: { what: 'in the middle of a wave, channels that did not get an alert', unit: '', atMost: 0 },
    waveFleetP99: { what: 'in the middle of a wave, p99 as the fleet counts', unit: 'ms' },
    oneP99: { what: 'the same devices at one server, p99', unit: 'ms' },
    besideOne: { what: 'p99 beside one server', unit: '×', atMost: 1.3 },
    mqttLast: { what: 'Mosquitto QoS 1 with as many subscribers, worst of 50', unit: 'ms' },
    mqttP50: { what: 'Mosquitto, p50', unit: 'ms' },
    mqttP99: { what: 'Mosquitto, p99', unit: 'ms' },
    mqttLagMs: { what: 'Mosquitto: event loop of the receivers, p99', unit: 'ms' },
    besideMqtt: { what: 'p99 beside Mosquitto', unit: '×', atMost: 1 },
  },
  run: args =>
    withChain(args, { count: numberOption(args, '--devices', DEVICES) }, chain => measure(chain, args)),
}
export default bench
