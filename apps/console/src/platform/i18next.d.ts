import 'i18next'

// `t()` is typed by the English catalogue; a new file has a line here.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    returnNull: false
    resources: {
      bulk: typeof import('@floorcast/locales/catalogues/en/bulk.json')
      common: typeof import('@floorcast/locales/catalogues/en/common.json')
      activity: typeof import('@floorcast/locales/catalogues/en/activity.json')
      alerts: typeof import('@floorcast/locales/catalogues/en/alerts.json')
      charts: typeof import('@floorcast/locales/catalogues/en/charts.json')
      dashboard: typeof import('@floorcast/locales/catalogues/en/dashboard.json')
      dates: typeof import('@floorcast/locales/catalogues/en/dates.json')
      publications: typeof import('@floorcast/locales/catalogues/en/publications.json')
      groups: typeof import('@floorcast/locales/catalogues/en/groups.json')
      account: typeof import('@floorcast/locales/catalogues/en/account.json')
      devices: typeof import('@floorcast/locales/catalogues/en/devices.json')
      auth: typeof import('@floorcast/locales/catalogues/en/auth.json')
      fields: typeof import('@floorcast/locales/catalogues/en/fields.json')
      links: typeof import('@floorcast/locales/catalogues/en/links.json')
      list: typeof import('@floorcast/locales/catalogues/en/list.json')
      logs: typeof import('@floorcast/locales/catalogues/en/logs.json')
      media: typeof import('@floorcast/locales/catalogues/en/media.json')
      operator: typeof import('@floorcast/locales/catalogues/en/operator.json')
      outcomes: typeof import('@floorcast/locales/catalogues/en/outcomes.json')
      palette: typeof import('@floorcast/locales/catalogues/en/palette.json')
      period: typeof import('@floorcast/locales/catalogues/en/period.json')
      playlists: typeof import('@floorcast/locales/catalogues/en/playlists.json')
      proof: typeof import('@floorcast/locales/catalogues/en/proof.json')
      proofKeys: typeof import('@floorcast/locales/catalogues/en/proofKeys.json')
      problems: typeof import('@floorcast/locales/catalogues/en/problems.json')
      publish: typeof import('@floorcast/locales/catalogues/en/publish.json')
      reasons: typeof import('@floorcast/locales/catalogues/en/reasons.json')
      recycle: typeof import('@floorcast/locales/catalogues/en/recycle.json')
      reports: typeof import('@floorcast/locales/catalogues/en/reports.json')
      routes: typeof import('@floorcast/locales/catalogues/en/routes.json')
      shell: typeof import('@floorcast/locales/catalogues/en/shell.json')
      streaming: typeof import('@floorcast/locales/catalogues/en/streaming.json')
      updates: typeof import('@floorcast/locales/catalogues/en/updates.json')
      uploads: typeof import('@floorcast/locales/catalogues/en/uploads.json')
      users: typeof import('@floorcast/locales/catalogues/en/users.json')
      audit: typeof import('@floorcast/locales/catalogues/en/audit.json')
      profiles: typeof import('@floorcast/locales/catalogues/en/profiles.json')
      tagKeys: typeof import('@floorcast/locales/catalogues/en/tagKeys.json')
      tags: typeof import('@floorcast/locales/catalogues/en/tags.json')
      wizard: typeof import('@floorcast/locales/catalogues/en/wizard.json')
    }
  }
}
