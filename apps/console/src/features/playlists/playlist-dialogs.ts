import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of playlists: no page begins with them. */

const forms = () => import('./playlist-forms.tsx')

export const PlaylistForm = onDemand(async () => (await forms()).PlaylistForm)
export const PlaylistImport = onDemand(async () => (await forms()).PlaylistImport)
export const ReplaceDialog = onDemand(async () => (await forms()).ReplaceDialog)
export const BulkPlaylists = onDemand(async () => (await forms()).BulkPlaylists)
export const DuplicatePlaylist = onDemand(async () => (await forms()).DuplicatePlaylist)
