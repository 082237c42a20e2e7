import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of groups: no page begins with them. */

export const GroupForm = onDemand(
  async () => (await import('./group-form.tsx')).GroupForm,
  ({ isOpen }) => isOpen,
)
export const BulkGroups = onDemand(async () => (await import('./bulk-groups.tsx')).BulkGroups)
export const DuplicateGroup = onDemand(async () => (await import('./duplicate-group.tsx')).DuplicateGroup)
