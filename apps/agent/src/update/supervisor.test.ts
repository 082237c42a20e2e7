import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@floorcast/testing/eventually.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { notifyWatchdog } from './service-watchdog.ts'
import { Supervisor } from './supervisor.ts'

const folder = mkdtempSync(join(tmpdir(), 'floorcast-supervisor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program that notes its starts. The first one shows life once, and hangs; the next one ends with the code of wrong settings. */
function makeProgram(
  name: string,
  { showsLife }: { showsLife: boolean },
): { program: string; starts: string } {
  const program = join(folder, `${name}.mjs`)
  const starts = join(folder, `${name}.starts`)
  rmSync(starts, { force: true })
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs'
    const [, , starts] = process.argv
    appendFileSync(starts, 'x')
    if (readFileSync(starts, 'utf8').length > 1) process.exit(2)
    ${showsLife ? "process.send({ floorcast: 'alive' })" : ''}
    setTimeout(() => { for (;;) {} }, 20)`,
  )
  return { program, starts }
}

function superviseProgram(program: string, ...args: string[]) {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const options = {
    dataDir: folder,
    installed: program,
    args,
    healthSeconds: 60,
    aliveMs: 40,
    print,
  }
  return { supervisor: new Supervisor(options), lines }
}

test('an agent that hangs is killed and started again', async () => {
  const { program, starts } = makeProgram('hanging', { showsLife: true })
  const { supervisor, lines } = superviseProgram(program, starts)
  expect(await supervisor.supervise()).toBe(2)
  expect(readFileSync(starts, 'utf8')).toBe('xx')
  expect(lines).toEqual(['The agent does not answer and is started again'])
})

test('an agent of a former release, which shows no life, is left alone', async () => {
  const { program, starts } = makeProgram('former', { showsLife: false })
  const { supervisor, lines } = superviseProgram(program, starts)
  const supervised = supervisor.supervise()
  await eventually(() => expect(existsSync(starts)).toBe(true))
  await new Promise(resolve => setTimeout(resolve, 1000))
  expect([readFileSync(starts, 'utf8'), lines]).toEqual(['x', []])
  supervisor.stop('SIGKILL')
  await supervised
})

test("an agent trusts a company's own authority that only the system knows", async () => {
  const pathOf = (name: string) =>
    fileURLToPath(new URL(`../../../../testing/tls/${name}.pem`, import.meta.url))
  const options = { cert: readFileSync(pathOf('good')), key: readFileSync(pathOf('server-key')) }
  const server = createServer(options, (_, response) => void response.end('known'))
  await once(server.listen(0, 'localhost'), 'listening')
  vi.stubEnv('SSL_CERT_FILE', pathOf('authority'))
  const program = join(folder, 'caller.mjs')
  const heard = join(folder, 'heard')
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'
    const [, , heard, url] = process.argv
    writeFileSync(heard, await fetch(url).then(answer => answer.text(), error => error.cause.code))
    process.exit(2)`,
  )
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  const { supervisor } = superviseProgram(program, heard, url)
  expect(await supervisor.supervise()).toBe(2)
  expect(readFileSync(heard, 'utf8')).toBe('known')
  server.close()
})

test('systemd is told again and again that the supervisor answers', async () => {
  const told = join(folder, 'told')
  const program = join(folder, 'systemd-notify')
  writeFileSync(program, `#!/bin/sh\necho "$@" >>${told}\n`)
  chmodSync(program, 0o755)
  const path = process.env['PATH'] ?? ''
  process.env['PATH'] = `${folder}${delimiter}${path}`
  try {
    notifyWatchdog({ NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '90000' }, () => undefined)
    await eventually(() => expect(readFileSync(told, 'utf8')).toMatch(/^(WATCHDOG=1\n){3,}$/))
  } finally {
    process.env['PATH'] = path
  }
})
