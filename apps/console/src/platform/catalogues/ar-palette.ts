/** The texts of the command palette and of the keyboard shortcuts. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/palette.json',
  { import: 'default', eager: true },
)
