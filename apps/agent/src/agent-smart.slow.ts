import { smartListening } from '@floorcast/testing/smart-listening.ts'
import { expect, test } from 'vitest'

const { listen } = await smartListening()

test('the agent plays a published smart playlist as planned', { timeout: 180_000 }, async () => {
  expect(await listen(3, 4)).toBeGreaterThanOrEqual(3)
})
