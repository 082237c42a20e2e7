import { expect, it } from 'vitest'
import ingest from './bench-ingest.ts'
import reports from './bench-reports.ts'

const SMALL = ['--quick', '--rounds', '1', '--devices', '3', '--days', '2', '--plays', '20']

it.each([
  { bench: reports, args: SMALL, omitted: [] },
  // Beside a filled folder only.
  { bench: ingest, args: ['--rounds', '1', '--seconds', '1'], omitted: ['costGrowth'] },
])(
  '$bench.name measures all that it declares, over a folder that it fills itself',
  async ({ bench, ...run }) => {
    const values = await bench.run(run.args)
    expect([...Object.keys(values), ...run.omitted].toSorted()).toEqual(Object.keys(bench.figures).toSorted())
    expect(Object.entries(values).filter(([, value]) => !Number.isFinite(value))).toEqual([])
  },
)
