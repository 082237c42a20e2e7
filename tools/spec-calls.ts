/**
 * Every call of docs/specification.md#7-calls, to the letter, by its sections. `{a|b}` stands for one of several words, as there.
 */
export interface SpecCall {
  method: 'GET' | 'POST'
  path: string
}

const calls = (text: string): SpecCall[] =>
  text
    .trim()
    .split('\n')
    .map(line => {
      const [method, path = ''] = line.trim().split(' ')
      return { method: method === 'POST' ? 'POST' : 'GET', path }
    })

export const specCalls: readonly { section: string; calls: readonly SpecCall[] }[] = [
  {
    section: 'Session and profile',
    calls: calls(`
      POST /users/authenticate
      GET /api/v2/profile/read/{id}
      POST /api/v2/profile/save`),
  },
  {
    section: 'Devices',
    calls: calls(`
      GET /api/v2/device/qlist
      GET /device/qcard/{id}
      GET /device/resetheartbeat/{id}
      GET /device/qlastplaytracks/{id}/count/6
      GET /device/qfree/{x}
      POST /device/edit
      POST /device/add/{contentType}
      POST /device/delete
      POST /device/massdelete
      GET /device/logs/{id}/{debug|update|playlist|playtrack|heartbeat}
      GET /audit/{id}
      GET /device/alert/{uid}/sendbegin/{alerttype}
      GET /device/alert/{uid}/sendend/{alerttype}`),
  },
  {
    section: 'Groups',
    calls: calls(`
      GET /group/qlist/{x}
      GET /group/qcard/{id}
      GET /action/group/{id}/changestate
      GET /action/add/{device}/to/{group}
      GET /action/remove/{device}/from/{group}
      POST /group/add/{contentType}
      POST /group/edit
      POST /group/delete
      POST /group/massdelete`),
  },
  {
    section: 'Media by {contentType}',
    calls: calls(`
      GET /{contentType}/qlist
      GET /{contentType}/qcard/{uid}
      GET /{contentType}/get/{uid}/qplaylists
      GET /{contentType}/get/{uid}/qgroups
      POST /{contentType}/upload
      POST /{contentType}/edit
      POST /{contentType}/delete
      POST /{contentType}/massdelete
      POST /{contentType}/deleteunused`),
  },
  {
    section: 'Playlists',
    calls: calls(`
      GET /playlist/qlist/{x}
      GET /playlist/qcard/{id}/quick
      GET /playlist/qcard/{id}/withtracks
      GET /playlist/deleteunused
      GET /action/playlist/{id}/changestate
      GET /action/addtrack/{track}/toplaylist/{playlist}
      GET /action/removetrack/{track}/fromplaylist/{playlist}/by/{position}
      GET /action/movetrack/{track}/inplaylist/{playlist}/by/{position}/direction/{mode}
      POST /playlist/add/{contentType}
      POST /playlist/edit
      POST /playlist/delete
      POST /playlist/massdelete
      GET /playlist/clone/{id}
      POST /playlist/upload/m3u/
      POST /playlist/import
      GET /playlist/source/{id}`),
  },
  {
    section: 'Deployments',
    calls: calls(`
      GET /deploy/qlist/{x}
      GET /deploy/qcard/{id}
      GET /action/deploy/{id}/changestate
      GET /action/deploy/{uid}/delaystart/{startdatetime}
      GET /selectlist/devicegroup/{x}
      GET /selectlist/playlist/{x}
      GET /deploy/deleteunused
      POST /deploy/add/{contentType}
      POST /deploy/edit
      POST /deploy/delete
      POST /deploy/massdelete`),
  },
  {
    section: 'Charts and metrics',
    calls: calls(`
      GET /chart/playtrack-detailed/cached
      GET /chart/active-devices/cached
      GET /chart/free-space/cached
      GET /chart/la-1min/cached
      GET /chart/la-5min/cached
      GET /chart/la-15min/cached
      GET /metricks/quick/cached
      GET /metricks/limits`),
  },
  {
    section: 'Reports',
    calls: calls(`
      GET /report/statetx/{mode}/{uid}/from/{from}/to/{to}/regiontime/{zone}
      GET /report/r1ext/{track}/{playpoint}/{playlist}/from/{from}/to/{to}/regiontime/{zone}
      GET /report/r2
      GET /report/r3
      GET /report/s1ext/from/{from}/to/{to}/regiontime/{zone}
      GET /report/s2ext/from/{from}/to/{to}/regiontime/{zone}
      GET /report/alert1/from/{from}/to/{to}/regiontime/{zone}
      GET /report/alert2/from/{from}/to/{to}/regiontime/{zone}
      GET /report/alert3/from/{from}/to/{to}/regiontime/{zone}
      GET /report/playpoints/tags`),
  },
  {
    section: 'Streaming host',
    calls: calls(`
      POST /api/v2/iplay/send/list/{playpointid}
      POST /api/v2/heartbeat/send`),
  },
  {
    section: 'Updates',
    calls: calls(`
      GET /update/devices
      GET /update/files
      GET /update/channel
      GET /update/deploypackage
      GET /update/package
      GET /update/channel/{id}/staterotate
      GET /update/deploypackage/{id}/staterotate
      GET /update/package/{id}/staterotate
      GET /update/package/{id}
      GET /update/package/{id}/files
      GET /update/package/{uid}/excludefile/{fileuid}/link/{linkid}
      POST /update/upload/{uid}`),
  },
  {
    section: 'Tags',
    calls: calls(`
      GET /tag/{contentType}/{uid}
      GET /policy/{uid}/{resultpolicy}
      POST /tag/{contentType}/{uid}/add
      POST /tag/{contentType}/{uid}/edit
      POST /tag/{contentType}/{uid}/delete
      POST /tagext/import`),
  },
  {
    section: 'Configuration profiles',
    calls: calls(`
      GET /configuration/profile
      GET /configuration/profile/{id}
      GET /configuration/profile/{id}/changestate
      GET /configuration/profiletype
      GET /configuration/profilestate
      POST /configuration/profile/edit`),
  },
  {
    section: 'Recycle',
    calls: calls(`
      GET /recycle/{x}
      GET /recycle/{contentType}/{uid}/restore`),
  },
]
