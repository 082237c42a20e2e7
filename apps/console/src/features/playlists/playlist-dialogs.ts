import { onDemand } from '../../ui/overlay/on-demand.tsx'

/* The forms and dialogs of playlists: no page begins with them. */

export const PlaylistForm = onDemand(async () => (await import('./playlist-form.tsx')).PlaylistForm)
export const PlaylistImport = onDemand(async () => (await import('./playlist-import.tsx')).PlaylistImport)
export const ReplaceDialog = onDemand(async () => (await import('./replace-dialog.tsx')).ReplaceDialog)
export const BulkPlaylists = onDemand(async () => (await import('./bulk-playlists.tsx')).BulkPlaylists)
export const DuplicatePlaylist = onDemand(
  async () => (await import('./duplicate-playlist.tsx')).DuplicatePlaylist,
)
