import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { requireFreePort } from './platform/http/receive/listeners.ts'
import { makeLog } from './platform/log/log.ts'
import { connectionsOfLimit, countConnections, holdDataFolder, requireOpenFiles } from './start-checks.ts'

const scratch = mkdtempSync(join(tmpdir(), 'floorcast-checks-'))
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})

describe('the address to listen at', () => {
  it('is refused with the setting to change when another program has it', async () => {
    const other = createServer().listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await expect(requireFreePort({ host: '127.0.0.1', port })).rejects.toThrow(
      `PORT ${port} of 127.0.0.1 is in use`,
    )
    await requireFreePort({ host: '127.0.0.1', port: 0 })
  })

  it('is refused when it is of no network of this machine', async () => {
    await expect(requireFreePort({ host: '192.0.2.1', port: 0 })).rejects.toThrow(
      'HOST 192.0.2.1 is no address of this machine',
    )
    await expect(requireFreePort({ host: 'not-an-address.invalid', port: 0 })).rejects.toThrow(
      'HOST not-an-address.invalid is no',
    )
  })
})

describe.runIf(process.platform === 'linux')('a data folder', () => {
  it('has one server at a time, by whichever name, and is free when its server is killed', async () => {
    const [folder, link] = [join(scratch, 'data'), join(scratch, 'link')]
    const holding = `import { holdDataFolder } from '${new URL('start-checks.ts', import.meta.url).href}'
      await holdDataFolder(process.argv[1]); console.log('held'); setInterval(() => {}, 1e6)`
    const holder = spawn(process.execPath, ['--input-type=module', '-e', holding, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    symlinkSync(folder, link)
    await expect(holdDataFolder(link)).rejects.toThrow(`Another server works in DATA_DIR ${link}`)
    holder.kill('SIGKILL')
    await once(holder, 'close')
    await holdDataFolder(link)
    await holdDataFolder(join(scratch, 'another'))
  })
})

describe('the connections that the limit of open files allows', () => {
  const limits =
    'Limit                     Soft Limit           Hard Limit           Units\nMax open files            4096                 4096                 files\n'

  it('are read from the process, where the system says', () => {
    expect(connectionsOfLimit(limits)).toBe(3596)
    expect(
      connectionsOfLimit('Max open files            unlimited            unlimited            files'),
    ).toBe(null)
    expect(connectionsOfLimit(null)).toBe(null)
  })

  it('are let in without MAX_CONNECTIONS, up to 20,000', () => {
    const count = (maxConnections: number | null, files: string | null) =>
      countConnections({ maxConnections }, files)
    expect([count(null, limits), count(null, limits.replaceAll('4096', '20000'))]).toEqual([3596, 19_500])
    expect([count(null, limits.replaceAll('4096', '65536')), count(null, null)]).toEqual([20_000, 20_000])
    expect([count(1000, limits), count(30_000, null), count(null, limits.replaceAll('4096', '256'))]).toEqual(
      [1000, 30_000, 10],
    )
  })

  it('are a fault where MAX_CONNECTIONS was set above them, and without it a line in the log', () => {
    const lines: string[] = []
    const log = makeLog('info', { write: (line: string) => void lines.push(line) })
    const check = (maxConnections: number | null, files = limits) =>
      requireOpenFiles({ maxConnections }, log, files)
    expect(() => check(20_000)).toThrow(/MAX_CONNECTIONS is 20000, and .* for 3596 .*LimitNOFILE/)
    expect(lines).toEqual([])
    check(null)
    expect(lines.join('')).toMatch(/3596 connections are let in.* up to 20000 raise LimitNOFILE/)
    check(3000)
    check(null, limits.replaceAll('4096', '65536'))
    expect(lines).toHaveLength(1)
    // It takes 500 files beside connections.
    expect(() => check(null, limits.replaceAll('4096', '256'))).toThrow('LimitNOFILE')
  })
})
