import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms of profiles: no page begins with them. */

export const ProfileForm = onDemand(
  async () => (await import('./profile-form.tsx')).ProfileForm,
  ({ isOpen }) => isOpen,
)
export const ProfileGroupsForm = onDemand(
  async () => (await import('./profile-groups.tsx')).ProfileGroupsForm,
  ({ isOpen }) => isOpen,
)
export const DuplicateProfile = onDemand(
  async () => (await import('./duplicate-profile.tsx')).DuplicateProfile,
)
