import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { locales } from '@floorcast/contract/locales.ts'
import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()

/** A text of a language's catalogue. */
const textOf = (code: string, key: string) =>
  readCatalogue(`packages/locales/catalogues/${code}`).get(key) ?? `no text ${key}`

/** Those of the styles; ours is Noto Sans SC. */
const chineseFonts = /^(?:Noto Sans (?:CJK )?SC|WenQuanYi Micro Hei|PingFang SC|Microsoft YaHei)/

const readRoot = () => shop.page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])

it('the language is the first of the browser that the console has; unknown and removed ones are passed over', async () => {
  const browser = shop.context.browser()
  for (const [locale, stored, lang, title] of [
    ['ar-EG', null, 'ar', 'تسجيل الدخول'],
    ['nn-NO', null, 'en', 'Sign in'],
    ['pt-BR', null, 'pt', textOf('pt', 'auth:signIn.title')],
    ['zh-TW', null, 'zh-Hans', textOf('cn', 'auth:signIn.title')],
    ['uk', null, 'uk', textOf('ua', 'auth:signIn.title')],
    ['de-AT', null, 'de', textOf('de', 'auth:signIn.title')],
    ['ar-EG', 'xx', 'ar', 'تسجيل الدخول'],
    ['ar-EG', 'en', 'en', 'Sign in'],
  ] as const) {
    const context = await browser?.newContext({ locale })
    const page = await context?.newPage()
    if (!context || !page) throw new Error('No second browser')
    if (stored) await page.addInitScript(code => localStorage.setItem('floorcast.language', code), stored)
    await page.goto(`${shop.url}/login`)
    await page.getByRole('heading', { name: title }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(lang)
    await context.close()
  }
})

it('the language is English while its texts cannot be loaded, and comes when they can', async () => {
  const { page } = shop
  await page.goto(`${shop.url}/login`)
  await page.evaluate(() => localStorage.setItem('floorcast.language', 'ar'))
  await page.route('**/assets/ar-auth-*.js', route => route.abort())
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await readRoot()).toEqual(['en', 'ltr'])
  await page.getByRole('textbox', { name: 'Email' }).fill('nils@example.com')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor()
  expect(await readRoot()).toEqual(['ar', 'rtl'])
  expect(await page.getByRole('textbox').first().inputValue()).toBe('nils@example.com')
})

it('the language stays when the chosen one cannot be loaded, and says so', async () => {
  const { page } = shop
  await shop.visit('/equipments/devices')
  await shop.heading('Devices')
  await page.route('**/assets/ar-*.js', route => route.abort())
  const choose = async () => {
    await page.getByRole('button', { name: /^Language/ }).click()
    await page.getByRole('menuitem', { name: 'العربية' }).click()
  }
  await choose()
  await page.getByText('العربية could not be loaded. Try again once the server answers.').waitFor()
  await shop.heading('Devices')
  await page.unrouteAll({ behavior: 'wait' })
  await choose()
  await shop.heading('الأجهزة')
  expect(await readRoot()).toEqual(['ar', 'rtl'])
})

it('the language changes to each of nine without a reload, and what stands in a form stays', async () => {
  const { page } = shop
  await page.goto(`${shop.url}/login`)
  await page.getByRole('textbox', { name: 'Email' }).fill('nils@example.com')
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  for (const { code, tag, dir } of [...locales, ...locales]) {
    await page.getByRole('combobox').selectOption(code)
    await page.getByRole('heading', { level: 1, name: textOf(code, 'auth:signIn.title') }).waitFor()
    expect(await readRoot()).toEqual([tag, dir])
    expect(await page.getByRole('textbox').first().inputValue()).toBe('nils@example.com')
  }
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

it('the language has its punctuation from the font of its characters, and these where the machine has none, on both sites', async () => {
  const { page } = shop
  const devtools = await shop.context.newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  /** The fonts in which the browser has drawn a text on the open page. */
  const fontsOf = async (text: string) => {
    await page.evaluate(async shown => {
      document.querySelector('#sample')?.remove()
      const sample = Object.assign(document.createElement('p'), { id: 'sample', textContent: shown })
      document.body.append(sample)
      await document.fonts.ready
    }, text)
    const { root } = await devtools.send('DOM.getDocument')
    const { nodeId } = await devtools.send('DOM.querySelector', {
      nodeId: root.nodeId,
      selector: '#sample',
    })
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
    return fonts.map(({ familyName }) => familyName)
  }
  const countSlices = () =>
    page.evaluate(() => [...document.fonts].filter(({ family }) => family.includes('Noto Sans SC')).length)
  const claimChinese = async () => {
    await expect.poll(() => fontsOf('设备')).toEqual([expect.stringMatching(chineseFonts)])
    await expect.poll(() => fontsOf('“”…')).toEqual(await fontsOf('设备'))
    expect(await countSlices()).toBeGreaterThan(90)
  }
  await page.goto(`${shop.url}/login`)
  const choose = async (code: string) => {
    await page.getByRole('combobox').selectOption(code)
    await page.getByRole('heading', { level: 1, name: textOf(code, 'auth:signIn.title') }).waitFor()
  }
  await choose('en')
  expect(await fontsOf('“”…')).toEqual([expect.stringContaining('Inter')])
  expect(await countSlices()).toBe(0)
  await choose('cn')
  await claimChinese()
  for (const { code } of locales.filter(each => each.code !== 'cn')) {
    await page.goto(`${shop.url}/manual/${code}/`)
    expect(await countSlices()).toBe(0)
  }
  await page.goto(`${shop.url}/manual/cn/start`)
  await claimChinese()
  await devtools.detach()
})
