import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { makeLog } from '../../log/log.ts'
import { makeHttpServer } from '../http-server.ts'

interface Line {
  msg: string
  path?: string
  userUid?: string
}

async function startServer() {
  const lines: Line[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(JSON.parse(chunk.toString()) as Line)
      done()
    },
  })
  const url = 'http://localhost:8080'
  const app = await makeHttpServer({
    log: makeLog('info', destination),
    trustProxy: false,
    origins: { publicUrl: url, streamUrl: url, logsUrl: url },
    unsignedLines: { ofAddress: 3, inAll: 5 },
  })
  app.get('/open', async () => ({}))
  app.get('/health/live', async () => ({}))
  app.get('/own', async ({ note }) => {
    note.userUid = 'someone'
    return {}
  })
  const get = (path: string, remoteAddress = '127.0.0.1') => app.inject({ url: path, remoteAddress })
  return { app, lines, get }
}

test('paths are cut, and requests of callers who are not signed in are summed up', async () => {
  const { app, lines, get } = await startServer()
  for (let count = 0; count < 20; count += 1) await get(`/${'x'.repeat(5000)}`)
  for (let count = 0; count < 5; count += 1) await get('/open', '192.0.2.1')
  for (let count = 0; count < 5; count += 1) await get('/open', `2001:db8::${count}`)
  for (let count = 0; count < 9; count += 1) await get('/own')
  await app.close()
  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(requests.map(({ path = '', userUid }) => [path.length, userUid])).toEqual([
    ...Array.from({ length: 3 }, () => [201, undefined]),
    ...Array.from({ length: 2 }, () => [5, undefined]),
    ...Array.from({ length: 9 }, () => [4, 'someone']),
  ])
  expect(lines.filter(({ msg }) => msg === 'requests without a line in the log')).toMatchObject([
    { address: '127.0.0.1', omitted: { 404: 17 }, requests: 17 },
    { address: '2001:db8:0:0::/64', omitted: { 200: 5 }, requests: 5 },
    { address: '192.0.2.1', omitted: { 200: 3 }, requests: 3 },
  ])
})

test('health checks, which come each second, have no line at the level info', async () => {
  const { app, lines, get } = await startServer()
  await get('/health/live')
  await get('/open')
  await app.close()
  expect(lines.filter(({ msg }) => msg === 'request').map(({ path }) => path)).toEqual(['/open'])
})

test('a proxy in front that the settings do not name is told of once', async () => {
  const { app, lines } = await startServer()
  for (let count = 0; count < 3; count += 1)
    await app.inject({ url: '/open', headers: { 'x-forwarded-for': '203.0.113.7' } })
  await app.close()
  expect(lines.filter(({ msg }) => msg.includes('TRUST_PROXY'))).toHaveLength(1)
})
