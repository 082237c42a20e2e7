import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The form and the question of the page of proof keys: it does not begin with them. */

export const MarkForm = onDemand(async () => (await import('./mark-form.tsx')).MarkForm)
export const RenewQuestion = onDemand(async () => (await import('./renew-question.tsx')).RenewQuestion)
