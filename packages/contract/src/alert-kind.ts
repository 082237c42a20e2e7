import { z } from 'zod'

/** The kind of an alert (docs/specification.md#3-entities-and-their-fields). */
export const AlertKind = z.enum(['air', 'chemical', 'nuclear'])
export type AlertKind = z.infer<typeof AlertKind>
