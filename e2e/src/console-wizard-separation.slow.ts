import { beforeAll, it, expect } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { readSmartDraft } from './smart-draft.ts'
import { fillLibrary, wizardPage } from './wizard-page.ts'

const shop = testConsole()
const { openStep, next, step, alertWith, ribbon, begin, chooseAll, finish } = wizardPage(shop)

beforeAll(() => fillLibrary(shop))

it('the wizard checks a minimum ad separation that no plan keeps, and names the largest possible', async () => {
  await begin('Audio', 30)
  await chooseAll()
  await openStep('Ad selection')
  await step('Ad selection')
  const separation = shop.page.getByLabel('Minimum ad separation', { exact: true })
  await separation.fill('')
  await alertWith('Enter a minimum ad separation from 0 to 24 hours').waitFor()
  await separation.fill('3600')
  const refusal = alertWith(
    /^No plan keeps 1\shr between two plays of an ad: these ads allow at most \d+\s(?:min|sec)/,
  )
  await refusal.waitFor()
  await next()
  await step('Ad selection')
  const [, minutes = '0', seconds = '0'] =
    /at most (?:(\d+)\smin?)?\s?(?:(\d+)\ssec?)?/.exec((await refusal.textContent()) ?? '') ?? []
  const largest = Number(minutes) * 60 + Number(seconds)
  await separation.fill(String(largest))
  await refusal.waitFor({ state: 'hidden' })
  await shop.page
    .getByRole('radiogroup', { name: /^Unit of the minimum/ })
    .getByText('min')
    .click()
  expect(Number(await separation.inputValue())).toBeCloseTo(largest / 60, 1)
  await openStep('Playlist check')
  await step('Playlist check')
  await ribbon().waitFor()
  await shop.page.getByText(/ at least [\d\s]+(?:mins?|secs?)[^:]* as set$/).waitFor()
  await finish('Far apart')
  await shop.heading('Playlists')
  const { uid, minAdGap } = await readSmartDraft(shop, 'Far apart')
  expect(minAdGap).toBe(largest)
  await shop.visit(`/media/playlistsOne/${uid}`)
  await shop.page.getByText(/ at least [\d\s]+(?:mins?|secs?)[^:]* as set$/).waitFor()
})

it('the wizard checks an ad that plays twice in a row, as a warning', async () => {
  await begin('Audio', 30)
  await chooseAll()
  await openStep('Ad selection')
  await shop.page.getByRole('textbox', { name: 'Weight of song-7, 1 to 10' }).fill('9')
  const warning = shop.page.getByRole('status').getByText(/^“song-7” sometimes plays twice in a row/)
  await warning.waitFor()
  await openStep('Playlist check')
  await warning.waitFor()
  await shop.page.getByText(/^0\ssec: an ad plays twice in a row/).waitFor()
})
