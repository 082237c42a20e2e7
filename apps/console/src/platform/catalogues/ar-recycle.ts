/** The texts of the recycle bin. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/recycle.json',
  { import: 'default', eager: true },
)
