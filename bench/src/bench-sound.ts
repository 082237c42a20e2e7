import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { SoundRecorder } from '@floorcast/testing/sound-recorder.ts'
import { type Bench, numberOption, textOption } from './bench-types.ts'
import { measureAlerts } from './sound-alerts.ts'
import { measureChains } from './sound-chains.ts'
import { measureCrossfades } from './sound-crossfades.ts'
import { SoundShop } from './sound-shop.ts'

const MINUTES = 10
const ALERTS = 50
const PARTS = ['alerts', 'crossfades', 'chains']

const hasProgram = (program: string) => spawnSync(program, ['-version']).error === undefined

async function measure(folder: string, args: readonly string[]): Promise<Record<string, number>> {
  const only = textOption(args, '--only')
  if (only !== null && !PARTS.includes(only)) throw new Error(`--only needs one of: ${PARTS.join(', ')}`)
  const isWanted = (part: string) => only === null || only === part
  const recorder = await SoundRecorder.start(folder)
  const moved = await recorder.calibrate()
  console.error(`The recorder’s first sample is ${moved.toFixed(1)} ms later than its bytes say`)
  const shop = await SoundShop.open(args, recorder.environment)
  const room = { shop, recorder, folder }
  const load = () =>
    `load ${loadavg()
      .map(each => each.toFixed(2))
      .join(' ')}`
  try {
    console.error(`At the start: ${load()}`)
    const figures: Record<string, number> = {}
    const alerts = { count: numberOption(args, '--alerts', ALERTS), isBusy: args.includes('--busy') }
    if (isWanted('alerts')) Object.assign(figures, await measureAlerts(room, alerts))
    if (isWanted('crossfades')) Object.assign(figures, await measureCrossfades(room))
    if (isWanted('chains'))
      Object.assign(figures, await measureChains(room, numberOption(args, '--minutes', MINUTES)))
    console.error(`At the end: ${load()}`)
    return { ...figures, recorderMoved: Math.abs(await recorder.calibrate()) }
  } finally {
    await shop.close()
    await recorder.stop()
  }
}

async function run(args: readonly string[]): Promise<Record<string, number>> {
  if (!SoundRecorder.isPossible() || !hasProgram('ffmpeg'))
    throw new Error('It records sound: apt-get install pulseaudio pulseaudio-utils ffmpeg mpv liquidsoap')
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-sound-'))
  try {
    return await measure(folder, args)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const bench: Bench = {
  name: 'sound',
  what: 'What the agent plays, recorded from a PulseAudio null sink (calibrated by clicks), beside plain mpv and Liquidsoap. --minutes N (10), --alerts N (50), --busy adds alerts with both cores busy, --only alerts|crossfades|chains, --profile',
  options: ['--busy', '--profile'],
  numbers: ['--minutes', '--alerts'],
  texts: ['--only'],
  figures: {
    alertP50: { what: 'alert, from the answer of its call to its first sample, p50', unit: 'ms' },
    alertP95: { what: 'alert, p95', unit: 'ms', atMost: 100 },
    alertWorst: { what: 'alert, worst', unit: 'ms' },
    alertSilence: { what: 'longest silence before an alert', unit: 'ms', atMost: 5 },
    faultyAlert: { what: 'alert whose sound is damaged, empty or gone, worst', unit: 'ms', atMost: 200 },
    busyP50: { what: 'alert with both cores busy, p50', unit: 'ms' },
    busyP95: { what: 'alert with both cores busy, p95', unit: 'ms', atMost: 200 },
    busyWorst: { what: 'alert with both cores busy, worst', unit: 'ms' },
    busySilence: { what: 'longest silence before an alert with both cores busy', unit: 'ms', atMost: 5 },
    crossfadeOff: { what: 'begin or end of a fade off its time, worst', unit: 'ms', atMost: 5 },
    clockOff: { what: 'the device’s time off the server’s, by these', unit: 'ms' },
    crossfadeLevel: { what: 'level off the curve, worst', unit: 'dB', atMost: 0.3 },
    joins: { what: 'joins heard', unit: '' },
    gap: { what: 'samples added or lost at a join, worst', unit: '', atMost: 0.05 },
    correctedGap: {
      what: 'the same after a track whose speed was corrected, and which is resampled',
      unit: '',
      atMost: 0.5,
    },
    mixedGap: { what: 'the same where rates and channels change', unit: '' },
    untaggedGap: { what: 'added at a join of files without LAME tags, worst', unit: 'ms', atMost: 46 },
    settledAfter: { what: 'on its schedule after', unit: 's' },
    drift: { what: 'drift since then', unit: 'ms', atMost: 20 },
    offSchedule: { what: 'off the schedule since then, worst', unit: 'ms' },
    resampling: { what: 'fastest correction', unit: '‰', atMost: 1 },
    mpvGap: { what: 'plain mpv: samples added or lost at a join, worst', unit: '' },
    mpvDrift: { what: 'plain mpv: drift', unit: 'ms' },
    mpvUntaggedGap: { what: 'plain mpv: added at a join without tags, worst', unit: 'ms' },
    liquidsoapGap: { what: 'Liquidsoap: samples added or lost at a join, worst', unit: '' },
    liquidsoapDrift: { what: 'Liquidsoap: drift', unit: 'ms' },
    liquidsoapUntaggedGap: { what: 'Liquidsoap: added at a join without tags, worst', unit: 'ms' },
    recorderMoved: { what: 'clock of the recorder at the end, off that at the start', unit: 'ms' },
  },
  run,
}
export default bench
