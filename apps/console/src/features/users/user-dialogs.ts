import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of users: no page begins with them. */

export const FactorDialog = onDemand(async () => (await import('./factor-dialog.tsx')).FactorDialog)
export const InviteForm = onDemand(async () => (await import('./invite-form.tsx')).InviteForm)
export const UserForm = onDemand(async () => (await import('./user-form.tsx')).UserForm)
export const LinkDialog = onDemand(async () => (await import('./link-dialog.tsx')).LinkDialog)
export const SessionsDialog = onDemand(async () => (await import('./sessions-dialog.tsx')).SessionsDialog)
export const UserQuestion = onDemand(async () => (await import('./user-question.tsx')).UserQuestion)
