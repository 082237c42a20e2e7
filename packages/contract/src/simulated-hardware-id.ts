import { Sha256 } from './sha256.ts'

/** The hardware id of a simulated player: derived from its license key, so that a later run is the same player. */
export function simulatedHardwareId(licenseKey: string): string {
  const hash = new Sha256()
  hash.update(new TextEncoder().encode(`fleet ${licenseKey}`))
  const hex = hash.digest()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
