import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { expect, it } from 'vitest'
import { paths } from '../platform/paths.ts'
import { pages, redirects } from './pages.ts'

it('the routes that the server promises are those that the console has', () => {
  const routes = [
    paths.login,
    paths.lock,
    paths.verify,
    paths.terms,
    ...Object.keys(redirects),
    ...pages.map(({ path }) => path),
  ]
  expect(consoleRoutes.toSorted()).toEqual(routes.toSorted())
})

it('first calls are those of the contract', () => {
  const firstCalls = pages.flatMap(({ name, firstCall }) =>
    firstCall === undefined ? [] : [[name, firstCall]],
  )
  expect(firstCalls).toEqual([
    ['overview', readQuickMetrics.path],
    ['device', readDevice.path.replace('{id}', ':uid')],
  ])
})
