/** The texts of the command palette and of the keyboard shortcuts. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/en/palette.json',
  { import: 'default', eager: true },
)
