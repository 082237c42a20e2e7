import { execFile } from 'node:child_process'

/**
 * Tells systemd again and again that this process answers, if its unit asks for it (WatchdogSec). Node has no datagram sockets
 * of the kind that systemd reads, so that systemd's own program sends it; the unit needs `NotifyAccess=all` for it.
 */
export function notifyWatchdog(environment: NodeJS.ProcessEnv, print: (line: string) => void): void {
  const intervalMs = Number(environment['WATCHDOG_USEC']) / 3000
  if (!environment['NOTIFY_SOCKET'] || !(intervalMs > 0)) return
  let hasFailed = false
  const notify = () =>
    execFile('systemd-notify', ['WATCHDOG=1'], error => {
      if (error && !hasFailed) print(`systemd-notify failed: ${error.message}`)
      hasFailed = error !== null
    })
  notify()
  setInterval(notify, intervalMs).unref()
}
