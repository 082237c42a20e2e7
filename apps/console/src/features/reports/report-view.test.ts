import { reportFormats } from '@floorcast/contract/report-calls.ts'
import { expect, it } from 'vitest'
import { isZone, readView, toParams, writeMemory, writeView } from './report-view.ts'

const uid = '01933d4e-0000-7000-8000-000000000001'
const nowMs = Date.parse('2026-11-22T10:00:00Z')
const read = (search: string, memory: string | null = null, at = nowMs) =>
  readView(new URLSearchParams(search), { memory, lang: 'ar', nowMs: at })

it('the address of a report has defaults: the plays of the last 7 days, in the zones of the devices', () => {
  expect(read('')).toEqual({
    report: 'r1ext',
    period: { from: '2026-11-16', to: '2026-11-22' },
    zone: 'device',
    format: reportFormats[0],
    lang: 'ar',
    filters: {},
  })
})

it('the address of a report opens the same report again, whatever the reader had last', () => {
  const view = read(`report=r1ext&playpoint=${uid}&from=2026-10-01&to=2026-10-31&zone=Asia/Tokyo&format=csv`)
  const memory = writeMemory(read(`report=r1ext&track=${uid}&lang=en&format=pdf`), nowMs)
  expect(read(writeView(view).toString(), memory)).toEqual(view)
  expect(toParams(view)).toEqual({
    from: '2026-10-01',
    to: '2026-10-31',
    zone: 'Asia/Tokyo',
    track: 'all',
    playpoint: uid,
    playlist: 'all',
  })
})

it('the address of a report has the content type of its track, and none without a track', () => {
  const view = read(`report=proof&track=${uid}&contentType=videosAds`)
  expect(view.contentType).toBe('videosAds')
  expect(read(writeView(view).toString())).toEqual(view)
  expect(read('', writeMemory(view, nowMs)).contentType).toBe('videosAds')
  expect(read(`report=proof&track=${uid}`, writeMemory(view, nowMs)).contentType).toBeUndefined()
  expect(read('report=r1ext&contentType=videosAds').contentType).toBeUndefined()
  expect(read(`report=proof&track=${uid}&contentType=sounds`).contentType).toBeUndefined()
  expect(writeView({ ...view, filters: {} }).has('contentType')).toBe(false)
})

it('the address of a report is refused as it is, not changed silently', () => {
  expect(read('report=r1ext&from=2026-01-01&zone=Moon/Base')).toMatchObject({
    period: { from: '2026-01-01', to: '' },
    zone: 'Moon/Base',
  })
  expect(['device', 'UTC', 'Europe/Berlin', 'Moon/Base', ''].map(isZone)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

it('the last used report comes back without an address, with a preset of the new day', () => {
  const memory = writeMemory(read(`report=r1ext&track=${uid}&format=csv`), nowMs)
  expect(read('', memory, nowMs + 86_400_000)).toMatchObject({
    report: 'r1ext',
    format: 'csv',
    filters: { track: uid },
    period: { from: '2026-11-17', to: '2026-11-23' },
  })
  const days = writeMemory(read('report=r1ext&from=2026-01-01&to=2026-01-02'), nowMs)
  expect(read('', days).period).toEqual({ from: '2026-01-01', to: '2026-01-02' })
})

it('the last used report does not narrow a link, and is forgotten if it is damaged', () => {
  const memory = writeMemory(read(`report=r1ext&track=${uid}`), nowMs)
  expect(read('report=r1ext', memory).filters).toEqual({})
  expect(read('', '{"report":7').format).toBe(reportFormats[0])
  expect(read('', '[1]').format).toBe(reportFormats[0])
})
