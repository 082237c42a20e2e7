import { UPLOAD_LIFE_MILLIS, type ResumableContext } from './resumable-uploads.ts'

const LOOK_MILLIS = 3_600_000

/**
 * Removes the bytes of uploads that nobody went on with for a day, now and every hour: those of this server's folder.
 * Their rows and reservations ended by themselves at that moment. @returns a function that ends it and waits for what runs
 */
export function startUploadSweep({
  unfinished,
  now,
  log,
}: Pick<ResumableContext, 'unfinished' | 'now' | 'log'>): () => Promise<void> {
  let running = Promise.resolve()
  const look = async () => {
    try {
      const swept = await unfinished.sweep(new Date(now().getTime() - UPLOAD_LIFE_MILLIS))
      if (swept > 0) log.info({ swept }, 'unfinished uploads removed')
    } catch (error) {
      log.error({ err: error }, 'unfinished uploads not swept')
    }
  }
  const begin = () => {
    running = running.then(look)
  }
  begin()
  const timer = setInterval(begin, LOOK_MILLIS)
  return async () => {
    clearInterval(timer)
    await running
  }
}
