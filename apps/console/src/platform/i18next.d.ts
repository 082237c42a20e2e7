import 'i18next'
import type bulk from '@floorcast/locales/catalogues/en/bulk.json'
import type common from '@floorcast/locales/catalogues/en/common.json'
import type activity from '@floorcast/locales/catalogues/en/activity.json'
import type alerts from '@floorcast/locales/catalogues/en/alerts.json'
import type charts from '@floorcast/locales/catalogues/en/charts.json'
import type dashboard from '@floorcast/locales/catalogues/en/dashboard.json'
import type dates from '@floorcast/locales/catalogues/en/dates.json'
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
import type palette from '@floorcast/locales/catalogues/en/palette.json'
import type period from '@floorcast/locales/catalogues/en/period.json'
import type playlists from '@floorcast/locales/catalogues/en/playlists.json'
import type proof from '@floorcast/locales/catalogues/en/proof.json'
import type proofKeys from '@floorcast/locales/catalogues/en/proofKeys.json'
import type problems from '@floorcast/locales/catalogues/en/problems.json'
import type publish from '@floorcast/locales/catalogues/en/publish.json'
import type reasons from '@floorcast/locales/catalogues/en/reasons.json'
import type recycle from '@floorcast/locales/catalogues/en/recycle.json'
import type reports from '@floorcast/locales/catalogues/en/reports.json'
import type routes from '@floorcast/locales/catalogues/en/routes.json'
import type shell from '@floorcast/locales/catalogues/en/shell.json'
import type streaming from '@floorcast/locales/catalogues/en/streaming.json'
import type updates from '@floorcast/locales/catalogues/en/updates.json'
import type uploads from '@floorcast/locales/catalogues/en/uploads.json'
import type users from '@floorcast/locales/catalogues/en/users.json'
import type audit from '@floorcast/locales/catalogues/en/audit.json'
import type profiles from '@floorcast/locales/catalogues/en/profiles.json'
import type tagKeys from '@floorcast/locales/catalogues/en/tagKeys.json'
import type tags from '@floorcast/locales/catalogues/en/tags.json'
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
      alerts: typeof alerts
      charts: typeof charts
      dashboard: typeof dashboard
      dates: typeof dates
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
      palette: typeof palette
      period: typeof period
      playlists: typeof playlists
      proof: typeof proof
      proofKeys: typeof proofKeys
      problems: typeof problems
      publish: typeof publish
      reasons: typeof reasons
      recycle: typeof recycle
      reports: typeof reports
      routes: typeof routes
      shell: typeof shell
      streaming: typeof streaming
      updates: typeof updates
      uploads: typeof uploads
      users: typeof users
      audit: typeof audit
      profiles: typeof profiles
      tagKeys: typeof tagKeys
      tags: typeof tags
      wizard: typeof wizard
    }
  }
}
