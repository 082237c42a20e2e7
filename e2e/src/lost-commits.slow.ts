import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { cloneDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { openChain, readStored } from './balanced-servers.ts'

const DEVICES = 5
const LOST = 10

/** A line to a database that breaks after each third commit of what devices report, before its answer has come back. */
async function openBreakingLine(url: string) {
  const line = { url: '', commits: 0, lost: 0 }
  const sockets: Socket[] = []
  const { hostname, port } = new URL(url)
  const server = createServer(near => {
    const far = connect(Number(port), hostname)
    sockets.push(near, far)
    const end = () => [near, far].forEach(socket => socket.destroy())
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    let isOfReports: boolean | null = null
    let isBreaking = false
    near.on('data', (chunk: Buffer) => {
      // The first packet has the name of the connection.
      isOfReports ??= chunk.includes('floorcast_ingest\0')
      if (isOfReports && chunk.includes('commit\0')) {
        line.commits += 1
        isBreaking = line.commits % 3 === 0
      }
      far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => {
      if (!isBreaking) return near.write(chunk)
      line.lost += 1
      end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atTheEnd(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  line.url = Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href
  return line
}

test('plays whose commit was done and not answered are sent again, and are there once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-commits-'))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const urls = await cloneDatabase()
  const line = await openBreakingLine(urls.url)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const program = startServerProgram({ DATABASE_URL: line.url, PORT: String(port), PUBLIC_URL: origin })
  await program.until(/^Floorcast is at/)
  const chain = await openChain({ origin, deviceOrigin: origin, folder }, urls)
  const fleet = await chain.startFleet(DEVICES)
  await eventually(() => expect(line.lost).toBeGreaterThanOrEqual(LOST))
  await fleet.stop()
  const { plays, events } = fleet.metrics
  expect(events).toMatchObject({ refused: 0, lost: 0 })
  expect(events.duplicates).toBeGreaterThan(0)
  expect(await readStored(urls)).toEqual({ plays, events: plays, summed: plays, gaps: 0 })
})
