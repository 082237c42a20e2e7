import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { LineFault } from '@floorcast/fleet/faults.ts'
import { type AgentRun, mpvsOf } from '@floorcast/testing/agent-process.ts'
import type { DeviceFixture } from '@floorcast/testing/device-fixture.ts'
import type { SmallDisk } from '@floorcast/testing/small-disk.ts'

/** An agent under test and what is around it. */
export interface Struck {
  device: DeviceFixture
  run: AgentRun
  disk: SmallDisk
  dataDir: string
  url: string
  /** Sets the machine's clock, as the agent sees it, ahead of the right time. */
  shiftClock: (milliseconds: number) => void
}

export interface Fault {
  name: string
  /** Whether the music must go on: it is not the player itself that ends. */
  isOutside: boolean
  line?: LineFault
  strike: (struck: Struck, round: number) => Promise<void> | void
}

/** The agent's process, which its supervisor has started, at the latest after its wait for a next start. */
async function agentOf({ device, run }: Struck): Promise<number> {
  let agent: number | undefined
  await device.until(async () => {
    ;[agent] = await mpvsOf(run.pid)
    if (agent === undefined) throw new Error('The supervisor has started no agent')
  })
  return agent ?? Number.NaN
}

/** Each round damages another file: one that is damaged twice within a day is not fetched again before the next. */
function damageMedia({ dataDir }: Struck, round: number, damage: (path: string) => void): void {
  const folder = join(dataDir, 'media')
  const names = readdirSync(folder).filter(each => /^[0-9a-f]{64}$/.test(each))
  const name = names.toSorted()[round % names.length]
  if (name !== undefined) damage(join(folder, name))
}

const LINES: readonly (readonly [string, LineFault])[] = [
  ['line of 16 kbit/s', 'slow'],
  ['line that stalls', 'stalled'],
  ['line cut', 'cut'],
  ['line half-open', 'never-reads'],
  ['line with corrupt bytes', 'corrupt'],
  ['line that loses answers', 'lost-answers'],
]
const DAY_MS = 86_400_000
const CLOCKS: readonly (readonly [string, () => number])[] = [
  ['clock a day back', () => -DAY_MS],
  ['clock a year ahead', () => 365 * DAY_MS],
  ['clock of 1970', () => -Date.now()],
]

/** Everything that the table of faults is about. A line has its fault from the start of the agent. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'agent killed',
    isOutside: false,
    strike: async struck => {
      const agent = await agentOf(struck)
      // The supervisor waits longer after each run that was short.
      await pause(9000)
      process.kill(agent, 'SIGKILL')
    },
  },
  {
    name: 'mpv killed',
    isOutside: false,
    strike: async struck => {
      for (const pid of await mpvsOf(await agentOf(struck))) process.kill(pid, 'SIGKILL')
    },
  },
  {
    name: 'server killed',
    isOutside: true,
    strike: async ({ device }) => {
      await device.server.stop()
      await pause(2000)
      await device.server.start()
    },
  },
  ...LINES.map(([name, line]): Fault => ({ name, isOutside: true, line, strike: () => undefined })),
  ...CLOCKS.map(([name, ahead]): Fault => ({
    name,
    isOutside: true,
    // Every other time it is set right.
    strike: ({ shiftClock }, round) => shiftClock(round % 2 === 0 ? ahead() : 0),
  })),
  {
    name: 'second agent of the disk',
    isOutside: true,
    strike: async ({ device, url }) => {
      const second = device.agent.start(url)
      await pause(2000)
      await second.kill('SIGKILL')
    },
  },
  {
    name: 'disk full',
    isOutside: true,
    strike: async ({ disk }) => {
      disk.fill('some', 0)
      await pause(2000)
      disk.free('some')
    },
  },
  {
    name: 'media folder deleted',
    isOutside: true,
    strike: ({ dataDir }) => rmSync(join(dataDir, 'media'), { recursive: true, force: true }),
  },
  {
    name: 'data folder deleted',
    isOutside: true,
    strike: ({ dataDir }) => rmSync(dataDir, { recursive: true, force: true }),
  },
  {
    name: 'file deleted',
    isOutside: true,
    strike: (struck, round) => damageMedia(struck, round, path => rmSync(path)),
  },
  {
    name: 'file truncated',
    isOutside: true,
    strike: (struck, round) =>
      damageMedia(struck, round, path => truncateSync(path, Math.floor(readFileSync(path).length / 2))),
  },
  {
    name: 'file corrupted',
    isOutside: true,
    strike: (struck, round) =>
      damageMedia(struck, round, path => writeFileSync(path, Buffer.alloc(readFileSync(path).length, 0x55))),
  },
]
