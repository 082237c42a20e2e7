/** The texts of the frame of the signed-in pages, and of what every page may show. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/{activity,bulk,charts,list,publish,reasons,routes,shell,tagKeys,uploads}.json',
  { import: 'default', eager: true },
)
