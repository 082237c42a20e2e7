import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'

/** The time for one of a server's addresses before the next one is tried. A dead address costs this much at each connection. */
const CONNECT_TIMEOUT_MS = 3000

/**
 * Extends Node's connection timeout for slow networks. Node gives a server's first address 250 ms and then reports the
 * last address's error. Over a satellite or on a busy machine, it would never reach a server that also has an IPv6 address.
 */
export const extendConnectTimeout = (): void => setDefaultAutoSelectFamilyAttemptTimeout(CONNECT_TIMEOUT_MS)
