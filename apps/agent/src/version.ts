import pkg from '../package.json' with { type: 'json' }

/** The program's version, as devices report it. */
export const programVersion: string = pkg.version

/** A clock that shows less than this is wrong: the program was not yet written. Moved on with each release. */
export const builtAt: number = Date.parse('2026-11-21T00:00:00Z')
