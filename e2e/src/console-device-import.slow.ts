import { readLimits } from '@floorcast/contract/dashboard.ts'
import { importDevices } from '@floorcast/contract/device-import.ts'
import { addGroup, deleteGroup } from '@floorcast/contract/groups.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { writeByServer } from '@floorcast/testing/xlsx.ts'
import { beforeAll, expect, it, vi } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { importPage } from './import-page.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const PATH = '/equipments/devicesImport'

beforeAll(async () => {
  const plan = "update clients set plan_key = 'professional'"
  await asSuperuser(shop.superuserUrl, superuser => superuser.query(plan))
})

const { button, type, list, total, paste, focused, choose, save } = importPage(shop)

it('many devices are added from the devices page, with a preview of the errors, and their keys saved', async () => {
  await shop.visit('/equipments/devices')
  await shop.page.getByRole('link', { name: 'Add many' }).click()
  await shop.heading('Add many devices')
  const shops =
    'Shop 1,1,food shops,Oslo,Europe/Oslo|ab,2,,,|Shop 3,3,Coast,,|Shop 1,1,,,|Shop 5,5,Coast,,Mars'
  await type(['Name,Store number,Group,City,Time zone', ...shops.split('|')])
  await shop.page.getByText('Name: at least 3 characters').waitFor()
  await shop.page.getByText('Time zone: not a time zone such as Europe/Paris').waitFor()
  await shop.page.getByText(/With errors \(\W?3\W?\)/).waitFor()
  await shop.page.getByLabel('Leave out the line whose group does not exist').waitFor()
  await shop.page.getByText(/^All \(/).click()
  await shop.page.getByText('Group does not exist yet').waitFor()
  await shop.page.getByText('an earlier line has the same name and store number').waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  await button('Create 1 group').click()
  await shop.page.getByText('Group does not exist yet').waitFor({ state: 'hidden' })
  expect(await button('Add 2 devices').isDisabled()).toBe(true)
  await shop.page.getByLabel('Leave out the 3 lines with errors').check()
  await button('Add 2 devices').click()
  await shop.page.getByText('2 devices added').waitFor()
  await shop.page.getByText('3 lines left out').waitFor()
  await shop.page.getByText('an earlier line has the same name and store number').waitFor()
  const [header, first, ...others] = (await save('Save the lines that were left out')).split('\r\n')
  expect(header).toBe('\uFEFF"Name","Store number","Group","Time zone","Line","Reason"')
  expect([first, others.length]).toEqual(['"ab","2","","","3","Name: at least 3 characters"', 3])
  expect(await findAxeViolations(shop.page)).toEqual([])
  const keys = await save('Save the licence keys')
  expect(keys.replace('\uFEFF', '').split('\r\n')).toEqual([
    'Name,Store number,Group,Licence key,Bound',
    expect.stringMatching(/^Shop 1,1,Food shops,[^,]{35},no$/),
    expect.stringMatching(/^Shop 3,3,Coast,[^,]{35},no$/),
    '',
  ])
  await shop.page.getByRole('link', { name: 'Show the devices' }).click()
  await shop.page.getByRole('link', { name: 'Shop 3' }).waitFor()
})

it('many devices come from a file by a thousand, and go on after an error where they stopped', async () => {
  await shop.visit(PATH)
  let calls = 0
  await shop.page.route(`**${importDevices.path.replace('{contentType}', '*')}`, async route => {
    calls += 1
    if (calls === 2) await route.abort()
    else await route.continue()
  })
  await choose('shops.csv', Buffer.from(list(1001, 2500).join('\r\n')))
  await button('Add 2,500 devices').click()
  await shop.page.getByText('1,000 of 2,500 lines sent').waitFor()
  await shop.page.getByText('Nothing is lost').waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  await button('Continue').click()
  await shop.page.getByText('2,500 devices added').waitFor()
  expect(calls).toBe(4)
  expect((await save('Save the licence keys')).trimEnd().split('\r\n')).toHaveLength(2501)
})

it('many devices may be pasted in any number', async () => {
  await shop.visit(PATH)
  await paste(list(7001, 3000).join('\n'))
  await button('Add 3,000 devices').waitFor()
  await shop.page.getByText('Pasted list').waitFor()
  await button('Remove the file').click()
  await shop.page.getByLabel('Lines').waitFor()
})

it('many devices that exist already are named, and skipped when asked', async () => {
  await shop.visit(PATH)
  await type([...list(5001, 2)])
  await button('Add 2 devices').click()
  await shop.page.getByText('2 devices added').waitFor()
  await button('Add more').click()
  await type([...list(5001, 3)])
  await button('Add 3 devices').click()
  await shop.page.getByText('The server refused 2 lines').waitFor()
  await shop.page.getByText('2 devices exist already').waitFor()
  await button('Skip devices that exist').click()
  await shop.page.getByText('1 device added').waitFor()
  await shop.page.getByText('Left out because they existed: 2').waitFor()
  const [, first, second] = (await save('Save the lines that were left out')).split('\r\n')
  const why = 'Name: a device with this name and store number exists'
  expect([first, second]).toEqual(
    [5001, 5002].map((n, at) => `"Shop ${n}","${n}","Food shops","${at + 1}","${why}"`),
  )
  expect(await total('"Shop 500"')).toBe(3)
})

it('many devices may be more than the plan has room for, if they exist', async () => {
  await shop.visit(PATH)
  await type(list(5101, 2))
  await button('Add 2 devices').click()
  await shop.page.getByText('2 devices added').waitFor()
  await shop.page.route(`**${readLimits.path}`, async route => {
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: { devices: { used: number; limit: number } } }
    data.devices.limit = data.devices.used + 1
    await route.fulfill({ response: answer, json: { data } })
  })
  await shop.visit(PATH)
  await type(list(5101, 3))
  await shop.page.getByText(/room for \W?1\W? more devices/).waitFor()
  expect(await button('Add 3 devices').isDisabled()).toBe(true)
  await shop.page.getByLabel('Skip devices that exist').check()
  await button('Add 3 devices').click()
  await shop.page.getByText('1 device added').waitFor()
  expect(await total('"Shop 510"')).toBe(3)
})

