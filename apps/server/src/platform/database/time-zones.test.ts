import { offsetAt } from '@floorcast/playback/zone.ts'
import { cloneDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { findZoneDifferences } from './time-zones.ts'

test('Zones whose rules differ between PostgreSQL and Node are named, also for some weeks of the next year', async () => {
  const { url } = await cloneDatabase()
  const now = new Date('2026-11-28T12:00:00Z')
  const [from, until] = [Date.parse('2027-08-01T00:00:00Z'), Date.parse('2027-08-20T00:00:00Z')]
  const otherRules = (zone: string, at: number) =>
    offsetAt(zone, at) + (zone === 'Europe/Oslo' && at >= from && at < until ? 3_600_000 : 0)
  // This machine's two copies may differ, too.
  const differ = await findZoneDifferences(url, now)
  expect(await findZoneDifferences(url, now, otherRules)).toEqual([...differ, 'Europe/Oslo'].toSorted())
  console.log(`PostgreSQL and Node differ here in ${differ.length} zones: ${differ.slice(0, 20).join(' ')}`)
})
