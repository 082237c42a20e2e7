import { Description, Name } from '@floorcast/contract/fields.ts'
import { z } from 'zod'
import type { Words } from '../../platform/i18n.ts'
import { checkBy } from '../../ui/side-form/field-rules.ts'
import type { WizardDraft } from './wizard-draft.ts'

/** What is wrong with the playlist's name and description, in words. */
export interface NameFaults {
  smartPlName?: string
  smartPlDescr?: string
}

type Names = Pick<WizardDraft, 'smartPlName' | 'smartPlDescr'>

const Names = z.object({ smartPlName: Name, smartPlDescr: Description })

/** The rules of names in docs/specification.md#5-validation-rules; empty when both are good. */
export const checkNames = (t: Words, { smartPlName, smartPlDescr }: Names): NameFaults =>
  checkBy(t, Names)({ smartPlName, smartPlDescr })

const shortName = 2

/** The message smartError4 of docs/specification.md#5-validation-rules: two characters or fewer. */
export const isShortName = (name: string) => [...name.normalize('NFC').trim()].length <= shortName
