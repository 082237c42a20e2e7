import { editDevice, listDevices, type DeviceCard } from '@floorcast/contract/devices.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { DeviceForm } from './device-forms.tsx'

const device = {
  uid: '0193a1f0-0000-7000-8000-00000000000d',
  name: 'Bakery Lane',
  storeNumber: '',
  description: '',
  kind: 'audio',
  volume: 70,
  version: 3,
  ownExpiresAt: null,
} as unknown as DeviceCard

it('an admin sets the day of a device’s expiry, within the subscription', async () => {
  const server = new FakeServer()
  server.answer(listDevices, () => ({ items: [], total: 0, page: 1, size: 50 }))
  server.answer(editDevice, () => ({ code: 200 }))
  await drawComponent(<DeviceForm item={device} onClose={() => undefined} />)
  const expires = page.getByRole('textbox', { name: 'Expires' })
  await expires.fill('Jan 2, 2031')
  await expect.element(page.getByText('Not after the end of the subscription')).toBeVisible()
  await expires.fill('6/30/2030')
  expect(await findBarriers()).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  const changes = () =>
    server.calls.filter(({ call }) => call === 'POST /device/edit').map(({ body }) => body)
  await expect.poll(changes).toMatchObject([{ version: 3, expiresAt: '2030-06-30T23:59:59.999Z' }])
})
