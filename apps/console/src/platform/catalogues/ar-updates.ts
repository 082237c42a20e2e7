/** The texts of the pages of updates. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/updates.json',
  { import: 'default', eager: true },
)
