import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { atTheEnd } from './at-the-end.ts'
import { requireProgram } from './debian-program.ts'
import { freePort } from './free-port.ts'

/* Debian's Prometheus by the examples of ops/prometheus. */

/** The METRICS_TOKEN of the servers that it asks. */
export const MONITOR_TOKEN = 'a-token-of-monitors'

/** Devices are counted once a minute. */
export const ALARM_MS = 120_000

const read = (file: string) => readFileSync(new URL(`../../ops/prometheus/${file}`, import.meta.url), 'utf8')

/** The names of the alarms, sorted: those that figures of PostgreSQL itself make fire, and the others. */
export function readAlarms(): { ofDatabase: string[]; others: string[] } {
  const all = [...read('rules.yaml').matchAll(/alert: (\w+)\n([^]*?)\n +for:/g)]
  const namesOf = (isOfDatabase: boolean) =>
    all
      .filter(([, , expression = '']) => expression.includes('floorcast_database_') === isOfDatabase)
      .map(([, name = '']) => name)
      .toSorted()
  return { ofDatabase: namesOf(true), others: namesOf(false) }
}

/** What a test does not wait for: alarms fire at once, and look back over seconds. What they compare stays. */
const SHORTER = [
  [/for: \w+/g, 'for: 0s'],
  [/\[2m\]/g, '[5s]'],
  [/\[30m\]/g, '[20s]'],
  [/offset 1w/g, 'offset 30s'],
] as const

/** Replaces what the head of the example tells its reader to change, and looks each few seconds. */
function writeConfig(folder: string, targets: readonly number[]): string {
  const [rulesFile, tokenFile] = [join(folder, 'rules.yaml'), join(folder, 'token')]
  writeFileSync(
    rulesFile,
    SHORTER.reduce((rules, [from, to]) => {
      expect(rules).toMatch(from)
      return rules.replaceAll(from, to)
    }, read('rules.yaml')),
  )
  writeFileSync(tokenFile, `${MONITOR_TOKEN}\n`)
  const changes = [
    ['/etc/prometheus/floorcast-rules.yaml', rulesFile],
    ['/etc/prometheus/floorcast.token', tokenFile],
    // A scrape waits two seconds for figures that do not come.
    ['scrape_interval: 15s', 'scrape_interval: 3s'],
    ['evaluation_interval: 15s', 'evaluation_interval: 1s'],
    ["['127.0.0.1:8080']", JSON.stringify(targets.map(port => `127.0.0.1:${port}`))],
  ] as const
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    changes.reduce((text, [from, to]) => {
      expect(text).toContain(from)
      return text.replaceAll(from, to)
    }, read('prometheus.yml')),
  )
  return config
}

/** Runs Prometheus over servers, by their ports, until the end of the file's tests. It has figures of each of them. */
export async function startPrometheus(targets: readonly number[]) {
  requireProgram('prometheus')
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-prometheus-'))
  const config = writeConfig(folder, targets)
  execFileSync('promtool', ['check', 'config', config], { stdio: 'pipe' })
  const address = `127.0.0.1:${await freePort()}`
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--log.level=error',
  ]
  const child = spawn('prometheus', args, { stdio: 'inherit' })
  atTheEnd(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  /** The values of an expression, by the name of the alarm or the address of the server. */
  const ask = async (query: string) => {
    const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(query)}`)
    const { data } = (await answer.json()) as {
      data: { result: { metric: Record<string, string>; value: [number, string] }[] }
    }
    return new Map(
      data.result.map(({ metric, value }) => [metric['alertname'] ?? metric['instance'] ?? '', +value[1]]),
    )
  }
  /** The alarms that fire now. */
  const firing = async () =>
    [...(await ask('count by (alertname) (ALERTS{alertstate="firing"})')).keys()].toSorted()
  /** Waits until a claim on what it says holds. */
  const until = (claim: () => Promise<unknown>) => vi.waitFor(claim, { timeout: ALARM_MS, interval: 200 })
  const untilFiring = (alarm: string, meanwhile: () => unknown = () => undefined) =>
    until(async () => {
      await meanwhile()
      expect(await firing()).toContain(alarm)
    })
  const untilQuiet = (alarm: string) => until(async () => expect(await firing()).not.toContain(alarm))
  await until(async () => expect([...(await ask('up')).values()]).toEqual(targets.map(() => 1)))
  return { ask, firing, until, untilFiring, untilQuiet }
}
export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>
