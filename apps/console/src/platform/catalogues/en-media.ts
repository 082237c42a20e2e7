/** The texts of the pages of media, playlists and the wizard. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/en/{media,playlists,wizard}.json',
  { import: 'default', eager: true },
)
