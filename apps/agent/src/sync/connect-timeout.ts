import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'

/** Of a server's several addresses one is given up for the next after this; a dead one costs as much at each connection. */
const PATIENCE = 3000

/**
 * Waits for lines that are slow to open: Node gives a server's first address a quarter of a second and then takes the last
 * one's word, so that over a satellite, or on a busy box, a server with an address for IPv6 too would never be reached.
 */
export const connectPatiently = (): void => setDefaultAutoSelectFamilyAttemptTimeout(PATIENCE)
