import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of publications: no page begins with them. */

const forms = () => import('./publication-forms.tsx')

export const PublicationForm = onDemand(async () => (await forms()).PublicationForm)
export const ReplacePlaylist = onDemand(async () => (await forms()).ReplacePlaylist)
export const DelayDialog = onDemand(async () => (await forms()).DelayDialog)
export const BulkPublications = onDemand(async () => (await forms()).BulkPublications)
export const DuplicatePublication = onDemand(async () => (await forms()).DuplicatePublication)
