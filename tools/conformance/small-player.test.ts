import { SmallPlayer } from '@floorcast/testing/small-player.ts'
import type { PlayerFaults } from '@floorcast/testing/small-player-reports.ts'
import { expect, test } from 'vitest'
import type { PlayerCheck } from './player-check.ts'
import { findBroken, playerChecks, playerGroups, startChecks } from './player-checks.ts'
import { prepareServer } from './programmes.ts'

/** The checks need not wait long for a player whose fault is that nothing comes. */
const [PATIENCE_SECONDS, BROKEN_PATIENCE_SECONDS] = [30, 8]
/** Shops open at the next minute. */
const FIRST_SECOND = 48

/** Checks a player with these faults. @returns the rules that it does not hold, with why */
async function check(faults: PlayerFaults, checks: readonly PlayerCheck[]): Promise<string[]> {
  const isBroken = Object.keys(faults).length > 0
  const patienceSeconds = isBroken ? BROKEN_PATIENCE_SECONDS : PATIENCE_SECONDS
  const server = await prepareServer({ patienceSeconds, firstSecond: FIRST_SECOND })
  const player = new SmallPlayer(server.url, { faults })
  await player.start()
  const broken = await findBroken(checks, { server, hasProgram: true })
  player.stop()
  await server.stop()
  return broken
}

const begin = startChecks.slice(0, 4)
const { loop, day, alerts, hours, commands } = playerGroups
const groups = Object.values(playerGroups)

/** Each fault with the rule that it breaks, and checks among which it is. Rules that need what the broken one plays fail too. */
const broken: [keyof PlayerFaults, string, readonly PlayerCheck[]][] = [
  ['followsRedirects', 'Follows no redirect with its token', begin],
  ['startsNow', 'Begins where the timeline is, and plays each item when the timeline says', loop],
  ['playsOnce', 'Plays an item as often in a row as it says', loop],
  ['ignoresServerTime', "Dates its events by the server's time", loop],
  ['namesNoStart', 'Names in heartbeats the track that sounds, with the moment at which it began', loop],
  ['ignoresZone', 'Begins a delayed publication at its wall time in the zone of the device', day],
  ['cutsNothing', 'Logs a play that a publication interrupts as cut', day],
  ['cutsNothing', 'Logs a play that an alert interrupts as cut', alerts],
  ['ignoresGaps', 'Plays the blocks of a smart playlist, with their gaps', day],
  ['repeatsAlerts', 'Sounds an alert of the manifest and of answers, and sounds it once', alerts],
  ['ignoresHours', 'Is silent outside the opening hours, and says so', hours],
  ['opensAtActivation', 'Begins its loop at the opening, and not before', hours],
  ['ignoresStartTime', 'Plays an item with a start time at its time, once', hours],
  ['ignoresDates', 'Is silent outside the dates of a playlist, and says so', hours],
  ['ignoresVolume', 'Follows the command `volume`, and says its volume in heartbeats', commands],
  ['sendsNoLog', 'Follows `send-log`, and `identify` also in silence, or says why not', commands],
  ['ignoresRetryAfter', 'Waits as long as Retry-After says', commands],
  [
    'takesAnyUpdate',
    'Refuses an update without a valid signature before it downloads it, and reports this',
    commands,
  ],
]

/** They mostly wait: all at once. */
const honest = Promise.all(groups.map(checks => check({}, checks)))
const failures = broken.map(([fault, , checks]) => check({ [fault]: true }, checks))

test('a player that was written from the page alone holds every rule', async () => {
  expect((await honest).flat()).toEqual([])
  expect(new Set(groups.flat())).toEqual(new Set(playerChecks))
})

test.each(broken.map(([fault, rule], index) => ({ fault, rule, index })))(
  'a player that $fault fails the rule: $rule',
  async ({ rule, index }) => {
    const failed = (await failures[index]) ?? []
    const ofRule = failed.filter(line => line.startsWith(`${rule}: `))
    expect(ofRule, `Failed instead:\n${failed.join('\n')}`).toHaveLength(1)
  },
)
