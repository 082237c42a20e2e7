import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeAt } from '@floorcast/testing/test-second-factor.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'
import { runProgram } from './processes.ts'

const scratch = mkdtempSync(join(tmpdir(), 'floorcast-backups-'))
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})
const target = join(scratch, 'disk')
const shop = testConsole({
  settings: port => ({ PUBLIC_URL: `http://127.0.0.1:${port}`, BACKUP_TARGET: target }),
})
const password = 'an operator of shops'

/** The link that `npm run admin -- add-operator` prints. */
async function makeOperator(email: string): Promise<string> {
  const env = { DATABASE_URL: shop.databaseUrl, DATA_DIR: shop.dataFolder, PUBLIC_URL: shop.url }
  const run = runProgram('apps/server/src/admin.ts', ['--env', '/dev/null', 'add-operator', email], { env })
  expect(await run.ended).toBe(0)
  return /http\S+#invite=\S+/.exec(run.output.join(''))?.[0] ?? ''
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it('an operator sets up an app, tells users, makes the installation read only, runs a job again, and finds it all in the audit', async () => {
  await shop.signIn('/equipments/groups')
  const page = await shop.context.newPage()
  page.setDefaultTimeout(40_000)
  const steps = new ConsolePage(page, 'operator')
  await page.goto(`${shop.url}/operator`)
  await page.getByRole('heading', { name: 'Operator sign-in' }).waitFor()
  await page.goto('about:blank')
  await page.goto(await makeOperator('ann@operations.example'))
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('textbox', { name: 'Password' }).press('Enter')
  await button(page, 'Set up the authenticator app').click()
  const key = await page.getByRole('main').locator('code').innerText()
  await page.locator('[autocomplete=one-time-code]').fill(codeAt(key.replaceAll(' ', ''), new Date()))
  await page.locator('[autocomplete=one-time-code]').press('Enter')
  await page.getByRole('heading', { name: 'Operator', exact: true }).waitFor()
  await page.getByRole('table', { name: 'Clients' }).getByText('Olga').first().waitFor()
  const clients = page.getByRole('table', { name: 'Clients' })
  await clients.getByRole('button', { name: 'Devices' }).click()
  await clients.locator('th[aria-sort=ascending]', { hasText: 'Devices' }).waitFor()
  await clients.getByText('Olga').first().waitFor()
  await steps.screenshot('page')
  expect(await findAxeViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
  await page.getByRole('heading', { name: 'المشغّل', exact: true }).waitFor()
  await steps.screenshot('arabic dark')
  expect(await findAxeViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('combobox').first().selectOption('en')
  await page.getByRole('heading', { name: 'Operator', exact: true }).waitFor()

  await page.getByLabel('Notice').fill('Maintenance on Sunday <b>at two</b>')
  await button(page, 'Show to all users').click()
  await shop.page.getByText('Maintenance on Sunday <b>at two</b>').waitFor()
  await button(shop.page, 'Dismiss the notice').click()
  await shop.page.getByText('Maintenance on Sunday').waitFor({ state: 'hidden' })

  await button(page, 'Make read only').click()
  await shop.page.getByText('Maintenance: nothing can be changed now').waitFor()
  const answer = await fetch(`${shop.url}/group/add/audio`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.client.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Harbour' }),
  })
  expect(answer.status).toBe(503)
  await button(page, 'Take changes again').click()
  await shop.page.getByText('Maintenance: nothing can be changed now').waitFor({ state: 'hidden' })

  await button(page, 'Run now: Daily maintenance').click()
  await page.getByText('The job was started').waitFor()
  await eventually(() => expect(readdirSync(target)).toContainEqual(expect.stringMatching(/Z$/)))
  rmSync(target, { recursive: true })
  await page.getByText('Disk not mounted').waitFor()
  await button(page, 'Run now: Backup').click()
  const jobs = page.getByRole('table', { name: 'Jobs' })
  await jobs.getByRole('row', { name: 'Backup' }).getByText('Failed').waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  const audit = page.getByRole('table', { name: 'What operators did' })
  await eventually(async () => {
    const text = await audit.innerText()
    for (const act of ['Job started', 'Read only ended', 'Read only begun', 'Notice shown', 'Signed in'])
      expect(text).toContain(act)
  })
  await page.setViewportSize({ width: 400, height: 900 })
  await steps.screenshot('narrow')
  await button(page, 'Sign out').click()
  await page.getByRole('heading', { name: 'Operator sign-in' }).waitFor()
})
