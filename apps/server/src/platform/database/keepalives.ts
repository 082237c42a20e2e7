/**
 * Settings of a connection, as PostgreSQL's `options`: PostgreSQL asks every ten seconds whether a machine is there that has said nothing for
 * half a minute, and ends its sessions after three questions. By Linux's defaults a machine that lost its power or its network keeps them for
 * two hours, with advisory locks, row locks and places of `max_connections`. docs/decisions/0357.
 */
export const KEEPALIVES = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'

/**
 * The same where an answer was on its way, which Linux sends again for a quarter of an hour. Not for COPY: a program that reads slowly
 * looks like one that is lost.
 */
export const KEEPALIVES_OF_ANSWERS = `${KEEPALIVES} -c tcp_user_timeout=60s`
