import { expect } from 'vitest'
import type { TestServer } from './test-server.ts'
import { wholeServer } from './whole-server.ts'

type Server = Pick<TestServer, 'http'>

/** The origin whose pages may call the server, as it answers when a browser asks for `origin`; undefined if it may not. */
export async function originTaken({ http }: Server, origin: string): Promise<unknown> {
  const { headers } = await http.app.inject({
    method: 'OPTIONS',
    url: '/device/logs/01933d4e-0000-7000-8000-00000000000f/debug',
    headers: { origin, 'access-control-request-method': 'GET' },
  })
  return headers['access-control-allow-origin']
}

/** With the setting, unlike the `bare` server, the console is told that address, may call it, and is let in there. */
export async function expectCalled(
  bare: Server,
  field: string,
  environment: Record<string, string>,
): Promise<void> {
  const [address = ''] = Object.values(environment)
  const ask = async (server: Server) => {
    const settings = await server.http.app.inject('/config.json')
    return [
      settings.json<Record<string, unknown>>()[field],
      String(settings.headers['content-security-policy']).includes(new URL(address).origin),
      await originTaken(server, 'https://shop.example'),
    ]
  }
  const told = [await ask(bare), await ask(await wholeServer(environment))]
  expect(told).toEqual([
    ['', false, undefined],
    [address, true, 'https://shop.example'],
  ])
}
