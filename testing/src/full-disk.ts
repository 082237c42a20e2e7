import type { TestServer } from './test-server.ts'

/** Makes less of the server's disk free than MIN_FREE_DISK says. */
export function fillDisk({ context }: TestServer): void {
  context.settings.minFreeDisk.atLeastBytes = Number.MAX_SAFE_INTEGER
}
