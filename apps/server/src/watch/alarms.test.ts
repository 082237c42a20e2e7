import { readFileSync } from 'node:fs'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openJobs } from '../jobs/jobs.ts'
import { startSampling } from '../jobs/samples.ts'

const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')

const Alarm = z.strictObject({
  alert: z.string().regex(/^Floorcast[A-Z]\w+$/),
  expr: z.string(),
  for: z.string(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string().min(1), runbook: z.string() }),
})
const Rules = z.strictObject({
  groups: z.tuple([z.strictObject({ name: z.string(), rules: z.array(Alarm) })]),
})
const alarms = Rules.parse(parse(read('ops/prometheus/rules.yaml'))).groups[0].rules

const Examples = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.tuple([z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })]),
    }),
  ),
})

interface Shown {
  /** All, also those that have no value now. */
  names: Set<string>
  /** The series of those with buckets. */
  buckets: Set<string>
  /** Of each name, the values of each label. */
  values: Map<string, Map<string, Set<string>>>
}

/** What a server shows to a monitor. */
async function readShown(): Promise<Shown> {
  const token = 'a-token-of-monitors'
  const server = await wholeServer({ METRICS_TOKEN: token, BACKUP_TARGET: '/nowhere/floorcast' })
  const jobs = openJobs(server.context, 'server one')
  atTheEnd(startSampling(server.context, jobs))
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await server.http.app.inject({ url: '/metrics', headers })
  const names = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name))
  const buckets = new Set<string>()
  const values: Shown['values'] = new Map()
  for (const [, name = ''] of body.matchAll(/^# TYPE (\w+) histogram/gm)) buckets.add(`${name}_bucket`)
  for (const [, name = '', labels = ''] of body.matchAll(/^(floorcast_\w+)\{(.*)\} \S+$/gm)) {
    const ofName = values.get(name) ?? new Map<string, Set<string>>()
    values.set(name, ofName)
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      ofName.set(label, (ofName.get(label) ?? new Set()).add(value))
  }
  return { names, buckets, values }
}

/** The figures and values of labels of an expression that no server shows. */
function findUnknown(expression: string, { names, buckets, values }: Shown): string[] {
  return [...expression.matchAll(/\b(floorcast_\w+)(?:\{([^}]*)\})?/g)].flatMap(
    ([, name = '', selectors = '']) => {
      if (!names.has(name) && !buckets.has(name)) return [name]
      return [...selectors.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)].flatMap(([, label = '', , wanted = '']) =>
        wanted
          .split('|')
          .filter(value => !values.get(name)?.get(label)?.has(value))
          .map(value => `${name}{${label}="${value}"}`),
      )
    },
  )
}

const shown = await readShown()

test('each alarm is about figures that a server shows', () => {
  expect(alarms.length).toBeGreaterThan(10)
  for (const { alert, expr } of alarms) expect([alert, ...findUnknown(expr, shown)]).toEqual([alert])
  // The check itself finds what is wrong.
  const wrong = 'max(floorcast_mails) > 0 or floorcast_unready{reason=~"disk-full|disk-fool"} == 1'
  expect(findUnknown(wrong, shown)).toEqual(['floorcast_mails', 'floorcast_unready{reason="disk-fool"}'])
})

test('each alarm names its section, which says what it means, how to see it and what to do, and each section has an alarm', () => {
  const sections = read('docs/operate/alarms.md').split(/^## /m).slice(1)
  const parts = new Map(
    sections.map(text => [/^.+/.exec(text)?.[0] ?? '', [...text.matchAll(/^\*\*(\w+)\*\*: \S/gm)]]),
  )
  expect([...parts.keys()]).toEqual(['Set up', ...alarms.map(({ alert }) => alert)])
  for (const { alert, annotations } of alarms) {
    expect(annotations.runbook).toBe(`docs/operate/alarms.md#${alert.toLowerCase()}`)
    expect([alert, ...(parts.get(alert) ?? []).map(([, part]) => part)]).toEqual([
      alert,
      'Means',
      'See',
      'Do',
    ])
  }
})

test('each alarm has an example that fires and one that is quiet', () => {
  const examples = ['rules.test.yaml', 'rules-of-days.test.yaml']
    .flatMap(file => Examples.parse(parse(read(`ops/prometheus/${file}`))).tests)
    .map(({ alert_rule_test: [{ alertname, exp_alerts }] }) => `${alertname} ${exp_alerts.length}`)
  expect(examples.toSorted()).toEqual(alarms.flatMap(({ alert }) => [`${alert} 0`, `${alert} 1`]).toSorted())
})

const Dashboard = z.object({
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string().min(1),
      targets: z.array(z.object({ expr: z.string() })).default([]),
    }),
  ),
})

test('each panel of the dashboard is about figures that a server shows, and each figure has one', () => {
  const { panels } = Dashboard.parse(JSON.parse(read('ops/grafana/floorcast.json')))
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  for (const expression of expressions)
    expect([expression, ...findUnknown(expression, shown)]).toEqual([expression])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const drawn = expressions.join(' ').replaceAll('_bucket', '')
  // Sizes of what other panels show in use, and what alarms alone are about.
  const undrawn = [
    'backup_target_missing',
    'calls_places',
    'calls_admitted_total',
    'clients_at_device_limit',
    'disk_total_bytes',
  ]
  const left = [...shown.names].filter(name => !new RegExp(String.raw`\b${name}\b`).test(drawn))
  expect(left.toSorted()).toEqual(
    [...undrawn, 'maintenance_failed_clients', 'pool_size'].map(name => `floorcast_${name}`).toSorted(),
  )
})
