import { readUpdateKey } from '@floorcast/contract/updates.ts'
import { expect, it } from 'vitest'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { HeldAnswers, placeholders, placesOf } from '../../testing/held-answers.ts'
import { KeyPanel } from './key-panel.tsx'

const publicKey = `${'kQ7'.repeat(14)}A=`

it.each([
  ['en', 1280, publicKey],
  ['en', 1280, null],
  ['en', 400, publicKey],
  ['ar', 400, publicKey],
] as const)('nothing moves when the key comes, in %s at %i px: %s', async (language, width, key) => {
  const server = new FakeServer()
  const held = new HeldAnswers()
  server.answer(readUpdateKey, held.of({ publicKey: key }))
  await drawComponent(<KeyPanel />, { language, width })
  await expect.poll(placeholders).toBeGreaterThan(2)
  const before = await placesOf('section, h2')
  expect(before).toHaveLength(2)
  held.release()
  await expect.poll(placeholders).toBe(0)
  expect(await placesOf('section, h2')).toEqual(before)
})
