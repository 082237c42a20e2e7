import { AlertKind, alertMediaSettings } from '@floorcast/contract/alert-kind.ts'
import { BlockKind, Kind } from '@floorcast/contract/fields.ts'
import { DeployState } from '@floorcast/contract/deploy-packages.ts'
import { PublicationState } from '@floorcast/contract/publications.ts'
import { ChannelMessage } from '@floorcast/contract/device-protocol.ts'
import { CommandOutcome, DeviceFileType } from '@floorcast/contract/device-commands.ts'
import { Connectivity } from '@floorcast/contract/devices.ts'
import { Rights, Role } from '@floorcast/contract/endpoint.ts'
import { DeviceEvent, LeftOut, PlayResult } from '@floorcast/contract/events.ts'
import { EditState } from '@floorcast/contract/groups.ts'
import { NoticeLevel } from '@floorcast/contract/installation.ts'
import { LoudnessState, MediaType } from '@floorcast/contract/media.ts'
import { JobOutcome } from '@floorcast/contract/operator.ts'
import { PlaylistForm } from '@floorcast/contract/playlists.ts'
import { ProfileType } from '@floorcast/contract/device-profiles.ts'
import { SavedView } from '@floorcast/contract/saved-views.ts'
import { TagLevel } from '@floorcast/contract/tag-calls.ts'
import { ChannelState } from '@floorcast/contract/update-channels.ts'
import { PackageState } from '@floorcast/contract/update-packages.ts'
import { Webhook, WebhookDelivery } from '@floorcast/contract/webhooks.ts'
import { asSuperuser, testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { nameKinds } from '../src/features/statistics/statistics-sql.ts'
import { fileKinds } from '../src/features/device-commands/device-commands-queries.ts'
import { mailKinds, mailOutcomes } from '../src/platform/database/mail-queries.ts'
import { readColumns } from '../src/platform/database/table-types.ts'

const { url, superuserUrl } = await testDatabase()

/** An event's kind is its log's, but plays have a table of their own. */
const logKinds = DeviceEvent.options.map(event => event.shape.kind.value).filter(kind => kind !== 'playtrack')
/** Messages that wait for their acknowledgement. */
const outboxTypes = ChannelMessage.options
  .filter(({ shape }) => 'id' in shape && !shape.id.safeParse(undefined).success)
  .map(message => message.shape.type.value)

/** The code that lists the values of a column. */
const LISTS: Record<string, readonly string[]> = {
  'alerts.kind': AlertKind.options,
  'clients.tag_policy': TagLevel.options,
  'deploy_packages.state': DeployState.options,
  'device_logs.kind': logKinds,
  'device_files.content_type': DeviceFileType.options,
  'device_files.kind': fileKinds,
  'device_outbox.outcome': CommandOutcome.options,
  'device_outbox.type': outboxTypes,
  'device_transitions.state': Connectivity.options,
  'devices.kind': Kind.options,
  'devices.tag_policy': TagLevel.options,
  'groups.kind': Kind.options,
  'groups.state': EditState.options,
  'installation_state.notice_level': NoticeLevel.options,
  'job_runs.outcome': JobOutcome.options,
  'mails.kind': mailKinds,
  'mails.outcome': mailOutcomes,
  'media_files.loudness_state': LoudnessState.options,
  'media_items.content_type': MediaType.options,
  'play_names.kind': nameKinds,
  'playlist_blocks.kind': BlockKind.options,
  'playlists.form': PlaylistForm.options,
  'playlists.kind': Kind.options,
  'playlists.state': EditState.options,
  'plays.left_out': LeftOut.options,
  'plays.result': PlayResult.options,
  'profiles.state': EditState.options,
  'profiles.type': ProfileType.options,
  'publications.kind': Kind.options,
  'publications.state': PublicationState.options,
  'saved_views.dir': SavedView.shape.dir.options,
  'update_channels.state': ChannelState.options,
  'update_packages.state': PackageState.options,
  'uploads.content_type': MediaType.options,
  'users.rights': Rights.options,
  'users.role': Role.options,
  'webhook_deliveries.state': WebhookDelivery.shape.state.options,
  'webhooks.state': Webhook.shape.state.options,
}

const sorted = (lists: Record<string, readonly string[]>) =>
  Object.fromEntries(Object.entries(lists).map(([column, values]) => [column, values.toSorted()]))

/** The lists that `search_list` searches. */
async function searchableLists(): Promise<string[]> {
  const { rows } = await asSuperuser(superuserUrl, superuser =>
    superuser.query<{ list: string }>(
      `select found[1] as list from pg_proc, regexp_matches(prosrc, 'when ''(\\w+)'' then ''from', 'g') found
       where proname = 'search_list'`,
    ),
  )
  return rows.map(({ list }) => list)
}

test('every list of a CHECK constraint is the list that the code has', async () => {
  const columns = await readColumns(url)
  const checked = columns
    .filter(({ values }) => values.length > 0)
    .map(({ table, column, values }) => [`${table}.${column}`, values] as const)
  const { rows: history } = await asSuperuser(superuserUrl, superuser =>
    superuser.query<{ name: string }>(
      "select partrelid::regclass::text as name from pg_partitioned_table where partrelid <> 'play_days'::regclass",
    ),
  )
  expect(sorted(Object.fromEntries(checked))).toEqual(
    sorted({
      ...LISTS,
      'history_counts.kind': history.map(({ name }) => name),
      'list_counts.list': [...(await searchableLists()), 'playlist-bytes'],
    }),
  )
})

test("a profile's trigger knows the sound of every kind of alert", async () => {
  const { rows } = await asSuperuser(superuserUrl, superuser =>
    superuser.query<{ setting: string }>(
      `select found[1] as setting
       from pg_proc, regexp_matches(prosrc, 's\\.settings->>''(\\w+)''', 'g') found
       where proname = 'note_profile_media'`,
    ),
  )
  expect(rows.map(({ setting }) => setting)).toEqual(AlertKind.options.map(kind => alertMediaSettings[kind]))
})
