/** The texts of the reports. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/reports.json',
  { import: 'default', eager: true },
)
