import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { toUnanswered } from '../../platform/client.ts'
import type { UploadTarget } from './saved-uploads.ts'
import { TusUpload } from './tus-upload.ts'

/** Sends a small file without a line in the tray, in one try. @throws CallError */
export function sendFile(file: File, target: UploadTarget): Promise<Outcome> {
  const wasOnline = navigator.onLine
  return new Promise((resolve, reject) => {
    const upload = new TusUpload(file, target, {
      onProgress: () => {},
      onLost: () => {
        upload.cancel()
        reject(toUnanswered(wasOnline, new Error('The upload broke off')))
      },
      onEnd: resolve,
      onFailure: reject,
    })
    void upload.start()
  })
}
