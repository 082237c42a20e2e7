import { z } from 'zod'

/** The kind of an alert (docs/specification.md#3-entities-and-their-fields). */
export const AlertKind = z.enum(['air', 'chemical', 'nuclear'])
export type AlertKind = z.infer<typeof AlertKind>

/** The setting of a device profile that names the sound of each kind. */
export const alertMediaSettings = {
  air: 'airMedia',
  chemical: 'chemicalMedia',
  nuclear: 'nuclearMedia',
} as const satisfies Record<AlertKind, string>
