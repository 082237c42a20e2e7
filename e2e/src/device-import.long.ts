import { readFile } from 'node:fs/promises'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole({ hasOwnServer: true })
const SHOPS = 50_000

beforeAll(() =>
  asSuperuser(shop.superuserUrl, superuser =>
    superuser.query(`
      update plans set device_limit = 100000 where key = 'professional';
      update clients set plan_key = 'professional'`),
  ),
)

const button = (name: string) => shop.page.getByRole('button', { name, exact: true })
async function choose(lines: readonly string[]): Promise<void> {
  const buffer = Buffer.from(`\uFEFF${lines.join('\r\n')}`)
  const [chooser] = await Promise.all([
    shop.page.waitForEvent('filechooser'),
    button('Choose a file').click(),
  ])
  await chooser.setFiles({ name: 'shops.csv', mimeType: 'text/csv', buffer })
}

const readStored = () =>
  asSuperuser(shop.superuserUrl, async superuser => {
    const { rows } = await superuser.query<Record<string, number>>(`
      select count(*)::int as devices, count(distinct d.name)::int as names,
        count(distinct license_key)::int as keys,
        count(*) filter (where g.name = 'Food shops')::int as "inGroup",
        count(*) filter (where d.name = 'Shop ' || store_number)::int as "numbered"
      from devices d left join groups g on g.uid = group_uid where d.name like 'Shop %'`)
    return rows[0]
  })

it('a list whose headings lack the name is refused as a whole', async () => {
  await shop.visit('/equipments/devicesImport')
  await choose([
    'Store number;Group;City',
    ...Array.from({ length: SHOPS }, (_, n) => `${n};Food shops;Oslo`),
  ])
  await shop.page.getByRole('alert').getByText('none for the names').waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  expect(await shop.page.getByRole('button', { name: /^Add \d/ }).count()).toBe(0)
})

it('50,000 shops with duplicates and errors are refused by line, then added, while another tab is used', async () => {
  const lines = Array.from({ length: SHOPS }, (_, n) => `Shop ${n + 1};${n + 1};Food shops;Oslo`)
  const bad = [
    'Shop 1;1;Food shops;Oslo',
    'Shop 2;2;;Oslo',
    'ab;3;;Oslo',
    'Shop X;4;Nowhere;Oslo',
    '"Shop <Y>";5;;Oslo',
  ]
  await shop.visit('/equipments/devicesImport')
  await choose(['Name;Store number;Group;Colour', ...lines, ...bad])
  await shop.page.getByText(/These columns are not read: \W?Colour/).waitFor()
  expect(await button('Add 50,000 devices').isDisabled()).toBe(true)
  await shop.page.getByText(/With errors \(\W?4\W?\)/).click()
  await shop.page.getByText('an earlier line has the same name and store number').first().waitFor()
  await shop.page.getByText('Name: at least 3 characters').waitFor()
  await shop.page.getByText('Name: no special characters').waitFor()
  await shop.page.getByLabel('Leave out the 4 lines with errors').check()
  await shop.page.getByLabel('Leave out the line whose group does not exist').check()
  await button('Add 50,000 devices').click()

  await shop.page.getByText(/^[1-9]\d?,000 of 50,000 lines sent/).waitFor()
  const tab = await shop.context.newPage()
  await tab.goto(`${shop.url}/equipments/devices?search=Bakery`)
  await tab.getByRole('link', { name: 'Bakery Lane 4' }).click()
  await tab.getByRole('heading', { level: 1, name: 'Bakery Lane 4' }).waitFor()
  // The other tab was answered while the list was sent.
  expect(await button('Stop').isVisible()).toBe(true)
  await shop.page.getByText('50,000 devices added').waitFor({ timeout: 600_000 })
  expect(await readStored()).toEqual({
    devices: SHOPS,
    names: SHOPS,
    keys: SHOPS,
    inGroup: SHOPS,
    numbered: SHOPS,
  })
  const [download] = await Promise.all([
    shop.page.waitForEvent('download'),
    button('Save the licence keys').click(),
  ])
  const saved = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect([saved.length, saved.at(-1)]).toEqual([
    SHOPS + 1,
    expect.stringMatching(/^Shop 50000,50000,Food shops,[^,]{35},no$/),
  ])
})
