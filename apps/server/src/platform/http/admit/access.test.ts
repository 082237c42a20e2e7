import { expect, test } from 'vitest'
import { makeProxyTest, toAddressKey } from './access.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['', ''],
])('%s counts as %s', (address, key) => {
  expect(toAddressKey(address)).toBe(key)
})

test('the proxies are those of the setting', () => {
  const addresses = ['10.1.2.3', '::ffff:10.1.2.3', '::1', '192.0.2.1']
  expect(addresses.map(makeProxyTest('10.0.0.0/8, ::1'))).toEqual([true, true, true, false])
  expect(addresses.map(makeProxyTest(false))).toEqual([false, false, false, false])
  expect(addresses.map(makeProxyTest(1))).toEqual([true, true, true, true])
})
