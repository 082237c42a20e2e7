import * as contract from '@floorcast/contract/device-import.ts'
import type { Http } from '../../platform/http/http.ts'
import { readLargeBody } from '../../platform/http/receive/large-body.ts'
import { importDevices } from './device-import.ts'

/** 1,000 rows with the longest texts in four-byte characters take 6.4 MB. */
const BODY_BYTES = 2 ** 23

export function registerDeviceImport(http: Http): void {
  http.forLargeBodies(
    contract.importDevices,
    { read: sent => readLargeBody(contract.importDevices, sent), bodyLimit: BODY_BYTES },
    async call => ({ code: 200, ...(await importDevices(call, call.params.contentType, call.body)) }),
  )
}
