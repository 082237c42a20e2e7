import { readAudit, type AuditEntry } from '@floorcast/contract/audit.ts'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { loadWords } from '../../platform/i18n.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { AuditPage } from './audit-page.tsx'

beforeAll(() => loadWords('logging'))

const entry = (n: number, more: Partial<AuditEntry>): AuditEntry => ({
  uid: `0193a1f0-0000-7000-8000-00000000010${n}`,
  eventTime: '2026-11-21T01:15:40.000Z',
  receiveTime: '2026-11-21T01:15:40.000Z',
  playlist: null,
  version: null,
  track: null,
  status: null,
  description: null,
  type: 'device',
  code: null,
  class: 'edit',
  channel: null,
  updatePackage: null,
  request: null,
  comment: null,
  plannedTime: null,
  secondsPlayed: null,
  volume: null,
  temperatureCelsius: null,
  userUid: '0193a1f0-0000-7000-8000-000000000001',
  userName: 'ines.prado@bakeries.example.com',
  thingUid: '0193a1f0-0000-7000-8000-00000000000d',
  thingName: 'Bakery Lane 4',
  changes: {},
  named: [],
  ...more,
})
const text = 'The shop beside the station, with two loudspeakers over the counter and one in the yard'
const entries = [
  entry(1, { changes: { licenseBoundAt: ['2026-11-20T08:00:00.000Z', null] } }),
  entry(2, { changes: { description: ['', text] } }),
  entry(3, {
    changes: { name: ['Bakery Lane', 'Bakery Lane 4'], description: [text, ''], volume: [70, 40] },
  }),
  entry(4, {
    class: 'sign-in',
    type: 'session',
    thingUid: null,
    thingName: 'ines.prado@bakeries.example.com',
  }),
]

beforeEach(() => {
  const server = new FakeServer()
  server.answer(readAudit, () => ({ items: entries, total: entries.length, page: 1, size: 10 }))
})

const rows = () => [...document.querySelectorAll('tbody tr')]
/** The lines of a part's texts, by where they end. */
function linesOf(part: Element): number {
  const bottoms = new Set<number>()
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode)
    for (const { bottom } of range.getClientRects()) bottoms.add(Math.round(bottom / 8))
  }
  return bottoms.size
}

it('the audit has rows of one line, and shows a change whole on demand', async () => {
  // Beside the menu.
  await drawComponent(
    <div style={{ inlineSize: 1152 }}>
      <AuditPage />
    </div>,
    { width: 1440, height: 900 },
  )
  await expect.poll(() => rows().length).toBe(entries.length)
  await document.fonts.ready
  expect(rows().map(row => Math.max(...[...row.children].map(linesOf)))).toEqual([1, 1, 1, 1])
  const heights = rows().map(row => row.getBoundingClientRect().height)
  expect(new Set(heights)).toHaveLength(1)
  expect(document.querySelector('main > div')?.scrollWidth).toBe(1152)
  await expect.element(page.getByText(text)).not.toBeInTheDocument()
  await page.getByRole('button', { name: '2 more fields' }).click()
  const drawer = page.getByRole('dialog', { name: 'Change' })
  await expect.element(drawer.getByText(text)).toBeVisible()
  expect(await findBarriers()).toEqual([])
})
