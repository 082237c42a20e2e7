import * as contract from '@floorcast/contract/tag-calls.ts'
import type { Http } from '../../platform/http/http.ts'
import { readLargeBody } from '../../platform/http/receive/large-body.ts'
import { importTags } from './tag-import.ts'
import { addTag, editTag, deleteTag, ownerOf, readEffectiveTags, listTags, setTagPolicy } from './tags.ts'

const IMPORT_BYTES = 5 * 1024 * 1024

export function registerTags(http: Http): void {
  http.forUsers(contract.listTags, async call => listTags(call, ownerOf(call, call.params)))
  http.done(contract.addTag, call => addTag(call, ownerOf(call, call.params), call.body))
  http.done(contract.editTag, call => editTag(call, ownerOf(call, call.params), call.body))
  http.done(contract.deleteTag, call => deleteTag(call, ownerOf(call, call.params), call.body.key))
  http.forUsers(contract.readEffectiveTags, call => readEffectiveTags(call.scope.reads, call.params.uid))
  http.done(contract.setTagPolicy, call => setTagPolicy(call, call.params.uid, call.params.resultpolicy))
  http.forLargeBodies(
    contract.importTags,
    { read: sent => readLargeBody(contract.importTags, sent), bodyLimit: IMPORT_BYTES },
    async call => ({ code: 200, ...(await importTags(call, call.body)) }),
  )
}
