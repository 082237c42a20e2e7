import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms of tags: no page begins with them. */

const forms = () => import('./tag-forms.tsx')

export const TagForm = onDemand(async () => (await forms()).TagForm)
export const TagImportDialog = onDemand(
  async () => (await forms()).TagImportDialog,
  ({ isOpen }) => isOpen,
)
