import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of media: no page begins with them. */

export const MediaForm = onDemand(
  async () => (await import('./media-form.tsx')).MediaForm,
  ({ media }) => media !== null,
)
export const DeleteMedia = onDemand(async () => (await import('./delete-media.tsx')).DeleteMedia)
export const CreditsImport = onDemand(async () => (await import('./credits-import.tsx')).CreditsImport)
