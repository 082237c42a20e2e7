/** As an end of the window, this is midnight. */
const lastMinute = '23:59'
const midnight = '24:00'

/** The HH:MM of what a user types, such as 9, 930, 9.30 or 09:30; an end may be 24:00. Empty for anything else. */
export function parseHour(text: string, isEnd: boolean): string {
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:.h ]?([0-5]\d))?$/.exec(text.trim()) ?? []
  if (hours === undefined) return ''
  const time = `${hours.padStart(2, '0')}:${minutes}`
  if (time === midnight) return isEnd ? lastMinute : ''
  return Number(hours) < 24 ? time : ''
}

/** What the field shows: the end 23:59 as 24:00. */
export const showHour = (time: string, isEnd: boolean): string =>
  isEnd && time === lastMinute ? midnight : time
