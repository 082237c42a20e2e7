import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { buildPath } from '@floorcast/contract/client.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { startAttackedServer } from '@floorcast/testing/attacked-server.ts'
import { findPython } from '@floorcast/testing/python.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'

/* Readers with a window of 4 kB, which take 64 kB a second of their reports, hold no place from others. */

const PLAYS = 40_000
const READERS = 3
const HOLD_MS = 40_000
const DAY = new Date().toISOString().slice(0, 10)

const server = await startAttackedServer()
const tokens = await Promise.all(
  Array.from({ length: READERS }, (_, at) => server.newClient(`reader${at}@example.com`)),
)
await asSuperuser(server.superuserUrl, superuser =>
  superuser.query(
    `insert into plays (day, device_uid, boot_uid, sequence, client_id, event_uid, received_at, device_name, media_uid, sha256,
       track_name, content_type, scheduled_at, started_at, ended_at, seconds_played, duration_seconds, result, local_day, is_clock_doubted)
     select $1::date, gen_random_uuid(), gen_random_uuid(), n, uid, gen_random_uuid(), now(), 'Shop', gen_random_uuid(), repeat('a', 64),
       repeat('A long name of a track ', 10), 'melodies', $1::timestamptz + n * interval '1 second', $1::timestamptz + n * interval '1 second',
       $1::timestamptz + n * interval '1 second', 1, 1, 'complete', $1::date, false
     from clients, generate_series(1, $2) n`,
    [DAY, PLAYS],
  ),
)

const params = { track: 'all', playpoint: 'all', playlist: 'all', from: DAY, to: DAY, zone: 'UTC' }
const path = buildPath(reportCalls.r1ext.download.path, params, { format: 'csv' })

const READER = `
import socket, sys, time
port, path, token = int(sys.argv[1]), sys.argv[2], sys.argv[3]
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
s.connect(('127.0.0.1', port))
s.sendall(f'GET {path} HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer {token}\\r\\n\\r\\n'.encode())
while s.recv(4096):
    time.sleep(0.06)
`

function startReader(token: string): ChildProcess {
  const { port } = new URL(server.origin)
  const child = spawn(findPython(), ['-c', READER, port, path, token], { stdio: 'inherit' })
  atTheEnd(async () => void child.kill('SIGKILL'))
  return child
}

test(`${READERS} slow readers of large reports leave reports to the others`, async () => {
  const statuses: number[] = []
  const readers = tokens.map(startReader)
  const { failed } = await server.measure(`${READERS} slow readers`, async () => {
    const until = performance.now() + HOLD_MS
    while (performance.now() < until) {
      const headers = { authorization: `Bearer ${server.token}` }
      const answer = await fetch(`${server.origin}${path}`, { headers })
      await answer.arrayBuffer()
      statuses.push(answer.status)
      await pause(1000)
    }
  })
  console.log(`reports of others: ${statuses.join(', ')}`)
  // They were still reading.
  expect(readers.map(({ exitCode }) => exitCode)).toEqual([null, null, null])
  expect(failed).toBe(0)
  expect(new Set(statuses)).toEqual(new Set([200]))
})
