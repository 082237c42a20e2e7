import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { sql } from 'kysely'
import { bitOf, bitSetOf, blockOf, IS_COUNTED, PLAYED_MS } from '../statistics/statistics-sql.ts'
import { notesOfDays, showRawDays } from './plays-report-queries.ts'
import type { MakeReport, ReportRequest } from './report.ts'

const IS_AD = sql`bool_and(content_type in ('ads', 'videosAds')) as is_ad`

/**
 * In SQL: the sums of each work from the sums by track. The devices that played it are bits. Those that are alone in their shop
 * are counted as bits; only the others are looked at one by one.
 */
const rolledWorks = ({ from, to }: ReportRequest) => sql`
  with played as materialized (
    select coalesce(items.work, day.media_uid::text) as work, day.device_block, bool_and(day.is_ad) as is_ad,
      sum(day.plays) as plays, sum(day.played_ms) as played_ms, min(day.first_day) as first_day,
      max(day.last_day) as last_day, bit_or(day.devices) as devices
    from (
      select media_uid, device_block, ${IS_AD}, sum(plays) as plays, sum(played_ms) as played_ms,
        min(local_day) as first_day, max(local_day) as last_day, bit_or(devices) as devices
      from play_media_days where local_day between ${from}::date and ${to}::date group by 1, 2) day
    left join items on items.uid = day.media_uid
    group by 1, 2),
  shop as materialized (
    select n.number, min(n.number) over one_shop as shop, count(*) over one_shop = 1 as is_alone
    from play_devices n left join devices d on d.uid = n.device_uid
    window one_shop as (partition by coalesce(nullif(d.store_number, ''), n.device_uid::text))),
  alone as (
    select ${blockOf(sql`number`)} as device_block, bit_or(${bitSetOf(sql`number`)}) as devices
    from shop where is_alone group by 1),
  shops as (
    select work, sum(shops) as shops
    from (
      select work, bit_count(played.devices & alone.devices) as shops from played join alone using (device_block)
      union all
      select work, count(distinct shop.shop)
      from shop join played on played.device_block = ${blockOf(sql`shop.number`)}
        and get_bit(played.devices, ${bitOf(sql`shop.number`)}) = 1
      where not shop.is_alone group by 1) counted
    group by 1)
  select total.*, coalesce(shops.shops, 0) as shops
  from (
    select work as played, bool_and(is_ad) as is_ad, sum(plays) as plays, sum(played_ms) as played_ms,
      min(first_day) as first_day, max(last_day) as last_day
    from played group by 1) total
  left join shops on shops.work = total.played`

/** In SQL: the same from single plays, by the days of another zone. The devices of one store number are one shop. */
const rawWorks = ({ from, to, zone }: ReportRequest) => sql`
  select shop.work as played, bool_and(shop.is_ad) as is_ad, sum(shop.plays) as plays, sum(shop.played_ms) as played_ms,
    min(shop.first_day) as first_day, max(shop.last_day) as last_day, count(*) as shops
  from (
    select coalesce(items.work, sums.media_uid::text) as work,
      coalesce(nullif(device.store_number, ''), sums.device_uid::text) as shop, bool_and(sums.is_ad) as is_ad,
      sum(sums.plays) as plays, sum(sums.played_ms) as played_ms, min(sums.first_day) as first_day,
      max(sums.last_day) as last_day
    from (
      select media_uid, device_uid, ${IS_AD}, count(*) as plays, sum(${PLAYED_MS}) as played_ms,
        (min(started_at) at time zone ${zone})::date as first_day, (max(started_at) at time zone ${zone})::date as last_day
      from plays
      where day between ${from}::date - 2 and ${to}::date + 2 and ${IS_COUNTED}
        and started_at >= ${from}::timestamp at time zone ${zone}
        and started_at < (${to}::date + 1)::timestamp at time zone ${zone}
      group by 1, 2) sums
    left join items on items.uid = sums.media_uid left join devices device on device.uid = sums.device_uid
    group by 1, 2) shop
  group by 1`

/** In SQL: the client's items, also deleted ones, each with its work: its ISRC, or itself. */
const ITEMS = sql`
  select coalesce(m.uid, n.uid) as uid, coalesce(nullif(m.isrc, ''), coalesce(m.uid, n.uid)::text) as work, m.isrc, m.artist,
    m.title, coalesce(m.name, n.name) as name, m.composer, m.publisher
  from media_items m full join (select uid, name from play_names where kind = 'media') n on n.uid = m.uid`

/** In SQL: the works. Items of one ISRC may differ: the first text that is not empty counts, and a title before a name. */
const WORKS = sql`
  select work, max(isrc) as isrc, min(nullif(artist, '')) as artist, coalesce(min(nullif(title, '')), min(name)) as title,
    min(nullif(composer, '')) as composer, min(nullif(publisher, '')) as publisher
  from items group by 1`

/** One row for each work, those without an ISRC first, music before ads. */
export const rights: MakeReport = async (reads, request) => {
  await showRawDays(reads, request)
  return {
    rows: sql`
    select total.artist as "artist", total.title as "title", total.isrc as "isrc", total.composer as "composer",
      total.publisher as "publisher", total.plays as "plays", total.played_ms / 1000.0 as "seconds",
      total.first_day as "firstDay", total.last_day as "lastDay", total.shops as "shops", total.is_ad as "isAd",
      total.played as "work"
    from (
      with items as materialized (${ITEMS}), works as (${WORKS})
      select works.*, total.*
      from (${request.zone === DEVICE_ZONES ? rolledWorks(request) : rawWorks(request)}) total
      left join works on works.work = total.played) total`,
    order: sql`coalesce("isrc", '') <> '', "isAd", "artist", "title", "isrc", "work"`,
    notes: await notesOfDays(reads, request),
  }
}
