import { listMedia } from '@floorcast/contract/media.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { RenderDayContext } from './render-day.ts'
import { Wizard } from './wizard.tsx'
import { emptyDraft, type WizardDraft } from './wizard-draft.ts'

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
})

const track = (n: number, name: string, duration: number) => ({
  uid: `0193a1f0-0000-7000-8000-00000000020${n}`,
  name,
  duration,
  weight: 1,
})
/** So few tracks that blocks repeat them, and one of two ads so often that it follows itself. */
const small: WizardDraft = {
  ...emptyDraft,
  step: 'check',
  reached: 3,
  adsMode: 'manual',
  melMode: 'manual',
  melTime: 1800,
  adsList: [{ ...track(1, 'Offer', 20), weight: 10 }, track(2, 'Sale', 20)],
  melList: [track(3, 'Blue hour', 180), track(4, 'Paper boats', 200)],
}

let drawn = 0
/** The figures of a day are longer than the window. */
async function draw(draft: Partial<WizardDraft> = {}, options: Parameters<typeof drawComponent>[1] = {}) {
  drawn += 1
  await drawComponent(
    <RenderDayContext value={() => <div style={{ blockSize: 1900 }}>{'The day'}</div>}>
      <h1>{'New smart playlist'}</h1>
      <Wizard initial={{ ...small, ...draft }} draftKey={`test-${drawn}`} />
    </RenderDayContext>,
    { path: '/media/wizard', width: 1152, height: 900, ...options },
  )
}

const boxes = () => [...document.querySelectorAll<HTMLElement>('.mantine-Alert-root')]
const linesOf = (box: HTMLElement | undefined) =>
  [...(box?.querySelectorAll('[class*=foundText]') ?? [])].map(({ textContent }) => textContent)

it('the last step has its warnings in one box, a line each', async () => {
  await draw()
  await expect.element(page.getByText('The day')).toBeVisible()
  await expect.poll(() => linesOf(boxes()[0])).toHaveLength(3)
  expect(boxes()).toHaveLength(1)
  expect(linesOf(boxes()[0])).toEqual([
    expect.stringMatching(/^The chosen ads last/),
    expect.stringMatching(/^The chosen background lasts/),
    expect.stringMatching(/^“Offer” sometimes plays twice in a row/),
  ])
  expect(boxes()[0]?.getBoundingClientRect().height).toBeLessThan(120)
  expect(await findBarriers()).toEqual([])
})

it.each([1152, 400])(
  'the last step refuses a missing name beside Finish, and the page stays where it is, at %i px',
  async width => {
    await draw({}, { width, height: 800 })
    await expect.element(page.getByText('The day')).toBeVisible()
    await expect.poll(() => linesOf(boxes()[0])).toHaveLength(3)
    scrollTo(0, 700)
    const finish = page.getByRole('button', { name: 'Finish' })
    // To bring it into view is part of a click.
    finish.element().scrollIntoView({ block: 'nearest' })
    await expect.poll(() => scrollY).toBeGreaterThan(600)
    const before = scrollY
    await finish.click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await expect.element(name).toHaveFocus()
    await expect.element(name).toHaveAttribute('aria-invalid', 'true')
    expect(scrollY).toBe(before)
    expect(document.querySelector('footer')?.contains(name.element())).toBe(true)
    const [field, button] = [name, finish].map(each => each.element().getBoundingClientRect())
    expect(field?.top).toBeGreaterThan(400)
    expect(button?.bottom).toBeLessThanOrEqual(800)
    expect(server.calls).toEqual([])
  },
)

it('sends nothing with a name of two characters, or with one that names may not have, and says why', async () => {
  await draw()
  await expect.element(page.getByText('The day')).toBeVisible()
  const name = page.getByRole('textbox', { name: 'Name' })
  const finishWith = async (text: string) => {
    await name.fill(text)
    await page.getByRole('button', { name: 'Finish' }).click()
  }
  await finishWith('ab')
  const short = 'The name of a smart playlist must be longer than 2 characters'
  await expect.element(page.getByText(short)).toBeVisible()
  await finishWith('a/b*')
  await expect.element(page.getByText('Only letters, digits and common punctuation')).toBeVisible()
  await expect.element(name).toHaveFocus()
  expect(server.calls).toEqual([])
})

/** The share of the bar that is filled, as drawn. */
function filled(): number {
  const bar = document.querySelector('.mantine-Progress-root')
  const section = bar?.querySelector('.mantine-Progress-section')
  return (section?.getBoundingClientRect().width ?? NaN) / (bar?.getBoundingClientRect().width ?? NaN)
}

it.each([
  ['hours', 0],
  ['ads', 0.25],
  ['check', 0.75],
] as const)('the bar of steps is filled by those that are done: %s', async (step, share) => {
  server.answer(listMedia, () => ({ items: [], total: 0, page: 1, size: 25 }))
  await draw({ ...emptyDraft, step, reached: 3 })
  await expect.poll(filled).toBeCloseTo(share, 2)
})
