import type { RestoredPlays } from '@floorcast/contract/redelivery.ts'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { RestoredMark } from './restored-mark.tsx'

const range = { from: '2026-11-28', to: '2026-11-30', devices: 12 }
const draw = (restored: RestoredPlays | null, options?: Parameters<typeof drawComponent>[1]) =>
  drawComponent(
    <>
      <h1>{'Plays'}</h1>
      <div data-place>
        <RestoredMark restored={restored} />
      </div>
      <p>{'below'}</p>
    </>,
    options,
  )
/** Without the signs of direction and hard spaces. */
const textOf = (locator: ReturnType<typeof page.getByRole>) => () =>
  (locator.query()?.textContent ?? '').replaceAll(/[\u2066-\u2069]/g, '').replaceAll('\u00a0', ' ')
const mark = page.getByRole('button', { name: /^After a restore: plays may/ })

it('a mark says that plays may follow, and by the keys which days and how many devices', async () => {
  await draw({ awaited: range })
  await expect.element(mark).toHaveTextContent('After a restore: plays may follow')
  await userEvent.tab()
  await expect.element(mark).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  const more = page.getByRole('dialog', { name: /^After a restore/ })
  await expect.poll(textOf(more)).toContain('plays from Nov 28, 2026 to Nov 30, 2026 may be missing.')
  expect(textOf(more)()).toContain('Devices that have not delivered them again yet: 12.')
  await expect
    .element(more.getByRole('link', { name: 'Help' }))
    .toHaveAttribute('href', '/manual/en/proof#when-the-server-was-restored-from-a-backup')
  expect(await findBarriers()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(mark).toHaveFocus()
})

it('a mark of plays that are lost for good says so, and names both kinds of days', async () => {
  await draw({ awaited: range, lost: { ...range, devices: 1 } })
  await expect.element(mark).toHaveTextContent('After a restore: plays may be lost')
  await mark.click()
  const more = page.getByRole('dialog', { name: /^After a restore/ })
  await expect.poll(textOf(more)).toContain('Devices that have not delivered them again yet: 12.')
  expect(textOf(more)()).toContain('may be missing for good. Devices that no longer have them: 1.')
})

it('whole plays have no mark and no place for one', async () => {
  await draw(null)
  await expect.element(page.getByText('below')).toBeVisible()
  expect(document.querySelector('[data-place]')?.childElementCount).toBe(0)
})

it('a mark keeps its height while its words come, and in a narrow place', async () => {
  await draw({ awaited: range }, { language: 'ar', width: 320 })
  await expect.element(page.getByRole('button', { name: /بعد الاستعادة/ })).toBeVisible()
  expect(document.querySelector('[data-place]')?.getBoundingClientRect().height).toBe(24)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
})
