import { randomUUID } from 'node:crypto'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { release } from '@floorcast/contract/release.ts'

/** A heartbeat of a device that plays. */
export const sampleHeartbeat: Heartbeat = {
  sentAt: '2026-11-21T12:00:00.000Z',
  bootId: randomUUID(),
  programVersion: release.version,
  temperatureCelsius: 41.5,
  memorySizeBytes: 32_000_000_000,
  freeMemoryBytes: 21_000_000_000,
  ipAddress: '10.0.0.7',
  macAddress: 'b8:27:eb:00:00:01',
  volume: 70,
  nowPlaying: {
    name: 'Morning light',
    mediaUid: randomUUID(),
    contentType: 'melodies',
    startedAt: '2026-11-21T11:59:00.000Z',
    offsetSeconds: 0,
    durationSeconds: 180,
  },
  intervalSeconds: 60,
  silence: null,
  manifestEtag: `"${'0'.repeat(32)}"`,
  held: [{ publicationUid: randomUUID(), revision: 3, missing: 0 }],
  quarantined: [],
  server: { address: 'https://stream.floorcast.example', counter: 1_764_345_600, refused: null },
  alertCheck: { checkedAt: '2026-11-21T06:00:00.000Z', faults: [] },
}
