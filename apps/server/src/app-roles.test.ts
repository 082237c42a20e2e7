import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readManifest, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { authenticate, register } from '@floorcast/contract/auth.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, it } from 'vitest'

const playpointid = '01933d4e-0000-7000-8000-00000000000f'
const codeOf = async (environment: Record<string, string>, endpoint: Endpoint, input: object = {}) =>
  (await (await wholeServer(environment)).ask(endpoint, input)).json<{ code: string }>().code

it.each([
  ['api', 'session-expired', 'no-such-call'],
  ['stream', 'no-such-call', 'device-token'],
  ['all', 'session-expired', 'device-token'],
])('ROLE %s answers its own calls', async (role, console, device) => {
  const server = await wholeServer({ ROLE: role })
  const code = async (endpoint: Endpoint, params?: object) =>
    (await server.ask(endpoint, params ? { params } : {})).json<{ code: string }>().code
  expect([await code(listDevices), await code(readQuickMetrics)]).toEqual([console, console])
  expect([await code(readManifest, { playpointid }), await code(sendHeartbeat)]).toEqual([device, device])
})

it('without its database is alive and not ready; a call ends in an id, not in a cause', async () => {
  const server = await wholeServer()
  const { token } = await server.newClient()
  await server.database.close()
  const status = async (url: string) => (await server.http.app.inject({ url })).statusCode
  expect([await status('/health/live'), await status('/health/ready')]).toEqual([200, 503])
  const answer = await server.ask(listDevices, { token })
  expect(answer.json()).toMatchObject({ status: 500, code: 'internal', detail: 'The server failed.' })
})

const body = { fullName: 'Olga Owner', email: 'olga@example.com', password: 'a long password', terms: true }

const { email, password } = body
const known = { email, password }

it('REGISTRATION=closed lets nobody register, and those who are there sign in', async () => {
  expect(await codeOf({ REGISTRATION: 'closed' }, register, { body })).toBe('registration-closed')
  expect(await codeOf({ REGISTRATION: 'closed' }, authenticate, { body: known })).toBe('wrong-login')
})
