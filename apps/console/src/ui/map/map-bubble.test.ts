import { expect, it } from 'vitest'
import { chartColors } from '../charts/chart-look.ts'
import { drawBubble } from './map-bubble.ts'

const look = { ...chartColors.light, isRtl: false, isStill: true }
const bubble = { id: '/x', longitude: 0, latitude: 0, name: 'Oslo', lines: [] }

it('draws states in the colors of the badges, and says how many are down', () => {
  const drawn = JSON.stringify(
    drawBubble({ ...bubble, counts: { good: 5, down: 3, none: 1 }, total: '9', down: '3' }, [0, 0], look),
  )
  for (const color of Object.values(look.states)) expect(drawn).toContain(color)
  expect(drawn).toContain('"text":"3"')
})

it('draws a lone device as the sign of its state', () => {
  const drawn = JSON.stringify(
    drawBubble({ ...bubble, counts: { good: 0, down: 1, none: 0 }, total: '1', down: '1' }, [0, 0], look),
  )
  expect(drawn).toContain(`"stroke":"${look.states.down}"`)
  expect(drawn).not.toContain('"text"')
})
