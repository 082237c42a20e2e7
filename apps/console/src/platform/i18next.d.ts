import 'i18next'
import type bulk from '@floorcast/locales/catalogues/en/bulk.json'
import type common from '@floorcast/locales/catalogues/en/common.json'
import type activity from '@floorcast/locales/catalogues/en/activity.json'
import type charts from '@floorcast/locales/catalogues/en/charts.json'
import type dashboard from '@floorcast/locales/catalogues/en/dashboard.json'
import type publications from '@floorcast/locales/catalogues/en/publications.json'
import type groups from '@floorcast/locales/catalogues/en/groups.json'
import type account from '@floorcast/locales/catalogues/en/account.json'
import type devices from '@floorcast/locales/catalogues/en/devices.json'
import type auth from '@floorcast/locales/catalogues/en/auth.json'
import type fields from '@floorcast/locales/catalogues/en/fields.json'
import type links from '@floorcast/locales/catalogues/en/links.json'
import type list from '@floorcast/locales/catalogues/en/list.json'
import type logs from '@floorcast/locales/catalogues/en/logs.json'
import type media from '@floorcast/locales/catalogues/en/media.json'
import type outcomes from '@floorcast/locales/catalogues/en/outcomes.json'
import type playlists from '@floorcast/locales/catalogues/en/playlists.json'
import type proof from '@floorcast/locales/catalogues/en/proof.json'
import type problems from '@floorcast/locales/catalogues/en/problems.json'
import type publish from '@floorcast/locales/catalogues/en/publish.json'
import type reasons from '@floorcast/locales/catalogues/en/reasons.json'
import type reports from '@floorcast/locales/catalogues/en/reports.json'
import type routes from '@floorcast/locales/catalogues/en/routes.json'
import type shell from '@floorcast/locales/catalogues/en/shell.json'
import type streaming from '@floorcast/locales/catalogues/en/streaming.json'
import type uploads from '@floorcast/locales/catalogues/en/uploads.json'
import type wizard from '@floorcast/locales/catalogues/en/wizard.json'

// `t()` is typed by the English catalogue; a new namespace is one import and one line here.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    returnNull: false
    resources: {
      bulk: typeof bulk
      common: typeof common
      activity: typeof activity
      charts: typeof charts
      dashboard: typeof dashboard
      publications: typeof publications
      groups: typeof groups
      account: typeof account
      devices: typeof devices
      auth: typeof auth
      fields: typeof fields
      links: typeof links
      list: typeof list
      logs: typeof logs
      media: typeof media
      outcomes: typeof outcomes
      playlists: typeof playlists
      proof: typeof proof
      problems: typeof problems
      publish: typeof publish
      reasons: typeof reasons
      reports: typeof reports
      routes: typeof routes
      shell: typeof shell
      streaming: typeof streaming
      uploads: typeof uploads
      wizard: typeof wizard
    }
  }
}
