import { endSession, readSession } from '@floorcast/contract/auth.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()

it('leads to the page that was asked for after the sign-in, opens a locked screen, and signs out in every tab', async () => {
  const complaints = collectComplaints(shop.page)
  await shop.signIn(`/equipments/devicesOne/${shop.deviceUid}`)
  await shop.heading('Bakery Lane 4')
  await shop.page.getByRole('button', { name: /profile and sign-out/ }).click()
  await shop.page.getByRole('menuitem', { name: 'Lock screen' }).click()
  await shop.heading('Screen locked')
  await shop.page.getByRole('textbox', { name: 'Password' }).fill(shop.owner.password)
  await shop.page.getByRole('button', { name: 'Unlock' }).click()
  await shop.heading('Bakery Lane 4')
  const other = await shop.context.newPage()
  await other.goto(`${shop.url}/equipments/devices`)
  await other.getByText('Bakery Lane 4').waitFor()
  const token = await other.evaluate(() => localStorage.getItem('floorcast.token'))
  const askWithToken = async () =>
    (await fetch(shop.url + readSession.path, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await askWithToken()).toBe(200)
  await shop.page.getByRole('button', { name: /profile and sign-out/ }).click()
  await shop.page.getByRole('menuitem', { name: 'Log out' }).click()
  await other.getByRole('heading', { level: 1, name: 'Sign in to Floorcast' }).waitFor()
  await shop.heading('Sign in to Floorcast')
  await expect.poll(askWithToken).toBe(401)
  expect(complaints).toEqual([])
})

it('says at the sign-in page that the server has ended the session, also after a reload', async () => {
  await shop.visit('/equipments/devices')
  const token = await shop.page.evaluate(() => localStorage.getItem('floorcast.token'))
  await fetch(shop.url + endSession.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  await shop.page.goto(`${shop.url}/equipments/groups`)
  const message = shop.page.getByRole('status').getByText('Your session ended. Sign in to continue.')
  await message.waitFor()
  await shop.page.reload()
  await message.waitFor()
})
