import { Description, Name } from '@floorcast/contract/fields.ts'
import { changePlaylistState } from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist } from '@floorcast/contract/smart-playlists.ts'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { call } from '../../platform/client.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { publishAddress } from '../../platform/publish-address.ts'
import { sendJson } from '../../platform/send-json.ts'
import { toast } from '../../platform/toasts.ts'
import { useMarkStale } from '../../platform/use-change.ts'
import { checkBy } from '../../ui/side-form/field-rules.ts'
import { focusInFoot } from './foot-focus.ts'
import type { PlanView } from './use-plan.ts'
import type { WizardDraft } from './wizard-draft.ts'

/** Messages for invalid fields. */
export interface NameErrors {
  smartPlName?: string
  smartPlDescr?: string
}

type Names = Pick<WizardDraft, 'smartPlName' | 'smartPlDescr'>

const Names = z.object({ smartPlName: Name, smartPlDescr: Description })

/** Checks by docs/specification.md#5-validation-rules; empty when both are valid. */
const checkNames = (t: Translate, { smartPlName, smartPlDescr }: Names): NameErrors =>
  checkBy(t, Names)({ smartPlName, smartPlDescr })

const shortNameLength = 2

/** Two characters or fewer: the message smartError4 of docs/specification.md#5-validation-rules. */
const isShortName = (name: string) => [...name.normalize('NFC').trim()].length <= shortNameLength

export interface FinishControl {
  nameErrors: NameErrors
  /** The error of the import; null when there was none. */
  failure: unknown
  /** 0 to 1 while the draft is sent, else null. */
  progress: number | null
  finish: () => Promise<void>
  cancel: () => void
  clearFailure: () => void
}

interface FinishOptions {
  draft: WizardDraft
  plan: PlanView
  /** The playlist on the air that the new one replaces; null for none. */
  editOf: string | null
  /** Called when the draft has become a playlist of this uid. */
  onDone: (uid: string | null) => void
}

/** A playlist that stays paused is activated by the user, or when it is published. */
async function activate(uid: string): Promise<void> {
  await call(changePlaylistState, { params: { id: uid }, query: { from: 'paused' } }).catch(() => undefined)
}

/** Opens the page after the wizard, and says what was made; a new playlist with the next step. */
function useLeave(editOf: string | null): (uid: string | null, finished: string) => Promise<void> {
  const { t } = useTranslate()
  const navigate = useNavigate()
  return async (uid, finished) => {
    if (uid === null || editOf !== null) {
      void toast('success', finished)
      return navigate(uid === null ? paths.playlists : paths.offerReplace(uid))
    }
    const publish = publishAddress(paths.playlist(uid), { playlist: uid })
    void toast('success', finished, {
      action: { label: t('wizard:finishedOpen'), run: () => void navigate(paths.playlist(uid)) },
      secondAction: { label: t('wizard:finishedPublish'), run: () => void navigate(publish) },
    })
    return navigate(paths.playlists)
  }
}

/** Sends the draft with its plan, activates the playlist, and opens the list of playlists. */
export function useFinish({ draft, plan, editOf, onDone }: FinishOptions): FinishControl {
  const { t } = useTranslate()
  const leave = useLeave(editOf)
  const markStale = useMarkStale('playlist')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const abort = useRef<AbortController>(null)
  const send = async () => {
    const { smartPlUid, smartPlName, smartPlDescr, version } = draft
    const control = new AbortController()
    abort.current = control
    setProgress(0)
    const fields = {
      smartPlUid,
      smartPlName: smartPlName.trim(),
      smartPlDescr: smartPlDescr.trim(),
      editOf,
      ...(version === null ? {} : { version }),
    }
    const body = await plan.makeBody(fields, control.signal)
    const sending = { onProgress: setProgress, signal: control.signal }
    const { uid = null } = await sendJson(importSmartPlaylist, body, sending)
    // The day is complete. A copy becomes active when it takes the place of its original.
    if (uid !== null && editOf === null) await activate(uid)
    onDone(uid)
    void markStale()
    await leave(uid, t('wizard:finished', { name: smartPlName.trim() }))
  }
  const finish = async () => {
    setIsSubmitted(true)
    setFailure(null)
    const { refusals } = await plan.validate()
    const { smartPlName } = draft
    if (refusals.length > 0) return focusInFoot('wizard-findings')
    // Only a message, nothing is sent (docs/specification.md#5-validation-rules).
    if (isShortName(smartPlName)) void toast('danger', t('wizard:smartError4'))
    const errors = checkNames(t, draft)
    if (Object.keys(errors).length > 0)
      return focusInFoot(errors.smartPlName === undefined ? 'wizard-description' : 'wizard-name')
    try {
      await send()
    } catch (error) {
      if (abort.current?.signal.aborted) return
      setFailure(error)
      toastFailure(error, 'playlist')
    } finally {
      setProgress(null)
    }
  }
  return {
    nameErrors: isSubmitted ? checkNames(t, draft) : {},
    failure,
    progress,
    finish,
    cancel: () => abort.current?.abort(),
    clearFailure: () => setFailure(null),
  }
}
