import { check } from '@floorcast/planner/check.ts'
import { plan } from '@floorcast/planner/plan.ts'
import type { Plan, PlanInput } from '@floorcast/planner/plan-types.ts'
import { summarize } from '@floorcast/planner/summary.ts'
import type { Bench, Figure } from './bench-types.ts'
import { dayOf, planPlainly, twoSeconds, type Day } from './planner-days.ts'

const ROUNDS = 31
const short = { melody: twoSeconds, ad: twoSeconds }

/** Both ways plan each day in turn, so that other load of the machine affects both. */
const days = {
  small: { melodies: 20, ads: 5, hours: 24 },
  shop: { melodies: 1000, ads: 200, hours: 24 },
  shopHour: { melodies: 1000, ads: 200, hours: 1 },
  weighted: { melodies: 1000, ads: 200, hours: 24, isWeighted: true },
  apart: { melodies: 1000, ads: 200, hours: 24, minAdGap: 7200 },
  huge: { melodies: 50_000, ads: 5000, hours: 24 },
  short1: { melodies: 1000, ads: 200, hours: 1, lengths: short },
  short10: { melodies: 1000, ads: 200, hours: 10, lengths: short },
  short24: { melodies: 1000, ads: 200, hours: 24, lengths: short },
} satisfies Record<string, Day>

const middle = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

function timed<T>(work: () => T): { result: T; ms: number } {
  const startedAt = performance.now()
  const result = work()
  return { result, ms: performance.now() - startedAt }
}

function planned(input: PlanInput): Plan {
  const made = plan(input)
  if ('refusal' in made) throw new Error(`Refused: ${JSON.stringify(made.refusal)}`)
  return made
}

interface Taken {
  ms: number
  mean: number
  worst: number
  idle: number
  broken: number
  plays: number
}

function takeDay(input: PlanInput) {
  const own = timed(() => planned(input))
  const { summary } = own.result
  const plain = timed(() => {
    const blocks = planPlainly(input, summary.windowSeconds)
    return { blocks, summary: summarize(blocks, input) }
  })
  return [own, plain].map(({ result, ms }): Taken => {
    const {
      meanDeviationSeconds: mean,
      worstDeviationSeconds: worst,
      idleSeconds: idle,
      plays,
    } = result.summary
    return { ms, mean, worst, idle, plays, broken: check(result, input).length }
  })
}

/** The median of many seeds for times, and the worst seed for all other figures. */
function gather(taken: readonly Taken[]): Taken {
  const most = (pick: (one: Taken) => number) => Math.max(...taken.map(pick))
  return {
    ms: middle(taken.map(({ ms }) => ms)),
    mean: most(({ mean }) => mean),
    worst: most(({ worst }) => worst),
    idle: most(({ idle }) => idle),
    broken: most(({ broken }) => broken),
    plays: middle(taken.map(({ plays }) => plays)),
  }
}

function measureDay(day: Day): { own: Taken; plain: Taken } {
  const input = dayOf(day)
  for (let seed = 0; seed < 5; seed++) takeDay({ ...input, seed })
  const rounds = [...Array(ROUNDS).keys()].map(seed => takeDay({ ...input, seed }))
  const [own, plain] = [0, 1].map(way => gather(rounds.flatMap(round => round[way] ?? [])))
  if (!own || !plain) throw new Error('Nothing was measured')
  return { own, plain }
}

/** Compares milliseconds per play of one day and of 24 plans of an hour, which are as much work, so that load affects both alike. */
function measureGrowth(day: Day): number {
  const [whole, hour] = [dayOf({ ...day, hours: 24 }), dayOf({ ...day, hours: 1 })]
  const seeds = [...Array(24).keys()]
  const ratios = seeds.map(seed => {
    const long = timed(() => planned({ ...whole, seed }).summary.plays)
    const short = timed(() => seeds.reduce((sum, n) => sum + planned({ ...hour, seed: n }).summary.plays, 0))
    return long.ms / long.result / (short.ms / short.result)
  })
  return middle(ratios)
}

function figuresOf(name: string, day: Day): Record<string, Figure> {
  const { melodies, ads, hours, lengths, isWeighted, minAdGap } = day
  const kind = `${lengths ? ' of 2 s' : ''}${isWeighted ? ' weighted' : ''}${minAdGap ? ' apart' : ''}`
  const list = `${melodies}/${ads}${kind}, ${hours} h`
  const isGoal = name === 'shop'
  return {
    [`${name}Ms`]: { what: `${list}: a plan`, unit: 'ms', ...(isGoal ? { atMost: 30 } : {}) },
    [`${name}PlainMs`]: { what: `${list}: the plain way`, unit: 'ms' },
    [`${name}Mean`]: { what: `${list}: mean deviation`, unit: 's', ...(isGoal ? { atMost: 0.1 } : {}) },
    [`${name}PlainMean`]: { what: `${list}: the plain way's`, unit: 's' },
    [`${name}Worst`]: { what: `${list}: worst deviation`, unit: 's' },
    [`${name}PlainWorst`]: { what: `${list}: the plain way's`, unit: 's' },
    [`${name}Idle`]: { what: `${list}: idle tail`, unit: 's', ...(isGoal ? { atMost: 0.5 } : {}) },
    [`${name}PlainIdle`]: { what: `${list}: the plain way's`, unit: 's' },
    [`${name}Broken`]: { what: `${list}: rules broken`, unit: '', atMost: 0 },
    [`${name}PlainBroken`]: { what: `${list}: the plain way's`, unit: '' },
  }
}

const growth = (what: string): Figure => ({
  what: `${what}: time a play, 24 h against 24 times 1 h`,
  unit: '',
  atMost: 1.2,
})

const bench: Bench = {
  name: 'planner',
  what: `Plans of a smart playlist over ${ROUNDS} seeds: middle of the times, else the worst`,
  figures: {
    ...Object.fromEntries(
      Object.entries(days).flatMap(([name, day]) => Object.entries(figuresOf(name, day))),
    ),
    shopGrowth: growth('1000/200'),
    shortGrowth: growth('1000/200 of 2 s'),
  },
  run: () => {
    const values: Record<string, number> = {}
    for (const [name, day] of Object.entries(days)) {
      const { own, plain } = measureDay(day)
      console.error(`${name}: ${own.plays} plays`)
      Object.assign(values, {
        [`${name}Ms`]: own.ms,
        [`${name}PlainMs`]: plain.ms,
        [`${name}Mean`]: own.mean,
        [`${name}PlainMean`]: plain.mean,
        [`${name}Worst`]: own.worst,
        [`${name}PlainWorst`]: plain.worst,
        [`${name}Idle`]: own.idle,
        [`${name}PlainIdle`]: plain.idle,
        [`${name}Broken`]: own.broken,
        [`${name}PlainBroken`]: plain.broken,
      })
    }
    const [shopGrowth, shortGrowth] = [measureGrowth(days.shop), measureGrowth(days.short24)]
    return Promise.resolve({ ...values, shopGrowth, shortGrowth })
  },
}
export default bench
