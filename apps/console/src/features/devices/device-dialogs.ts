import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of devices: no page begins with them. */

export const DeviceForm = onDemand(
  async () => (await import('./device-form.tsx')).DeviceForm,
  ({ isOpen }) => isOpen,
)
export const BulkDevices = onDemand(async () => (await import('./bulk-devices.tsx')).BulkDevices)
export const ReinstallDialog = onDemand(async () => (await import('./reinstall-dialog.tsx')).ReinstallDialog)
