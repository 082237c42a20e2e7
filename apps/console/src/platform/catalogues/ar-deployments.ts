/** The texts of the pages of publications, and of the Publish sheet. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/publications.json',
  { import: 'default', eager: true },
)
