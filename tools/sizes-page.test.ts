import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ownRoot } from './source-files.ts'

/* The tables of docs/operate/sizes.md are what its units give. */

const page = readFileSync(join(ownRoot, 'docs/operate/sizes.md'), 'utf8')
const numberOf = (text: string) => Number(text.replaceAll(',', ''))
const GB = 1e9

/** The cells of a section's rows that begin with a number of shops. */
const rowsOf = (title: string) => {
  const section = page.slice(page.indexOf(`## ${title}\n`)).split(/\n(?=## )/)[0] ?? ''
  return [...section.matchAll(/^\| ([\d,]+) +\|(.+)\|$/gm)].map(([, shops = '', rest = '']) => ({
    shops: numberOf(shops),
    cells: rest.split('|').map(cell => cell.trim()),
  }))
}

const showGigabytes = (bytes: number, digits: number) =>
  `${(bytes / GB).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} GB`

it('docs/operate/sizes.md multiplies what a shop stores in a day', () => {
  const units = [
    ...page.matchAll(
      /^\| (?:a play|a day of heartbeats|sums of a track on a day) +\| ([\d,]+) +\| ([\d,]+) +\|/gm,
    ),
  ]
  expect(units).toHaveLength(3)
  const aDay = units.reduce((sum, [, bytes = '', count = '']) => sum + numberOf(bytes) * numberOf(count), 0)
  const single = /single rows: (\d+) bytes each, (\d+) a shop and day, ([\d.]+) MB a shop/.exec(page) ?? []
  const beside = 9 * Number(single[1]) * Number(single[2])
  expect((beside / 1e6).toFixed(2)).toBe(single[3])
  const rows = rowsOf('Disk of the database')
  expect(rows.map(({ shops }) => shops)).toEqual([100, 1000, 3000, 10_000])
  for (const { shops, cells } of rows)
    expect(cells, `${shops} shops`).toEqual([
      showGigabytes(shops * aDay, 2),
      showGigabytes(shops * (beside + 90 * aDay), 1),
      showGigabytes(shops * (beside + 400 * aDay), 1),
      String(Math.min(400, Math.floor(((200 * GB) / shops - beside) / aDay))),
    ])
})

it('docs/operate/sizes.md says how long new music takes', () => {
  const bytes = Number(/New music of (\d+) MB/.exec(page)?.[1]) * 1e6
  const rows = rowsOf('Network')
  expect(rows.map(({ shops }) => shops)).toEqual([100, 1000, 3000, 10_000])
  const hours = (all: number, bitsASecond: number) => `${((all * 8) / bitsASecond / 3600).toFixed(1)} h`
  for (const { shops, cells } of rows)
    expect(cells, `${shops} shops`).toEqual([
      showGigabytes(shops * bytes, 0),
      hours(shops * bytes, 1e8),
      hours(shops * bytes, 1e9),
    ])
})

it('docs/operate/sizes.md has the settings of the unit', () => {
  const unit = readFileSync(join(ownRoot, 'ops/systemd/floorcast.service'), 'utf8')
  expect(unit).toMatch(/^MemoryMax=2G$/m)
  expect(unit).toMatch(/^LimitNOFILE=65536$/m)
  for (const { shops, cells } of rowsOf('Machine'))
    expect([shops, cells[1], cells[3]]).toEqual([shops, '2 GB', '65,536'])
  const plans = JSON.parse(readFileSync(join(ownRoot, 'apps/server/database/plans.json'), 'utf8')) as {
    statisticsGigabytes: number
  }[]
  expect(Math.max(...plans.map(({ statisticsGigabytes }) => statisticsGigabytes))).toBe(200)
})
