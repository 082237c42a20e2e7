import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { Sidebar } from './sidebar.tsx'

async function draw(language: 'en' | 'ar' = 'en') {
  await drawComponent(
    <div style={{ inlineSize: 240 }}>
      <h1>{'Page'}</h1>
      <Sidebar isSmall={false} />
    </div>,
    { language, width: 1440, height: 900 },
  )
  await expect.poll(folds).toHaveLength(4)
}
const menu = () => document.querySelector('nav') ?? document.createElement('nav')
const links = () => [...menu().querySelectorAll('a[href]')].slice(1)
const folds = () => [...menu().querySelectorAll('button')]
const topsOf = (parts: readonly Element[]) => parts.map(part => part.getBoundingClientRect().top)
/** How far each part is below the one before it. */
const pitchesOf = (parts: readonly Element[]) =>
  topsOf(parts).flatMap((top, n, tops) => (n === 0 ? [] : [top - (tops[n - 1] ?? 0)]))

/** How much longer the menu is than the window. */
const excess = () => menu().scrollHeight - menu().clientHeight

it('the menu has one pitch, within a section and where one ends without a title', async () => {
  await draw()
  const names = links().map(link => link.textContent)
  const start = names.indexOf('Devices')
  expect(names.slice(start)).toEqual(['Devices', 'Groups', 'Publications', 'Reports', 'Alerts'])
  expect(pitchesOf([...links().slice(start), ...folds()])).toEqual(Array.from({ length: 8 }, () => 36))
  const media = names.indexOf('Videos')
  expect(pitchesOf(links().slice(media, media + 6))).toEqual([36, 36, 36, 36, 36])
  expect(await findBarriers()).toEqual([])
})

it.each(['Administration', 'Updates', 'Logging', 'Recycle bin'])(
  'the menu with %s unfolded fits a window of 900 px',
  async name => {
    await draw()
    const before = links().length
    await page.getByRole('button', { name }).click()
    await expect.poll(() => links().length).toBeGreaterThan(before)
    expect(excess()).toBe(0)
  },
)

it.each(['en', 'ar'] as const)(
  'the menu in which all is unfolded has a thin bar that moves nothing, in %s',
  async language => {
    await draw(language)
    const placesOf = (parts: Element[]) =>
      parts.map(part => part.querySelector('svg')?.getBoundingClientRect().x)
    const first = links()
    const before = placesOf(first)
    for (const fold of folds()) fold.click()
    await expect.poll(excess).toBeGreaterThan(0)
    expect(placesOf(first)).toEqual(before)
    expect(getComputedStyle(menu()).scrollbarWidth).toBe('thin')
    await page.getByRole('heading', { name: 'Page' }).click()
    expect(getComputedStyle(menu()).scrollbarColor).toBe('rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)')
  },
)
