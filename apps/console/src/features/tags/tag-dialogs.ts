import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms of tags: no page begins with them. */

export const TagForm = onDemand(
  async () => (await import('./tag-form.tsx')).TagForm,
  ({ isOpen }) => isOpen,
)
export const TagImportDialog = onDemand(
  async () => (await import('./tag-import.tsx')).TagImportDialog,
  ({ isOpen }) => isOpen,
)
