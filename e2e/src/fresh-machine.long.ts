import { testFreshMachine } from './fresh-machine.ts'

testFreshMachine([])
