import { afterEach, expect, vi } from 'vitest'
import { AgentFixture } from './agent-process.ts'
import { makeDay, publishDay, type SmartDay } from './smart-shop.ts'
import { type TestServer, testServer } from './test-server.ts'

const DAY = 86_400_000

/** A smart playlist on the air, of tracks that last so many seconds each, three songs and two ads in turn, round the clock. */
type OnAir = SmartDay & Awaited<ReturnType<typeof publishDay>> & { seconds: number }

async function makeAir(server: TestServer, seconds: number): Promise<OnAir> {
  const hours = { startDay: '00:00', endDay: '23:59' }
  const sizes = { melTime: 3 * seconds, adsTime: 2 * seconds, melMode: 'manual', adsMode: 'manual' } as const
  const lengths = { melodies: Array<number>(7).fill(seconds), ads: Array<number>(4).fill(seconds) }
  const day = await makeDay(server, { ...hours, ...sizes }, lengths)
  return { ...day, ...(await publishDay(day)), seconds }
}

const playsOf = ({ shop, deviceUid }: OnAir) =>
  shop.scope.reads
    .selectFrom('plays')
    .where('deviceUid', '=', deviceUid)
    .select(['mediaUid', 'trackName', 'scheduledAt', 'startedAt', 'result', 'why'])
    .orderBy('scheduledAt')
    .execute()
type Play = Awaited<ReturnType<typeof playsOf>>[number]

/** Waits until so many whole plays are stored. */
async function hear(air: OnAir, wholePlays: number): Promise<Play[]> {
  await vi.waitFor(
    async () => {
      const whole = (await playsOf(air)).filter(({ result }) => result === 'complete')
      expect(whole.length).toBeGreaterThanOrEqual(wholePlays)
    },
    { timeout: 120_000 + wholePlays * 2 * air.seconds * 1000, interval: 200 },
  )
  return playsOf(air)
}

/** The plan's plays of yesterday to tomorrow (UTC), by their moments. */
function plannedAround({ draft }: OnAir): Map<number, string> {
  const today = Math.floor(Date.now() / DAY) * DAY
  const planned = [-DAY, 0, DAY].flatMap(since =>
    draft.finishList.flatMap(({ items }) =>
      items.map(({ uid, start: at }): [number, string] => [today + since + Math.round(at * 1000), uid]),
    ),
  )
  return new Map(planned)
}

/** Holds what was heard against the plan: each planned play in its turn and whole, once sound began. */
function expectPlanned(plays: readonly Play[], air: OnAir): void {
  const planned = plannedAround(air)
  const ads = new Set(air.draft.adsList.map(({ uid }) => uid))
  const [first, ...rest] = plays
  const from = Date.parse(first?.scheduledAt ?? '')
  const heard = plays.map(({ mediaUid, scheduledAt }) => [Date.parse(scheduledAt), mediaUid])
  const moments = plays.map((_, n) => from + n * air.seconds * 1000)
  expect(heard).toEqual(moments.map(at => [at, planned.get(at)]))
  // Begun inside a song it is joined; an ad is never joined, the next boundary is waited for.
  expect(ads.has(first?.mediaUid ?? '') ? ['complete'] : ['joined', 'complete']).toContain(first?.result)
  // On a busy machine sound may begin late; then a song is shortened at its boundary, never an ad.
  for (const { mediaUid, result, why } of rest)
    expect(ads.has(mediaUid) ? ['complete null'] : ['complete null', 'cut schedule']).toContain(
      `${result} ${why}`,
    )
}

/** A real server, and a real agent for each test that plays a published smart playlist from it. */
export async function smartListening() {
  const server = await testServer()
  // The agent lives by the server's time, so that has to run.
  Object.defineProperty(server.clock, 'now', { get: () => new Date() })
  const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
  const agents: AgentFixture[] = []
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.clear()
  })
  /** Lets an agent play until so many plays (of `seconds` each) were heard whole, and holds all it played against the plan. */
  const listen = async (wholePlays: number, seconds: number): Promise<number> => {
    const air = await makeAir(server, seconds)
    const agent = await AgentFixture.make()
    agents.push(agent)
    agent.start(origin, { key: air.licenseKey })
    const plays = await hear(air, wholePlays)
    expectPlanned(plays, air)
    return plays.length
  }
  return { listen }
}
