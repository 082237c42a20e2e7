/**
 * This release, by semantic versioning: the server shows the version and each device reports it. A device's clock that
 * shows an earlier date is wrong. CHANGELOG.md has the same two; no other file has them.
 */
export const release = { version: '2.776.0', date: '2026-11-30' } as const
