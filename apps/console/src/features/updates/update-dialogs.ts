import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of updates: no page begins with them. */

export const PackageForm = onDemand(async () => (await import('./package-form.tsx')).PackageForm)
export const ChannelForm = onDemand(async () => (await import('./channel-form.tsx')).ChannelForm)
export const DeployForm = onDemand(async () => (await import('./deploy-form.tsx')).DeployForm)
export const UploadForm = onDemand(async () => (await import('./upload-form.tsx')).UploadForm)
export const FileForm = onDemand(async () => (await import('./file-form.tsx')).FileForm)
export const ShareFile = onDemand(async () => (await import('./share-file.tsx')).ShareFile)
export const KeyForm = onDemand(async () => (await import('./key-form.tsx')).KeyForm)
export const ConfirmUpdate = onDemand(async () => (await import('./confirm-update.tsx')).ConfirmUpdate)
