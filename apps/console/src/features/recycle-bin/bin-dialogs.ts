import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The dialogs of the recycle bin: no page begins with them. */

export const BulkBin = onDemand(async () => (await import('./bulk-bin.tsx')).BulkBin)
export const RestoreNeeds = onDemand(async () => (await import('./restore-needs.tsx')).RestoreNeeds)
