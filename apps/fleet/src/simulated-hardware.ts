import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'

const GIBIBYTE = 1024 ** 3

const startedAt = new Date().toISOString()

/** The measurements and addresses of a simulated device's hardware, which differ by its number. Its alerts were checked at the start. */
export const describeHardware = (number: number) =>
  ({
    temperatureCelsius: 38 + Math.round(Math.random() * 120) / 10,
    memorySizeBytes: 32 * GIBIBYTE,
    freeMemoryBytes: Math.max(1, 20 * 1024 - number) * 1024 ** 2,
    ipAddress: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    macAddress: `02:f1:ee:${number
      .toString(16)
      .padStart(6, '0')
      .replace(/(..)(..)(..)/, '$1:$2:$3')}`,
    alertCheck: { checkedAt: startedAt, faults: [] },
  }) satisfies Partial<Heartbeat>
