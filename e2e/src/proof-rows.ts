import { readFile } from 'node:fs/promises'
import { PROOF_COLUMNS } from '@floorcast/contract/proof-file.ts'
import type { Page } from 'playwright-core'
import { type Demonstration, OFFER } from './demonstration.ts'

/** The rows of the report 'Proof of play of an ad' that a page previews, by column. */
export async function readProofRows(page: Page): Promise<Record<string, string>[]> {
  const table = page.getByRole('table', { name: 'Proof of play of an ad' })
  await table.getByRole('cell').first().waitFor()
  const all = page.getByRole('button', { name: /^Show \d+ rows$/ })
  // Not by a click: the user need not see all of them.
  if (await all.isVisible()) await all.press('Enter')
  const heads = await table.getByRole('columnheader').allInnerTexts()
  const rows = await table
    .locator('tbody tr')
    .evaluateAll(found => found.map(row => [...row.children].map(cell => cell.textContent)))
  return rows.map(cells => Object.fromEntries(cells.map((cell, n) => [heads[n] ?? '', cell])))
}

/** The id, start, publication and result of each play in a signed proof. Its csv lies in the zip as it is. */
export async function readProofPlays(file: string): Promise<string[]> {
  const text = await readFile(file, 'latin1')
  const heading = `${PROOF_COLUMNS.join(',')}\n`
  const [csv = ''] = text.slice(text.indexOf(heading) + heading.length).split('PK')
  const at = (column: (typeof PROOF_COLUMNS)[number]) => PROOF_COLUMNS.indexOf(column)
  const wanted = [at('event_uid'), at('started_at'), at('publication_uid'), at('result')]
  return csv
    .split('\n')
    .map(line => line.split(','))
    .filter(({ length }) => length === PROOF_COLUMNS.length)
    .map(cells => wanted.map(column => cells[column]).join())
}

interface StoredOffer {
  publication: string
  device: string
  day: string
  delivered: number
  adPlays: number
}

/** The plays of the demonstration's offer as they are stored, by publication, device and day in UTC. */
export const readStoredOffers = (demonstration: Demonstration): Promise<StoredOffer[]> =>
  demonstration.query<StoredOffer>(
    `select b.name as publication, p.device_name as device, to_char(p.started_at at time zone 'UTC', 'FMDD Mon YYYY') as day,
      (count(*) filter (where p.result = 'complete'))::int as delivered,
      (count(*) filter (where p.result <> 'failed'))::int as "adPlays"
    from plays p join publications b on b.uid = p.publication_uid where p.track_name = $1 group by 1, 2, 3 order by 2, 3`,
    [OFFER],
  )
