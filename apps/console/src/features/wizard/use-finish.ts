import { Description, Name } from '@floorcast/contract/fields.ts'
import { importSmartPlaylist } from '@floorcast/contract/smart-playlists.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { useWords, type Words } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { sendJson } from '../../platform/send-json.ts'
import { toast } from '../../platform/toasts.ts'
import { checkBy } from '../../ui/side-form/field-rules.ts'
import type { PlanView } from './use-plan.ts'
import type { WizardDraft } from './wizard-draft.ts'

/** What is wrong with the playlist's name and description, in words. */
export interface NameFaults {
  smartPlName?: string
  smartPlDescr?: string
}

type Names = Pick<WizardDraft, 'smartPlName' | 'smartPlDescr'>

const Names = z.object({ smartPlName: Name, smartPlDescr: Description })

/** The rules of names in docs/specification.md#5-validation-rules; empty when both are good. */
const checkNames = (t: Words, { smartPlName, smartPlDescr }: Names): NameFaults =>
  checkBy(t, Names)({ smartPlName, smartPlDescr })

const shortName = 2

/** The message smartError4 of docs/specification.md#5-validation-rules: two characters or fewer. */
const isShortName = (name: string) => [...name.normalize('NFC').trim()].length <= shortName

export interface FinishControl {
  faults: NameFaults
  /** Why the server refused it; null when it did not. */
  failure: unknown
  /** 0 to 1 while the draft is on its way, else null. */
  progress: number | null
  finish: () => Promise<void>
  cancel: () => void
  forget: () => void
}

interface Finishing {
  draft: WizardDraft
  plan: PlanView
  /** The playlist on the air whose place the new one is to take; null for none. */
  editOf: string | null
  /** The draft is no longer needed. */
  onDone: () => void
}

/** Sends the draft with its plan, and leads to the playlists. */
export function useFinish({ draft, plan, editOf, onDone }: Finishing): FinishControl {
  const { t } = useWords()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isAsked, ask] = useState(false)
  const [failure, fail] = useState<unknown>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const stop = useRef<AbortController>(null)
  const send = async () => {
    const { smartPlUid, smartPlName, smartPlDescr, version } = draft
    const control = new AbortController()
    stop.current = control
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
    const { uid } = await sendJson(importSmartPlaylist, body, sending)
    onDone()
    void queries.invalidateQueries({ queryKey: ['playlist'] })
    void toast('success', t('wizard:finished', { name: smartPlName.trim() }))
    await navigate(editOf !== null && uid ? paths.offerReplace(uid) : paths.playlists)
  }
  const finish = async () => {
    ask(true)
    fail(null)
    const { refusals } = await plan.validate()
    const { smartPlName } = draft
    if (refusals.length > 0) return focus('wizard-findings')
    // The user is told and nothing is sent (docs/specification.md#5-validation-rules).
    if (isShortName(smartPlName)) void toast('danger', t('wizard:smartError4'))
    if (Object.keys(checkNames(t, draft)).length > 0) return focus('wizard-name')
    try {
      await send()
    } catch (error) {
      if (stop.current?.signal.aborted) return
      fail(error)
      toastFailure(error, 'playlist')
    } finally {
      setProgress(null)
    }
  }
  return {
    faults: isAsked ? checkNames(t, draft) : {},
    failure,
    progress,
    finish,
    cancel: () => stop.current?.abort(),
    forget: () => fail(null),
  }
}

/** Leads to what has to be mended, once it is drawn. */
function focus(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus())
}
