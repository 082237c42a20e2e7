import { testFreshMachine } from './fresh-machine.ts'

// Most containers forbid what a browser's sandbox needs.
testFreshMachine(['--system-call-filter=~unshare setns'])
