import { release } from '@floorcast/contract/release.ts'

/** Set by tools/build-agent.ts; the sources themselves are no build. */
declare const FLOORCAST_BUILD: string | undefined
export const build = typeof FLOORCAST_BUILD === 'string' ? FLOORCAST_BUILD : null

/** As heartbeats report it and the device's page shows it: 2.776.0+1a2b3c4d for a build. */
export const programVersion = build === null ? release.version : `${release.version}+${build}`
