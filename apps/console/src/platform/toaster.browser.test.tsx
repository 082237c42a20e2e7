import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drawComponent } from '../testing/draw-component.tsx'
import { findBarriers } from '../testing/find-barriers.ts'
import { refusal } from '../testing/fake-server.ts'
import { toastFailure } from './outcomes.ts'
import { prepareToasts, toast } from './toasts.ts'

const undo = vi.fn<() => void>()
const button = () => page.getByRole('button', { name: 'Undo' })
const toasts = (text: string) => page.getByRole('status').filter({ hasText: text }).elements().length

beforeEach(async () => {
  await prepareToasts()
  await drawComponent(<button>{'Begin'}</button>)
  // The pointer of the test before may lie where a toast comes, whose time it would stop.
  await page.getByRole('button', { name: 'Begin' }).hover()
  undo.mockReset()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => vi.useRealTimers()
})

/** Draws what the time changes. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  await new Promise(requestAnimationFrame)
  await vi.advanceTimersByTimeAsync(400)
}

it('a toast stays for 5 s, and one with a button for 10 s', async () => {
  await toast('success', 'Saved')
  await toast('success', 'Moved', { action: { label: 'Undo', run: undo } })
  await expect.element(button()).toBeVisible()
  await pass(4_500)
  expect([toasts('Saved'), toasts('Moved')]).toEqual([1, 1])
  await pass(600)
  expect([toasts('Saved'), toasts('Moved')]).toEqual([0, 1])
  await pass(5_000)
  expect(toasts('Moved')).toBe(0)
})

it('its time stops while the focus is in it, which a key leads there and back', async () => {
  const begin = page.getByRole('button', { name: 'Begin' })
  await begin.click()
  await toast('success', 'Moved', { action: { label: 'Undo', run: undo } })
  await expect.element(button()).toBeVisible()
  await userEvent.keyboard('{Alt>}t{/Alt}')
  await expect.element(button()).toHaveFocus()
  await pass(60_000)
  expect(toasts('Moved')).toBe(1)
  await userEvent.keyboard('{Enter}')
  expect(undo).toHaveBeenCalledOnce()
  await expect.element(begin).toHaveFocus()
  await pass(1_000)
  expect(toasts('Moved')).toBe(0)
})

it('its time begins again when the focus leaves it', async () => {
  await toast('success', 'Moved', { action: { label: 'Undo', run: undo } })
  await expect.element(button()).toBeVisible()
  await userEvent.keyboard('{Alt>}t{/Alt}')
  await pass(60_000)
  await page.getByRole('button', { name: 'Begin' }).click()
  await pass(9_000)
  expect(toasts('Moved')).toBe(1)
  await pass(2_000)
  expect(toasts('Moved')).toBe(0)
})

it('its time stops under the pointer', async () => {
  await toast('success', 'Moved', { action: { label: 'Undo', run: undo } })
  await button().hover()
  await pass(60_000)
  expect(toasts('Moved')).toBe(1)
})

it.each(['en', 'ar'] as const)('is at the top center, below the bar, in %s', async language => {
  vi.useRealTimers()
  await drawComponent(<p>{'Page'}</p>, { language })
  await toast('success', 'Moved', { action: { label: 'Undo', run: undo } })
  await expect.element(button()).toBeVisible()
  const { top, left, right } = document.querySelector('[data-kind]')?.getBoundingClientRect() ?? new DOMRect()
  expect(top).toBeGreaterThanOrEqual(64)
  expect(top).toBeLessThan(100)
  expect(Math.abs(left + right - innerWidth)).toBeLessThan(24)
})

it('a failure that nobody expects names its request, and copies it', async () => {
  vi.useRealTimers()
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  toastFailure(refusal(500, { code: 'internal', id: '0199c0de-7f3a' }))
  await expect.element(page.getByText(/Report this error code: 500 \(request 0199c0de-7f3a\)/)).toBeVisible()
  // Another one of the kind renews its toast.
  toastFailure(refusal(500, { code: 'internal', id: '0199c0de-7f3b' }))
  await expect.element(page.getByText(/request 0199c0de-7f3b/)).toBeVisible()
  expect(page.getByText(/Report this error code/).elements()).toHaveLength(1)
  await page.getByRole('button', { name: 'Copy the request’s number' }).click()
  expect(copied).toHaveBeenCalledExactlyOnceWith('0199c0de-7f3b')
})

it('has no barrier', async () => {
  vi.useRealTimers()
  await toast('success', 'Moved', { action: { label: 'Undo', run: undo } })
  await expect.element(button()).toBeVisible()
  expect(await findBarriers()).toEqual([])
})
