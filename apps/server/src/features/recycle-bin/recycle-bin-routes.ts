import * as bulk from '@floorcast/contract/bulk-calls.ts'
import * as contract from '@floorcast/contract/recycle-bin.ts'
import type { Context } from '../../context.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { UserCall } from '../../platform/http/calls.ts'
import type { Http } from '../../platform/http/http.ts'
import { previewManyBinned, purgeMany, restoreMany } from './recycle-bin-bulk.ts'
import { restoredEnding } from './restored-names.ts'
import { purgeItem, listBin, listDependents, restoreItem } from './recycle-bin.ts'

const inLanguage = <E extends Endpoint>(call: UserCall<E>) => ({
  ...call,
  ending: restoredEnding(call.request.headers['accept-language']),
})

export function registerRecycleBin(http: Http, { files }: Context): void {
  http.forUsers(contract.listBin, call => listBin(call, call.params.x, call.query))
  http.done(contract.restore, async call => {
    const { contentType, uid } = call.params
    return { uid, name: await restoreItem(inLanguage(call), contentType, uid) }
  })
  http.done(contract.purge, async call => {
    await purgeItem(call, files, call.params)
    return { uid: call.params.uid }
  })
  http.forUsers(bulk.previewManyBinned, call => previewManyBinned(call, { ...call.params, ...call.body }))
  http.forUsers(bulk.restoreMany, call => restoreMany(inLanguage(call), { ...call.params, items: call.body }))
  http.forUsers(bulk.purgeMany, call => purgeMany(call, files, { ...call.params, items: call.body }))
  http.forUsers(contract.listDependents, call => listDependents(call, call.params.x, call.params.uid))
}
