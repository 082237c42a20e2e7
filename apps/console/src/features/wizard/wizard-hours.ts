import { readTime } from '../../ui/dates/typed-time.ts'

/** As an end of the window, this is midnight. */
const lastMinute = '23:59'
const midnight = '24:00'

/** The HH:MM of what a user types, such as 9, 930, 9.30 or 09:30; an end may be 24:00. Empty for anything else. */
export const parseHour = (text: string, isEnd: boolean): string =>
  isEnd && /^24(?:[:.h ]?00)?$/.test(text.trim()) ? lastMinute : (readTime(text) ?? '')

/** What the field shows: the end 23:59 as 24:00. */
export const showHour = (time: string, isEnd: boolean): string =>
  isEnd && time === lastMinute ? midnight : time
