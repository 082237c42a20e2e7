import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of groups: no page begins with them. */

const forms = () => import('./group-forms.tsx')

export const GroupForm = onDemand(async () => (await forms()).GroupForm)
export const BulkGroups = onDemand(async () => (await forms()).BulkGroups)
export const DuplicateGroup = onDemand(async () => (await forms()).DuplicateGroup)
