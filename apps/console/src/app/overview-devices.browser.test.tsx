import { listOpenAlerts } from '@floorcast/contract/alerts.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { Outlet, type RouteObject } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { OverviewPage } from '../features/dashboard/overview-page.tsx'
import { DevicesPage } from '../features/devices/devices-page.tsx'
import { loadWords } from '../platform/i18n.ts'
import { neverConnectedDevice } from '../testing/device-samples.ts'
import { drawComponent } from '../testing/draw-component.tsx'
import { FakeServer } from '../testing/fake-server.ts'
import { answerOverview, metrics } from '../testing/overview-samples.ts'
import { Shell } from './shell/shell.tsx'

let server: FakeServer
beforeEach(async () => {
  await loadWords('home')
  server = new FakeServer()
  answerOverview(server)
  server.answer(listOpenAlerts, () => [])
  server.answer(listDevices, () => ({ items: [neverConnectedDevice], total: 1, page: 1, size: 10 }))
})
const pages: RouteObject[] = [
  { path: '/home/overview', element: <OverviewPage /> },
  { path: '/equipments/devices', element: <DevicesPage /> },
]
const fleet = page.getByRole('region', { name: 'Fleet', exact: true })
const lastAsked = () => server.calls.findLast(({ call }) => call === `GET ${listDevices.path}`)?.query

it.each([
  ['Fleet', /^Playing/, { silent: 'none' }],
  ['Fleet', /^Unavailable devices/, { connectivity: 'linkdown,linklost' }],
  ['Needs attention', /^1 device has been offline for over a day/, { connectivity: 'linklost' }],
])('reads the devices that a figure of %s counts: %s', async (panel, name, query) => {
  const { back } = await drawComponent(<Outlet />, { path: '/home/overview', pages })
  const link = page.getByRole('region', { name: panel, exact: true }).getByRole('link', { name })
  await link.click()
  const devices = page.getByRole('table', { name: 'Devices' })
  await expect.element(devices.getByRole('row', { name: /Bakery Lane 4/ })).toBeVisible()
  expect(lastAsked()).toMatchObject(query)
  await back()
  await expect.element(link).toBeVisible()
})

it('reads the devices of an area of the map, and names it', async () => {
  const place = 'area:59.5,10.5,60,11'
  await drawComponent(<Outlet />, { path: `/equipments/devices?place=${encodeURIComponent(place)}`, pages })
  await expect.element(page.getByRole('button', { name: 'Place: Area of the map' })).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Bakery Lane 4/ })).toBeVisible()
  expect(lastAsked()).toMatchObject({ place })
})

it('reads the fleet again when the change feed names a device', async () => {
  let { devices } = metrics
  answerOverview(server, () => ({ ...metrics, devices }))
  await drawComponent(<Outlet />, {
    path: '/home/overview',
    pages: [{ element: <Shell />, children: pages }],
    isWholePage: true,
  })
  await expect.element(fleet.getByRole('link', { name: /^Playing ?1/ })).toBeVisible()
  devices = { ...devices, online: 0, playing: 0, neverup: 2 }
  server.tell({ thing: 'device', uid: neverConnectedDevice.uid })
  await expect.element(fleet.getByRole('link', { name: /^Playing ?0/ })).toBeVisible()
  await expect.element(fleet.getByRole('link', { name: /^Never connected ?2/ })).toBeVisible()
})
