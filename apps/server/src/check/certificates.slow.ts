import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireProgram } from '@floorcast/testing/debian-program.ts'
import { PROXY_AUTHORITY } from '@floorcast/testing/reverse-proxy.ts'
import { expect, onTestFinished, test } from 'vitest'

const pathOf = (file: string) => fileURLToPath(new URL(`../../../../${file}`, import.meta.url))

/** certbot's answers, which a person gives at its first call, and Pebble in place of Let's Encrypt. */
const cli = (scratch: string) => `work-dir = ${scratch}/work
logs-dir = ${scratch}/logs
server = https://localhost:14000/dir
agree-tos = true
register-unsafely-without-email = true
non-interactive = true
no-random-sleep-on-renew = true
`
const PEBBLE = {
  pebble: {
    listenAddress: '127.0.0.1:14000',
    managementListenAddress: '127.0.0.1:15000',
    certificate: pathOf('testing/tls/good.pem'),
    privateKey: pathOf('testing/tls/server-key.pem'),
    httpPort: 80,
    tlsPort: 443,
  },
}
/** There is no systemd. */
const SYSTEMCTL = `#!/bin/sh
echo "$*" >> "$(dirname "$0")/../asked"
[ "$*" = 'reload nginx' ] && nginx -s reload
`

/** Debian's nginx as it is, certbot and Pebble, in a network of their own: the commands of the page, then the example, and what certbot's timer calls. */
const script = (scratch: string, commands: string) => `set -e
ip link set lo up
for folder in /run /etc/letsencrypt /var/log/nginx /etc/nginx/conf.d; do
  mount -t tmpfs tmpfs $folder
done
mount --bind ${scratch}/hosts /etc/hosts
cp ${scratch}/cli.ini /etc/letsencrypt/
export PATH=${scratch}/bin:$PATH REQUESTS_CA_BUNDLE=${PROXY_AUTHORITY}
PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=0 pebble -config ${scratch}/pebble.json > ${scratch}/pebble.log 2>&1 &
call() { curl --silent --show-error --output "$2" --cacert "$1" "$3"; }
until call ${PROXY_AUTHORITY} /dev/null https://localhost:14000/dir; do sleep 0.1; done
call ${PROXY_AUTHORITY} ${scratch}/root.pem https://localhost:15000/roots/0
nginx
${commands}
cp ${pathOf('ops/nginx/floorcast.conf')} /etc/nginx/conf.d/
nginx -s reload
until call ${scratch}/root.pem /dev/null https://floorcast.example/; do sleep 0.1; done
shown() { openssl s_client -connect floorcast.example:443 < /dev/null 2> /dev/null | openssl x509 -noout -serial; }
first=$(shown)
certbot renew --force-renewal
until [ "$(shown)" != "$first" ]; do sleep 0.1; done
call ${scratch}/root.pem /dev/null https://floorcast.example/
`

const isRoot = process.getuid?.() === 0
test.skipIf(!isRoot)(
  "by the commands of tls.md nginx gets a certificate from certbot, which renews it by nginx's example",
  () => {
    for (const [program, name] of [
      ['nginx', 'nginx-light'],
      ['certbot', 'certbot'],
      ['pebble', 'pebble'],
      ['ip', 'iproute2'],
      ['curl', 'curl'],
    ] as const)
      requireProgram(program, name)
    const scratch = mkdtempSync(join(tmpdir(), 'floorcast-certificates-'))
    onTestFinished(() => rmSync(scratch, { recursive: true }))
    mkdirSync(join(scratch, 'bin'))
    writeFileSync(join(scratch, 'bin/systemctl'), SYSTEMCTL, { mode: 0o755 })
    writeFileSync(join(scratch, 'hosts'), '127.0.0.1 localhost floorcast.example\n')
    writeFileSync(join(scratch, 'cli.ini'), cli(scratch))
    writeFileSync(join(scratch, 'pebble.json'), JSON.stringify(PEBBLE))
    const page = readFileSync(pathOf('docs/operate/tls.md'), 'utf8')
    const commands = /```sh\napt-get [^\n]*certbot\n([^]*?)```/.exec(page)?.[1] ?? 'false'
    const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      [...namespaces, 'bash', '-c', script(scratch, commands)],
      { encoding: 'utf8', timeout: 120_000 },
    )
    expect(status, stdout + stderr).toBe(0)
    expect(readFileSync(join(scratch, 'asked'), 'utf8')).toBe('reload nginx\nreload nginx\n')
  },
)