it('many devices are dropped as one file, and named if there are several', async () => {
  await shop.visit(PATH)
  await shop.page.getByLabel('Lines').waitFor()
  await shop.page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['Shop 60001'], 'one.csv'))
    dataTransfer.items.add(new File(['Shop 60002'], 'two.csv'))
    window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))
  })
  await shop.page.getByText(/Only \W?one.csv\W? was taken/).waitFor()
  await button('Add 1 device').waitFor()
  await button('Remove the file').click()
  expect(await shop.page.getByText('was taken').count()).toBe(0)
})

it('many devices are continued after a reload, and forgotten when the page is left', async () => {
  await shop.visit(PATH)
  let calls = 0
  await shop.page.route('**/api/v2/device/import/*', route => {
    calls += 1
    return calls === 2 ? route.abort() : route.continue()
  })
  await shop.page.locator('label', { hasText: 'Video' }).click()
  const text = list(20_001, 1200, '').join('\n')
  await paste(text)
  await button('Add 1,200 devices').click()
  await button('Continue').waitFor()
  shop.page.on('dialog', dialog => void dialog.accept())
  await shop.page.reload()
  await shop.page.getByText('1,000 of 1,200 lines sent').waitFor()
  await button('Start over').click()
  const dialog = shop.page.getByRole('dialog', { name: 'Start over?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await button('Continue').click()
  await shop.page.getByText('1,200 devices added').waitFor()
  expect((await save('Save the licence keys')).trimEnd().split('\r\n')).toHaveLength(1201)
  await shop.page.reload()
  await shop.page.getByLabel('Lines').waitFor()
})

it('many devices are added no further after Stop, even while a busy server lets the console wait', async () => {
  await shop.visit(PATH)
  const waiting = Promise.withResolvers<void>()
  let calls = 0
  await shop.page.route('**/api/v2/device/import/*', route => {
    calls += 1
    if (calls === 1) return waiting.promise.then(() => route.continue())
    return route.fulfill({ status: 503, headers: { 'retry-after': '30' }, body: '{}' })
  })
  await paste(list(30_001, 2200, '').join('\n'))
  await button('Add 2,200 devices').click()
  await button('Stop').click()
  await shop.page.getByRole('heading', { name: 'Stopping' }).waitFor()
  waiting.resolve()
  await shop.page.getByRole('heading', { name: 'Stopped' }).waitFor()
  await shop.page.getByText('1,000 of 2,200 lines sent').waitFor()
  await button('Continue').click()
  await vi.waitFor(() => expect(calls).toBe(2))
  await button('Stop').click()
  await shop.page.getByRole('heading', { name: 'Stopped' }).waitFor()
  expect(calls).toBe(2)
  await shop.page.getByText('1,000 of 2,200 lines sent').waitFor()
  expect(await focused()).toBe('Stopped')
  await button('Start over').click()
  await shop.page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click()
  await shop.page.getByLabel('Lines').waitFor()
  await vi.waitFor(async () => expect(await focused()).toBe('Device list'))
})

it('many devices get their groups created, after a question if there are many, and no further after Stop', async () => {
  await shop.visit(PATH)
  let calls = 0
  const waiting = Promise.withResolvers<void>()
  await shop.page.route('**/group/add/audio', async route => {
    calls += 1
    if (calls === 2) await waiting.promise
    await route.continue()
  })
  const lines = Array.from({ length: 60 }, (_, n) => `Shop ${40_001 + n},,Quarter ${n}`)
  await type(['Shop 40000,,HQ', ...lines])
  await shop.page.getByText('Group: at least 3 characters').waitFor()
  await shop.page.getByText('60 groups of the list do not exist yet').waitFor()
  await shop.page.getByText(/Line \W?1\W?: “\W?HQ\W?” .*at least 3 characters/).waitFor()
  await shop.page.getByText(/“\W?Quarter 9\W* and 50 more/).waitFor()
  await button(/^Create \d+ groups$/).click()
  const dialog = shop.page.getByRole('dialog', { name: /Create .?60.? groups/ })
  await dialog.getByRole('button', { name: /^Create \d+ groups$/ }).click()
  await shop.page.getByText('1 of 60 groups created').waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  await button('Stop').click()
  waiting.resolve()
  await shop.page.getByText('58 groups of the list do not exist yet').waitFor()
  expect(calls).toBe(2)
})

it('many devices are refused with the name of a group that was deleted meanwhile', async () => {
  const { call } = shop.client
  const { uid = '' } = await call(addGroup, {
    params: { contentType: 'audio' },
    body: { name: 'Old harbor' },
  })
  await shop.visit(PATH)
  await shop.page.route('**/api/v2/device/import/*', async route => {
    await call(deleteGroup, { body: { uid } })
    await route.continue()
  })
  await type(['Shop 50001,,old harbor', 'Shop 50002,,'])
  await button('Add 2 devices').click()
  await shop.page.getByText('The server refused 1 line').waitFor()
  const row = shop.page.getByRole('row').filter({ hasText: 'Shop 50001' })
  expect(await row.innerText()).toMatch(/old harbor\s+.*Group\W*: .*no such group/s)
})

it('many devices come from a spreadsheet, or a file in UTF-8 or UTF-16; others are told how to save it', async () => {
  await shop.visit(PATH)
  await choose('ansi.csv', Buffer.from('Name;Number\r\nCafé Noir;7', 'latin1'))
  const alert = shop.page.getByRole('alert').filter({ hasText: 'ansi.csv' })
  expect(await alert.innerText()).toContain('CSV UTF-8')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await choose('locked.xlsx', Buffer.from('PK\u0003\u0004 no spreadsheet'))
  const broken = shop.page.getByRole('alert').filter({ hasText: 'could not be read as a spreadsheet' })
  expect(await broken.innerText()).toContain('CSV UTF-8')
  const rows = [['Shops of the north'], [], ['Name', 'Store number'], ['Łódź Café', '0042'], ['ab', '']]
  await choose('shops.xlsx', await writeByServer(rows))
  await shop.page.getByText('Name: at least 3 characters').waitFor()
  await shop.page.getByText(/^All \(/).click()
  const named = shop.page.getByRole('row').filter({ hasText: 'Łódź Café' })
  expect(await named.innerText()).toMatch(/^\W?4\W?\s+Łódź Café\s+0042/)
  await button('Add 1 device').waitFor()
  await button('Remove the file').click()
  await choose('utf16.csv', Buffer.from('\uFEFFName;Number\r\nCafé Noir;7', 'utf16le'))
  await shop.page.getByText('Café Noir').waitFor()
  await button('Add 1 device').waitFor()
  expect(await alert.count()).toBe(0)
})

it('many devices ask before an unfinished import is left', async () => {
  await shop.visit(PATH)
  await shop.page.route('**/api/v2/device/import/*', route => route.abort())
  await type([...list(6001, 1)])
  await button('Add 1 device').click()
  await button('Continue').waitFor()
  await shop.page.getByRole('link', { name: 'Groups' }).first().click()
  const dialog = shop.page.getByRole('dialog', { name: 'Leave the import?' })
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await shop.heading('Groups')
  await shop.visit(PATH)
  await shop.page.getByLabel('Lines').waitFor()
})

it('the license keys of a list are saved for the selected devices', async () => {
  await shop.visit('/equipments/devices?search=Central')
  await shop.page.getByRole('checkbox', { name: 'Select Central Station' }).check()
  const actions = shop.page.getByRole('region', { name: 'Actions for the selection' })
  await actions.getByRole('button', { name: 'More actions' }).click()
  const keys = await save('Licence keys', shop.page.getByRole('menuitem', { name: 'Licence keys' }))
  expect(keys).toMatch(/Central Station,,,[^,]{35},no/)
})
