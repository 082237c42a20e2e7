import { listDevices } from '@floorcast/contract/devices.ts'
import { listPublications } from '@floorcast/contract/publications.ts'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { findLanguage } from '@floorcast/contract/locales.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

/* The main line, from signing in to a publication, by the words of other languages. */

const shop = testConsole()

beforeAll(() =>
  asSuperuser(shop.superuserUrl, superuser =>
    superuser.query("update clients set plan_key = 'professional'"),
  ),
)

it.each(['de', 'ru', 'ar', 'cn'] as const)('the main line is walked in %s', async code => {
  const { page } = shop
  const { tag, dir } = findLanguage(code)
  const words = readCatalogue(`packages/locales/catalogues/${code}`)
  const text = (key: string) => words.get(key) ?? `no text ${key}`
  /** A text with a name in it, which Arabic isolates. */
  const textWith = (key: string, name: string) => {
    const parts = text(key).split(/\{\{[^}]*\}\}/)
    return new RegExp(
      parts.map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join(`\\W*${name}\\W*`),
    )
  }
  const button = (key: string) => page.getByRole('button', { name: text(key), exact: true }).first()
  const menu = (key: string) =>
    page
      .getByRole('navigation')
      .getByRole('link', { name: text(key), exact: true })
      .first()
      .click()
  const nameField = () => page.getByRole('dialog').getByRole('textbox').first()
  const song = (await writeSongs(shop.folder, { count: 4, seconds: 3 }))[
    ['de', 'ru', 'ar', 'cn'].indexOf(code)
  ]
  if (!song) throw new Error('A song is missing')
  const [, track = ''] = /([^/]+)\.mp3$/.exec(song.path) ?? []

  await page.evaluate(language => localStorage.setItem('floorcast.language', language), code)
  await page.goto(`${shop.url}/login`)
  await page.getByRole('textbox', { name: text('auth:email') }).fill(shop.owner.email)
  await page.locator('input[type=password]').first().fill(shop.owner.password)
  await page.getByRole('button', { name: text('auth:signIn.submit'), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: text('routes:overview') }).waitFor()
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
    tag,
    dir,
  ])

  await menu('routes:melodies')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button('media:upload.melodies').click(),
  ])
  await chooser.setFiles(song.path)
  await page.getByRole('link', { name: track }).waitFor()

  await menu('routes:playlists')
  await button('playlists:add').click()
  await nameField().fill(`Mix ${code}`)
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: textWith('playlists:addTrack', track) })
    .first()
    .click()
  await page
    .getByRole('grid', { name: text('playlists:tracks') })
    .getByRole('row', { name: track })
    .waitFor()

  await menu('routes:devices')
  await button('devices:add').click()
  await nameField().fill(`Till ${code}`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: `Till ${code}` }).waitFor()
  const line = await page.locator('code', { hasText: 'install.sh' }).innerText()
  const installer = await fetch(/https?:\S+/.exec(line)?.[0] ?? 'no address')
  expect(await installer.text()).toContain(text('installer:installedBelow'))

  await page.getByRole('link', { name: text('publish:open'), exact: true }).click()
  const sheet = page.getByRole('dialog', { name: text('publish:title') })
  await sheet.getByRole('combobox').first().click()
  await page.getByRole('option', { name: new RegExp(`Mix ${code}`) }).click()
  await sheet.getByRole('button', { name: text('publish:now'), exact: true }).click()
  await sheet.waitFor({ state: 'hidden' })
  const { items } = await shop.client.call(listPublications, { params: { x: 'all' } })
  const made = items.find(({ playlist }) => playlist?.name === `Mix ${code}`)
  expect(made?.state).toBe('active')
  const [device] = (await shop.client.call(listDevices, { query: { search: `"Till ${code}"` } })).items
  expect(device?.playlist?.name).toBe(`Mix ${code}`)
})
