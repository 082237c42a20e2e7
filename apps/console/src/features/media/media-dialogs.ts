import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of media: no page begins with them. */

const forms = () => import('./media-forms.tsx')

export const MediaForm = onDemand(async () => (await forms()).MediaForm)
export const DeleteMedia = onDemand(async () => (await forms()).DeleteMedia)
export const CreditsImport = onDemand(async () => (await forms()).CreditsImport)
