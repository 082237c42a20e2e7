import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { arch, cpus, networkInterfaces, type } from 'node:os'

export interface MachineState {
  temperatureCelsius: number | null
  memorySizeBytes: number | null
  freeMemoryBytes: number | null
  ipAddress: string | null
  macAddress: string | null
}

function readTemperature(): number | null {
  try {
    const thousandths = Number(readFileSync('/sys/class/thermal/thermal_zone0/temp', 'utf8'))
    const celsius = thousandths / 1000
    return Number.isFinite(celsius) && Math.abs(celsius) <= 200 && celsius >= -100 ? celsius : null
  } catch {
    return null
  }
}

function readAddress(): { ipAddress: string | null; macAddress: string | null } {
  const outward = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(address => !address.internal)
  const found = outward.find(address => address.family === 'IPv4') ?? outward[0]
  return { ipAddress: found?.address ?? null, macAddress: found?.mac ?? null }
}

/** The box as it is now; sizes are those of the disk that holds `folder`. What cannot be read is null. */
export async function readMachine(folder: string): Promise<MachineState> {
  const disk = await statfs(folder).catch(() => null)
  return {
    temperatureCelsius: readTemperature(),
    memorySizeBytes: disk ? disk.blocks * disk.bsize : null,
    freeMemoryBytes: disk ? disk.bavail * disk.bsize : null,
    ...readAddress(),
  }
}

/** What the box calls itself: the board's name where there is one, else system, architecture and processor. */
export function readModel(): string {
  for (const path of ['/proc/device-tree/model', '/sys/devices/virtual/dmi/id/product_name'])
    try {
      const name = readFileSync(path, 'utf8').replaceAll('\0', '').trim()
      if (name) return name.slice(0, 100)
    } catch {
      continue
    }
  return `${type()} ${arch()} ${cpus()[0]?.model ?? ''}`.trim().slice(0, 100)
}
