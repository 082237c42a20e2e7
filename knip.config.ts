import type { KnipConfig } from 'knip'

const tests = 'src/**/*.{test,slow,long,attack}.ts'

/** `@import` is all that a style sheet can depend on. */
const importsOfCss = (text: string) =>
  [...text.matchAll(/(?:@import\s+|url\()(['"][^'"]+['"])/g)].map(match => `import ${match[1]}`).join('\n')

/** Dead code is what nobody reaches: an export used in its own file is not dead, one of a package that none imports is. */
const config: KnipConfig = {
  compilers: { css: importsOfCss },
  ignoreExportsUsedInFile: true,
  ignoreBinaries: [
    'systemd-notify',
    'systemd-nspawn',
    'apt-cache',
    'apt-get',
    'buildah',
    'chattr',
    'go',
    'prometheus',
    'promtool',
    'debootstrap',
    'e2fsck',
    'ffmpeg',
    'haproxy',
    'mpv',
    'liquidsoap',
    'mkfifo',
    'mosquitto',
    'mount',
    'nsenter',
    'parec',
    'pdftotext',
    'pulseaudio',
    'setpriv',
    'umount',
    'unshare',
    'Xvfb',
    'vite',
  ],
  workspaces: {
    '.': { entry: ['tools/*.{ts,mjs}'], project: ['tools/**/*.{ts,mjs}'] },
    'apps/server': {
      entry: ['src/main.ts', 'src/admin.ts', 'src/restore.ts', tests],
      project: ['src/**/*.ts', 'database/*.ts'],
      includeEntryExports: true,
    },
    'apps/agent': { entry: ['src/main.ts', tests], project: ['src/**/*.ts'] },
    'apps/demo': { entry: ['src/main.ts', tests], project: ['src/**/*.ts'] },
    'apps/fleet': { entry: ['src/main.ts', tests], project: ['src/**/*.ts'] },
    'apps/console': { entry: ['src/**/*.test.{ts,tsx}'], project: ['src/**/*.{ts,tsx,css}'] },
    // What it exports is for integrators.
    'packages/client': { entry: [tests], project: ['src/**/*.ts'] },
    'packages/*': { entry: [tests], project: ['src/**/*.ts'], includeEntryExports: true },
    testing: { entry: [tests], project: ['src/**/*.ts'], includeEntryExports: true },
    bench: { entry: ['src/bench-*.ts'], project: ['src/**/*.ts'] },
    e2e: { entry: [tests, 'src/manual-pictures.ts'], project: ['src/**/*.ts'] },
  },
}
export default config
