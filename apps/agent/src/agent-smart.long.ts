import { smartListening } from '@floorcast/testing/smart-listening.ts'
import { expect, test } from 'vitest'

const TEN_MINUTES_OF_PLAYS = 75

const { listen } = await smartListening()

test('the agent plays ten minutes of a published smart playlist as planned', async () => {
  expect(await listen(TEN_MINUTES_OF_PLAYS, 8)).toBeGreaterThanOrEqual(TEN_MINUTES_OF_PLAYS)
})
