import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { deviceTest } from '@floorcast/testing/device-fixture.ts'
import { expect } from 'vitest'

const pathOf = (name: string) => fileURLToPath(new URL(`../../../testing/tls/${name}.pem`, import.meta.url))

deviceTest.concurrent(
  "Trusts a company's own authority that only the system knows, and names the cause where it does not",
  async ({ device, onTestFinished }) => {
    const options = { cert: readFileSync(pathOf('good')), key: readFileSync(pathOf('server-key')) }
    const proxy = createServer(options, socket => {
      const server = connect(Number(new URL(device.server.url).port), '127.0.0.1')
      socket.pipe(server).pipe(socket)
      for (const end of [socket, server])
        end.on('error', () => [socket, server].forEach(each => each.destroy()))
    })
    proxy.on('tlsClientError', () => undefined)
    onTestFinished(() => void proxy.close())
    await once(proxy.listen(0, 'localhost'), 'listening')
    const url = `https://localhost:${(proxy.address() as AddressInfo).port}`
    const stranger = device.agent.start(url)
    const refusal = `No session at ${url}: the certificate is of an authority that this machine does not know`
    await device.until(() => expect(stranger.output.join('')).toContain(refusal))
    expect(device.server.sessionCalls).toEqual([])
    await stranger.kill('SIGTERM')
    device.publish([device.addSong(1, 1)])
    device.agent.start(url, { authorities: pathOf('authority') })
    await device.until(() => expect(device.ofResult('complete').length).toBeGreaterThan(0))
    expect(device.server.channels).toBe(1)
  },
)
