import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { listGroups, readGroup } from '@floorcast/contract/groups.ts'
import { listMedia, readMedia } from '@floorcast/contract/media.ts'
import { listPlaylists, readPlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { listPublications, readPublication } from '@floorcast/contract/publications.ts'
import { expect, it } from 'vitest'
import { pages } from './pages.ts'

it('first calls are those of the contract', () => {
  const firstCalls = pages.flatMap(({ name, firstCall }) =>
    firstCall === undefined ? [] : [[name, firstCall]],
  )
  const media = (name: string, item: string, contentType: string) =>
    [
      [name, listMedia.path],
      [item, readMedia.path],
    ].map(([page, path = '']) => [page, path.replace('{contentType}', contentType).replace('{uid}', ':uid')])
  expect(firstCalls).toEqual([
    ['overview', readQuickMetrics.path],
    ['devices', listDevices.path],
    ['device', readDevice.path.replace('{id}', ':uid')],
    ['groups', listGroups.path.replace('{x}', 'all')],
    ['group', readGroup.path.replace('{id}', ':uid')],
    ...media('videos', 'video', 'videos'),
    ...media('videosAds', 'videoAd', 'videosAds'),
    ...media('melodies', 'melody', 'melodies'),
    ...media('ads', 'ad', 'ads'),
    ['playlists', listPlaylists.path.replace('{x}', 'all')],
    ['playlist', readPlaylistWithTracks.path.replace('{id}', ':uid')],
    ['publications', listPublications.path.replace('{x}', 'all')],
    ['publication', readPublication.path.replace('{id}', ':uid')],
  ])
})
