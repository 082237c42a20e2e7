import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of publications: no page begins with them. */

export const PublicationForm = onDemand(
  async () => (await import('./publication-form.tsx')).PublicationForm,
  ({ isOpen }) => isOpen,
)
export const ReplacePlaylist = onDemand(async () => (await import('./replace-playlist.tsx')).ReplacePlaylist)
export const DelayDialog = onDemand(async () => (await import('./delay-dialog.tsx')).DelayDialog)
export const BulkPublications = onDemand(
  async () => (await import('./bulk-publications.tsx')).BulkPublications,
)
export const DuplicatePublication = onDemand(
  async () => (await import('./duplicate-publication.tsx')).DuplicatePublication,
)
