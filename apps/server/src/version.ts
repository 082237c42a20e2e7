import manifest from '../package.json' with { type: 'json' }

/** The version that is shown: 2.775.0 and up. */
export const { version } = manifest
