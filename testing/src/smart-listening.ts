import { afterEach, expect, vi } from 'vitest'
import { AgentFixture } from './agent-process.ts'
import { makeDay, publishDay, type SmartDay } from './smart-shop.ts'
import type { TestServer } from './test-server.ts'
import { wholeServer } from './whole-server.ts'

const DAY = 86_400_000

/** A published smart playlist that plays three songs and two ads in turn all day, each `seconds` long. */
type PublishedDay = SmartDay & Awaited<ReturnType<typeof publishDay>> & { seconds: number }

async function publishSmartDay(server: TestServer, seconds: number): Promise<PublishedDay> {
  const hours = { startDay: '00:00', endDay: '23:59' }
  const sizes = { melTime: 3 * seconds, adsTime: 2 * seconds, melMode: 'manual', adsMode: 'manual' } as const
  const lengths = { melodies: Array<number>(7).fill(seconds), ads: Array<number>(4).fill(seconds) }
  const day = await makeDay(server, { ...hours, ...sizes }, lengths)
  return { ...day, ...(await publishDay(day)), seconds }
}

const playsOf = ({ shop, deviceUid }: PublishedDay) =>
  shop.scope.reads
    .selectFrom('plays')
    .where('deviceUid', '=', deviceUid)
    .select(['mediaUid', 'trackName', 'scheduledAt', 'startedAt', 'result', 'why'])
    .orderBy('scheduledAt')
    .execute()
type Play = Awaited<ReturnType<typeof playsOf>>[number]

/** Waits until this number of complete plays is stored. */
async function waitForPlays(day: PublishedDay, wholePlays: number): Promise<Play[]> {
  await vi.waitFor(
    async () => {
      const whole = (await playsOf(day)).filter(({ result }) => result === 'complete')
      expect(whole.length).toBeGreaterThanOrEqual(wholePlays)
    },
    { timeout: 120_000 + wholePlays * 2 * day.seconds * 1000, interval: 200 },
  )
  return playsOf(day)
}

/** The planned media from yesterday to tomorrow (UTC), by start. */
function plannedAround({ draft }: PublishedDay): Map<number, string> {
  const today = Math.floor(Date.now() / DAY) * DAY
  const planned = [-DAY, 0, DAY].flatMap(since =>
    draft.finishList.flatMap(({ items }) =>
      items.map(({ uid, start: at }): [number, string] => [today + since + Math.round(at * 1000), uid]),
    ),
  )
  return new Map(planned)
}

/** Compares the plays with the plan: from the first play on, each planned play follows, in order and complete. */
function expectPlanned(plays: readonly Play[], day: PublishedDay): void {
  const planned = plannedAround(day)
  const ads = new Set(day.draft.adsList.map(({ uid }) => uid))
  const [first, ...rest] = plays
  const from = Date.parse(first?.scheduledAt ?? '')
  const heard = plays.map(({ mediaUid, scheduledAt }) => [Date.parse(scheduledAt), mediaUid])
  const moments = plays.map((_, n) => from + n * day.seconds * 1000)
  expect(heard).toEqual(moments.map(at => [at, planned.get(at)]))
  // A song is joined inside. An ad is never joined: the agent waits for the next boundary.
  expect(ads.has(first?.mediaUid ?? '') ? ['complete'] : ['joined', 'complete']).toContain(first?.result)
  // On a busy machine, sound may start late; the agent then cuts a song at its boundary, never an ad.
  for (const { mediaUid, result, why } of rest)
    expect(ads.has(mediaUid) ? ['complete null'] : ['complete null', 'cut schedule']).toContain(
      `${result} ${why}`,
    )
}

/** Starts a real server. Each test runs a real agent that plays a published smart playlist from it. */
export async function smartListening() {
  const server = await wholeServer()
  // The agent follows the server's time, so the server's clock must run.
  Object.defineProperty(server.clock, 'now', { get: () => new Date() })
  const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
  const agents: AgentFixture[] = []
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.clear()
  })
  /** Runs an agent until this number of plays of `seconds` each is complete, and compares all its plays with the plan. */
  const listen = async (wholePlays: number, seconds: number): Promise<number> => {
    const day = await publishSmartDay(server, seconds)
    const agent = await AgentFixture.make()
    agents.push(agent)
    agent.start(origin, { key: day.licenseKey })
    const plays = await waitForPlays(day, wholePlays)
    expectPlanned(plays, day)
    return plays.length
  }
  return { listen }
}
