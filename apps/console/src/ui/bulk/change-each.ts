import { CallError } from '@floorcast/contract/client.ts'
import { Refusal } from '../../platform/client.ts'

/** The changes that succeeded and those that did not, by uid. */
interface BulkResult {
  done: string[]
  failed: { uid: string; error: unknown }[]
}

/**
 * Makes one change for each uid, in order. A refusal of one does not stop the others; anything else does (no network,
 * an ended session), because it would fail for all of them. @throws CallError other than 403, 404 and 409
 */
export async function changeEach(
  uids: readonly string[],
  run: (uid: string) => Promise<unknown>,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], failed: [] }
  for (const uid of uids) {
    try {
      await run(uid)
      result.done.push(uid)
    } catch (error) {
      const isOwnFault =
        error instanceof Refusal || (error instanceof CallError && [403, 404, 409].includes(error.status))
      if (!isOwnFault) throw error
      result.failed.push({ uid, error })
    }
  }
  return result
}
