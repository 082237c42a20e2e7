import { endAlert, type AlertRow } from '@floorcast/contract/alerts.ts'
import { CallError } from '@floorcast/contract/client.ts'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { loadWords } from '../../platform/i18n.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { EndAlert } from './end-alert.tsx'

const alert: AlertRow = {
  uid: '0193a1f0-0000-7000-8000-0000000000a1',
  kind: 'air',
  isDrill: false,
  beganAt: '2026-06-10T22:30:00.000Z',
  target: { kind: 'all', uid: null, name: null },
  beganBy: 'Olga',
  endedAt: null,
  endedBy: null,
  deviceCount: 3,
  soundedCount: 3,
}

it('keeps its place and stays open until the server has answered, whatever is clicked', async () => {
  const server = new FakeServer()
  server.answer(endAlert, () => {
    throw new CallError(0, null)
  })
  let closed = 0
  await loadWords('shell', 'alerts')
  await drawComponent(<EndAlert alert={alert} onClose={() => (closed += 1)} />)
  await page.getByRole('button', { name: 'End the alert' }).click()
  await vi.waitUntil(() => document.querySelector('[role=dialog] [role=alert]'))

  const held = Promise.withResolvers<{ code: number }>()
  server.answer(endAlert, () => held.promise)
  const again = page.getByRole('button', { name: 'Try again' })
  const { top } = again.element().getBoundingClientRect()
  await again.click()
  await vi.waitUntil(() => document.querySelector('button[data-loading]'))
  expect(document.querySelector('button[data-loading]')?.getBoundingClientRect().top).toBe(top)
  document.elementFromPoint(5, 5)?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await userEvent.keyboard('{Escape}')
  expect(closed).toBe(0)

  held.resolve({ code: 200 })
  await expect.poll(() => closed).toBe(1)
  await expect.element(page.getByText('Air alert has ended: All shops')).toBeInTheDocument()
})
