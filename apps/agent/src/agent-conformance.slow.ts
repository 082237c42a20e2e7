import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { expect, onTestFinished, test } from 'vitest'

const program = join(import.meta.dirname, '../../../tools/conformance.ts')

test.concurrent('The agent holds every rule of docs/device-protocol.md for players', async () => {
  const agent = await AgentFixture.make()
  onTestFinished(() => agent.clear())
  const run = spawn(process.execPath, [program, '--player'], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void run.kill())
  const ended = new Promise<number | null>(resolve => run.once('exit', resolve))
  const lines: string[] = []
  for await (const chunk of run.stdout) {
    lines.push(...String(chunk).split('\n').filter(Boolean))
    const url = /the server (\S+) and/.exec(lines[0] ?? '')?.[1]
    if (url !== undefined && lines.length === 1) agent.start(url, { key: 'CONFORMANCE' })
  }
  const [count, ...untested] = lines.slice(1).filter(line => !line.startsWith('passed'))
  expect(count).toBe('30 of 30 tested rules hold')
  // It names the rules that no check tests, and nothing else.
  expect(untested.filter(line => !line.startsWith('not tested: '))).toEqual([])
  expect(untested.length).toBeGreaterThan(5)
  expect(await ended).toBe(0)
})
