import { ProblemError } from '../../platform/lib/errors.ts'

/** Uploads of one user at a time, forms and pieces together. The console sends two, and one for a preview. */
const MAX_UPLOADS_OF_A_USER = 4
const RETRY_AFTER_SECONDS = 5

/** How many uploads of each user this server receives now. With several servers the limit multiplies. */
const running = new Map<string, number>()

/** Receives an upload of a user. @throws ProblemError 429 if the user has too many under way; its bytes are not read */
export async function withUploadSlot<T>(userUid: string, receive: () => Promise<T>): Promise<T> {
  const count = running.get(userUid) ?? 0
  if (count >= MAX_UPLOADS_OF_A_USER)
    throw new ProblemError('too-many-uploads', {
      detail: `You are uploading ${MAX_UPLOADS_OF_A_USER} files already. Wait until one of them is done.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  running.set(userUid, count + 1)
  try {
    return await receive()
  } finally {
    const left = (running.get(userUid) ?? 1) - 1
    if (left > 0) running.set(userUid, left)
    else running.delete(userUid)
  }
}
