import { featuresOf } from '@floorcast/server/features.ts'
import { readSettings } from '@floorcast/server/platform/settings/settings.ts'
import { testServer } from './test-server.ts'

/** A server with all features of its program (ROLE), for tests of what features do together. */
export const wholeServer = (environment: Record<string, string> = {}) =>
  testServer({
    features: featuresOf(readSettings(environment).role),
    environment,
    hasOwnDatabase: true,
  })
