import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms of profiles: no page begins with them. */

const forms = () => import('./profile-forms.tsx')

export const ProfileForm = onDemand(async () => (await forms()).ProfileForm)
export const ProfileGroupsForm = onDemand(async () => (await forms()).ProfileGroupsForm)
export const DuplicateProfile = onDemand(async () => (await forms()).DuplicateProfile)
