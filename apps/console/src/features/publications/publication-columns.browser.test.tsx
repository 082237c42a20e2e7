import type { PublicationCard, Readiness } from '@floorcast/contract/publications.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { useFormat } from '../../platform/format.ts'
import { loadWords, useTranslate } from '../../platform/i18n.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { publicationFields } from './publication-columns.tsx'

function ReadinessCell({ readiness }: { readiness: Readiness }) {
  const { t } = useTranslate()
  const field = publicationFields(t, useFormat()).find(({ id }) => id === 'readiness')
  return <div data-testid="cell">{field?.cell({ readiness } as PublicationCard)}</div>
}

const colorOf = (name: string) => {
  const probe = document.createElement('span')
  probe.style.color = `var(--fc-${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

it.each([
  { devices: 8, holding: 8, text: 'Ready on 8 of 8 devices', tone: 'good', share: 1 },
  { devices: 22, holding: 16, text: 'Ready on 16 of 22 devices', tone: 'late', share: 16 / 22 },
  { devices: 84, holding: 0, text: 'Ready on 0 of 84 devices', tone: 'late', share: 0 },
  { devices: 0, holding: 0, text: 'No devices in the group', tone: 'late', share: null },
])('A publication in a list says and shows $text', async ({ devices, holding, text, tone, share }) => {
  const readiness = { devices, holding, missing: devices - holding, neverReported: 0 }
  await loadWords('deployments')
  await drawComponent(<ReadinessCell readiness={readiness} />)
  const words = page.getByText(text)
  await expect.element(words).toBeVisible()
  expect(getComputedStyle(words.element()).color).toBe(colorOf(tone))
  const bar = page.getByTestId('cell').element().querySelector('[aria-hidden][data-tone]')
  if (share === null || bar === null) return expect([share, bar]).toEqual([null, null])
  const filled = bar.querySelector('span')
  expect(filled && getComputedStyle(filled).backgroundColor).toBe(colorOf(tone))
  expect((filled?.offsetWidth ?? 0) / bar.clientWidth).toBeCloseTo(share, 1)
})
