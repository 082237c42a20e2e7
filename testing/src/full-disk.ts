import type { TestServer } from './test-server.ts'

/** From now on less of the server's disk is free than MIN_FREE_DISK says. */
export function fillDisk({ context }: TestServer): void {
  context.settings.minFreeDisk.atLeastBytes = Number.MAX_SAFE_INTEGER
}
