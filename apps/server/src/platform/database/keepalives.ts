/**
 * Settings of a session: PostgreSQL asks every ten seconds whether a machine is there that has said nothing for
 * half a minute, and ends its sessions after three questions. By Linux's defaults a machine that lost its power or its network keeps them for
 * two hours, with advisory locks, row locks and places of `max_connections`. docs/decisions/0357.
 */
export const KEEPALIVES = {
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
} as const

/**
 * The same where an answer was on its way, which Linux sends again for a quarter of an hour. Not for COPY: a program that reads slowly
 * looks like one that is lost.
 */
export const KEEPALIVES_OF_ANSWERS = { ...KEEPALIVES, tcp_user_timeout: 60_000 } as const

/** The statements of some settings. They are not in the startup packet, which a pooler may refuse (docs/decisions/0354). */
export const setAll = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} to ${value}`)
    .join('; ')
