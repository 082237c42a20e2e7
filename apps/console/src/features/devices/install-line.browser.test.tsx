import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { locales } from '@floorcast/contract/locales.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { changeLanguage } from '../../platform/change-language.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { DeviceMenu } from './device-menu.tsx'
import { InstallLine } from './install-line.tsx'

const line = 'curl -fsSL https://shop.example/agent/install.sh | sh -s -- --key 7KQ2M-XA4TR'
const shownLine = () => document.querySelector('code')?.textContent

it('asks for the messages in the language of the page, which may change', async () => {
  await drawComponent(<InstallLine line={line} />)
  await expect.poll(shownLine).toBe(line)
  for (const { code } of locales.filter(({ code: each }) => each !== 'en')) {
    await changeLanguage(code)
    await expect.poll(shownLine).toBe(line.replace('/agent/', `/agent/${code}/`))
  }
})

it('is in the menu of a device whose player is installed, in the language of the page', async () => {
  const device = { uid: 'd', name: 'Till 1', reinstallLine: line } as DeviceCard
  await drawComponent(<DeviceMenu device={device} onDeleted={() => undefined} />, { language: 'de' })
  await page.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Installationsbefehl' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Installationsbefehl' })).toBeVisible()
  await expect.poll(shownLine).toBe(line.replace('/agent/', '/agent/de/'))
  expect(await findBarriers()).toEqual([])
})
