import type { Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { expect, it } from 'vitest'
import { findAttention } from './attention.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

const metrics: QuickMetrics = {
  asOf: '2026-11-21T12:00:00Z',
  playedCount: 10,
  devices: { online: 3, linkdown: 0, linklost: 0, neverup: 1, playing: 3 },
  media: { items: 4, sizeBytes: 1000 },
  publications: { active: 1, delayed: 0, disabled: 0 },
  databaseSizeBytes: 10,
  down: [],
  latestPlays: [],
}

const limits: Limits = {
  plan: 'Trial',
  expiresAt: '2026-12-10T12:00:00Z',
  isExpired: false,
  devices: { used: 2, limit: 3 },
  mediaBytes: { used: 100, limit: 2000 },
  statisticsBytes: { used: 0, limit: 1000 },
}

const about = (some: Partial<QuickMetrics>, other: Partial<Limits> = {}) =>
  findAttention({ ...metrics, ...some }, { ...limits, ...other }, now).map(attention => attention.about)

it('finds nothing when all is well; a device that never came up is no alarm', () => {
  expect(about({})).toEqual([])
})

it('names devices that were up and are not, delayed publications and full limits', () => {
  const devices = { ...metrics.devices, linkdown: 2, linklost: 1 }
  const publications = { active: 0, delayed: 1, disabled: 0 }
  const full = { mediaBytes: { used: 1800, limit: 2000 }, devices: { used: 3, limit: 3 } }
  expect(about({ devices, publications }, full)).toEqual(['down', 'storage', 'deviceLimit', 'delayed'])
})

it('puts the subscription first: ended, or ending within a week', () => {
  expect(about({}, { expiresAt: '2026-11-28T12:00:00Z' })).toEqual(['expiring'])
  expect(about({}, { expiresAt: '2026-11-28T12:00:01Z' })).toEqual([])
  expect(about({}, { expiresAt: '2026-11-01T12:00:00Z', isExpired: true })).toEqual(['expired'])
})
