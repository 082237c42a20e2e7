import { Readable } from 'node:stream'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import * as bulk from '@floorcast/contract/bulk-calls.ts'
import * as tracks from '@floorcast/contract/playlist-tracks.ts'
import * as contract from '@floorcast/contract/playlists.ts'
import type { Http } from '../../platform/http/http.ts'
import { readForm } from '../../platform/http/receive/multipart.ts'
import { jsonPieces, LongObject } from '../../platform/lib/json-pieces.ts'
import { clonePlaylist, readPlaylistSource } from './playlist-copies.ts'
import { uploadM3u } from './playlist-import.ts'
import { addTrack, addTracks, moveTrack, removeTrack } from './playlist-tracks.ts'
import {
  changeManyPlaylists,
  previewManyPlaylists,
  addPlaylist,
  editPlaylist,
  changePlaylistState,
  deletePlaylist,
  deleteManyPlaylists,
  deleteUnusedPlaylists,
  readPlaylist,
  listPlaylists,
  readPlaylistWithTracks,
} from './playlists.ts'

const seen = (params: { track: string; playlist: string; position: number }) => ({
  playlistUid: params.playlist,
  mediaUid: params.track,
  position: params.position,
})

export function registerPlaylists(http: Http): void {
  http.forUsers(contract.listPlaylists, call => listPlaylists(call, { ...call.query, kind: call.params.x }))
  http.forUsers(contract.readPlaylist, call => readPlaylist(call, call.params.id))
  http.forUsers(contract.readPlaylistWithTracks, call =>
    readPlaylistWithTracks(call, call.params.id, call.query),
  )
  http.done(contract.addPlaylist, async call => ({
    uid: await addPlaylist(call, call.params.contentType, call.body),
  }))
  http.done(contract.editPlaylist, call => editPlaylist(call, call.body))
  http.done(contract.deletePlaylist, call => deletePlaylist(call, call.body.uid))
  http.forUsers(contract.deleteManyPlaylists, call => deleteManyPlaylists(call, call.body))
  http.forUsers(bulk.previewManyPlaylists, call => previewManyPlaylists(call, call.body))
  http.forUsers(bulk.changeManyPlaylists, call => changeManyPlaylists(call, call.body))
  http.forUsers(contract.deleteUnusedPlaylists, call => deleteUnusedPlaylists(call))
  http.forUsers(contract.changePlaylistState, async call => ({
    code: outcomes[await changePlaylistState(call, call.params.id, call.query.from)],
  }))
  http.done(contract.clonePlaylist, async call => ({
    uid: await clonePlaylist(call, call.params.id, call.query),
  }))
  http.streamToUsers(contract.readPlaylistSource, async call => {
    const source = await readPlaylistSource(call, call.params.id)
    const answer = new LongObject([['data', source]])
    return call.reply.type('application/json; charset=utf-8').send(Readable.from(jsonPieces(answer)))
  })
  http.forUsers(contract.uploadM3u, call => uploadM3u(call, readForm(call.request)))
  http.done(contract.addTrack, async call => ({
    uid: await addTrack(call, { playlistUid: call.params.playlist, mediaUid: call.params.track }),
  }))
  http.done(tracks.addTracks, async call => {
    const { playlist: playlistUid } = call.params
    return { added: await addTracks(call, { playlistUid, mediaUids: call.body.tracks }) }
  })
  http.done(contract.removeTrack, call => removeTrack(call, seen(call.params)))
  http.done(contract.moveTrack, call => moveTrack(call, seen(call.params), call.params.mode))
}
