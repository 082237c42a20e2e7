import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { listDevices } from '@floorcast/contract/devices.ts'
import { importSmartPlaylist } from '@floorcast/contract/smart-playlists.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'

const IMPORTS = Number(process.env['IMPORTS'] ?? 130)
const BODY_BYTES = 16 * 1024 * 1024 - 1024

/** A draft of about 16 MB that is valid but for its media and its plan. */
function largeBody(): Buffer {
  const uid = '01890000-0000-7000-8000-000000000000'
  const item = JSON.stringify({ uid, start: 12_345.5, duration: 20.5 })
  const items = Array.from({ length: Math.floor(BODY_BYTES / 2 / (item.length + 1)) - 20 }, () => item).join(
    ',',
  )
  const track = JSON.stringify({ uid, duration: 20.5 })
  // A block has at most 172,800 items.
  const block = `{"kind":"melody","start":0,"duration":10,"items":[${items}]}`
  return Buffer.from(
    `{"smartPlName":"Attack","seed":1,"melList":[${track}],"adsList":[],"finishList":[${block},${block}]}`,
  )
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN

test('130 imports of 16 MB that come at once leave the server to the others', async () => {
  const { url, newClient } = await testServer()
  const clients = await Promise.all(Array.from({ length: IMPORTS }, () => newClient()))
  const neighbour = await newClient()
  const server = startServerProgram({
    DATABASE_URL: url,
    METRICS_TOKEN: 'a-token-of-this-test-alone',
    NODE_OPTIONS: '--max-old-space-size=512',
  })
  const [, address = ''] = await server.until(/Floorcast is at (\S+)/)
  const body = largeBody()

  const timeCall = async () => {
    const since = performance.now()
    const answer = await fetch(`${address}${listDevices.path}`, {
      headers: { authorization: `Bearer ${neighbour.token}` },
    })
    await answer.text()
    expect(answer.status).toBe(200)
    return performance.now() - since
  }
  const timeCalls = async (count: number) => {
    const times: number[] = []
    for (let call = 0; call < count; call += 1) {
      times.push(await timeCall())
      await pause(20)
    }
    return times
  }
  const delayNow = async () => {
    const headers = { authorization: 'Bearer a-token-of-this-test-alone' }
    const text = await (await fetch(`${address}/metrics`, { headers })).text()
    return Number(/^floorcast_event_loop_delay_seconds ([\d.e-]+)$/m.exec(text)?.[1]) * 1000
  }
  const send = (token: string) =>
    new Promise<number | string>(resolve => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': body.length,
      }
      const call = request(`${address}${importSmartPlaylist.path}`, { method: 'POST', headers }, answer => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      })
      call.on('error', error => resolve(error.message))
      call.end(body)
    })

  await timeCalls(20)
  const idle = await timeCalls(100)
  const answers: (number | string)[] = []
  const imports = Promise.all(clients.map(async ({ token }) => answers.push(await send(token))))
  const during: number[] = []
  const delays: number[] = []
  let isOver = false
  void imports.then(() => (isOver = true))
  while (!isOver) {
    during.push(...(await timeCalls(10)))
    delays.push(await delayNow())
  }
  await pause(10_000)
  delays.push(await delayNow())
  const counts = Object.entries(Object.groupBy(answers, String)).map(([end, all]) => [end, all?.length])
  console.table({
    imports: JSON.stringify(counts),
    'idle p95, ms': percentile(idle, 0.95),
    'during p50, ms': percentile(during, 0.5),
    'during p95, ms': percentile(during, 0.95),
    'largest event loop delay p99, ms': Math.max(...delays),
  })
  expect(server.child.exitCode).toBeNull()
  expect(answers).toHaveLength(IMPORTS)
  expect((await fetch(`${address}/health/ready`)).status).toBe(200)
})
