import * as contract from '@floorcast/contract/smart-playlists.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { readImport } from './plan-workers.ts'
import { importSmartPlaylist } from './smart-import.ts'

/** The body of an import: a day of 86,400 one-second plays has some 8 MB. */
const IMPORT_BYTES = 16 * 1024 * 1024

export function registerSmartPlaylists(http: Http, { files }: Context): void {
  http.forLargeBodies(
    contract.importSmartPlaylist,
    { read: readImport, bodyLimit: IMPORT_BYTES },
    async call => ({ code: 200, ...(await importSmartPlaylist(call, files, call.body)) }),
  )
}
