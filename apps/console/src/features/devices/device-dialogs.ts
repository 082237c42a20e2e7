import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of devices: no page begins with them. */

const forms = () => import('./device-forms.tsx')

export const DeviceForm = onDemand(async () => (await forms()).DeviceForm)
export const BulkDevices = onDemand(async () => (await forms()).BulkDevices)
export const ReinstallDialog = onDemand(async () => (await forms()).ReinstallDialog)
