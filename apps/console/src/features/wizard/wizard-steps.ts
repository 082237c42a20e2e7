import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The steps: a new draft begins with the choice of its type. */

export const HoursStep = onDemand(async () => (await import('./hours-step.tsx')).HoursStep)
export const TracksStep = onDemand(async () => (await import('./tracks-step.tsx')).TracksStep)
export const CheckStep = onDemand(async () => (await import('./check-step.tsx')).CheckStep)
