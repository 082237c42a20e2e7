import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { release } from '@floorcast/contract/release.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { orNotFound } from '../../platform/lib/errors.ts'

const BUILT = new URL('../../../../../packages/client/dist/', import.meta.url)
const ownFile = fileURLToPath(new URL(`floorcast-client-${release.version}.tgz`, BUILT))

async function readOrNull(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Serves the typed client at `/client/floorcast-client.tgz`, for `npm install`. 404 where it was not built. */
export function registerClientPackage(http: Pick<Http, 'app'>, _context?: Context, file = ownFile): void {
  http.app.get('/client/floorcast-client.tgz', async (_, reply) => {
    const bytes = orNotFound(await readOrNull(file))
    const name = `floorcast-client-${release.version}.tgz`
    reply.headers({ 'cache-control': 'no-cache', 'content-disposition': `attachment; filename="${name}"` })
    return reply.type('application/gzip').send(bytes)
  })
}
