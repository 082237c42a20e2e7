import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The dialog that ends an alert: no page begins with it. */

export const EndAlert = onDemand(async () => (await import('./end-alert.tsx')).EndAlert)
