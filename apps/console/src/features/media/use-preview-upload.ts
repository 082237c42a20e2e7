import type { MediaCard } from '@floorcast/contract/media.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeOutcome, toastFailure } from '../../platform/outcomes.ts'
import { renewMediaAddress } from '../../platform/tickets.ts'
import { toast } from '../../platform/toasts.ts'
import { useChange } from '../../platform/use-change.ts'
import { useQueryClient } from '@tanstack/react-query'
import { isSuccess } from '@floorcast/contract/outcomes.ts'

/** Sends a preview image for an item: PNG, JPEG or WebP, up to 5 MB (901 otherwise). */
export function usePreviewUpload({ contentType, uid }: Pick<MediaCard, 'contentType' | 'uid'>) {
  const { t } = useTranslate()
  const queries = useQueryClient()
  const sendImage = async (image: File) => {
    const { sendFile } = await import('../../ui/upload/send-file.ts')
    return sendFile(image, { contentType, uid, part: 'preview' })
  }
  const { mutate, isPending } = useChange('media', sendImage, {
    onSuccess: async outcome => {
      if (isSuccess(outcome.code)) void toast('success', t('media:previewSaved'))
      else
        void toast('danger', outcome.code === 901 ? t('media:previewRefused') : describeOutcome(t, outcome))
      await renewMediaAddress(queries, uid, 'preview')
    },
    onError: error => toastFailure(error),
  })
  return { send: (image: File) => mutate(image), isSending: isPending }
}
