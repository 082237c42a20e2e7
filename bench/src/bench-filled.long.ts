import { debianPostgres } from '@floorcast/testing/debian-postgres.ts'
import { expect, it } from 'vitest'
import archive from './bench-archive.ts'
import backup from './bench-backup.ts'
import ingest from './bench-ingest.ts'
import notices from './bench-notices.ts'
import reports from './bench-reports.ts'

/** Of the comparison with pg_dump. */
const OF_DUMP = /^(restoreSeconds|ownSeconds|dumpSeconds|dumpMegabytes|dumpMemory|besideDump|besideFastDump)$/
const SMALL = ['--quick', '--rounds', '1', '--devices', '3', '--days', '2', '--plays', '20']

it.each([
  { bench: reports, args: SMALL, omitted: [] },
  {
    bench: backup,
    args: ['--plays', '900'],
    omitted: Object.keys(backup.figures).filter(name => !debianPostgres && OF_DUMP.test(name)),
  },
  // Beside a filled folder only.
  { bench: ingest, args: ['--rounds', '1', '--seconds', '1'], omitted: ['costGrowth'] },
  { bench: archive, args: ['--rounds', '1', '--devices', '3', '--days', '12', '--plays', '20'], omitted: [] },
  { bench: notices, args: ['--rounds', '1', '--seconds', '1'], omitted: [] },
])(
  '$bench.name measures all that it declares, over a folder that it fills itself',
  async ({ bench, ...run }) => {
    const values = await bench.run(run.args)
    expect([...Object.keys(values), ...run.omitted].toSorted()).toEqual(Object.keys(bench.figures).toSorted())
    expect(Object.entries(values).filter(([, value]) => !Number.isFinite(value))).toEqual([])
  },
)
