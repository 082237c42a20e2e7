import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of updates: no page begins with them. */

const forms = () => import('./update-forms.tsx')

export const PackageForm = onDemand(async () => (await forms()).PackageForm)
export const ChannelForm = onDemand(async () => (await forms()).ChannelForm)
export const DeployForm = onDemand(async () => (await forms()).DeployForm)
export const UploadForm = onDemand(async () => (await forms()).UploadForm)
export const FileForm = onDemand(async () => (await forms()).FileForm)
export const ShareFile = onDemand(async () => (await forms()).ShareFile)
export const KeyForm = onDemand(async () => (await forms()).KeyForm)
export const ConfirmUpdate = onDemand(async () => (await forms()).ConfirmUpdate)
