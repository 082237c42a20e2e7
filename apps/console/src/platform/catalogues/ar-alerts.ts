/** The texts of alerts: their pages, the banner and the dialogs. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/alerts.json',
  { import: 'default', eager: true },
)
