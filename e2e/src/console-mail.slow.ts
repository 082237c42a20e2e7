import { collectComplaints } from '@floorcast/testing/browser.ts'
import {
  linkOf,
  MAIL_CERTIFICATE,
  type ReceivedMail,
  startMailServer,
} from '@floorcast/testing/test-mail-server.ts'
import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole({ hasOwnServer: true })
const mailServer = await startMailServer()

// The owner has registered without a mail server, as in an installation that gets one later.
beforeAll(async () => {
  await shop.killServer()
  await shop.startServer({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Floorcast <floor@shop.example>',
    NODE_EXTRA_CA_CERTS: MAIL_CERTIFICATE,
  })
})

/** Opens the link of a mail in the test's page. */
async function openLink(mail: ReceivedMail): Promise<void> {
  const { pathname, hash } = new URL(linkOf(mail).link)
  await shop.page.goto('about:blank')
  await shop.page.goto(shop.url + pathname + hash)
}

async function setPassword(password: string): Promise<void> {
  await shop.page.getByRole('textbox', { name: 'Password' }).fill(password)
  await shop.page.getByRole('button', { name: 'Set and sign in' }).click()
}

it('with a mail server registering sends a link, which creates the account', async () => {
  const complaints = collectComplaints(shop.page)
  const email = 'mail.owner@example.com'
  await shop.page.goto(`${shop.url}/login`)
  await shop.page.getByRole('tab', { name: 'Register' }).click()
  await shop.page.getByLabel('Full name').fill('Mara Ruiz')
  await shop.page.getByLabel('Email').fill(email)
  await shop.page.getByLabel('I agree').check()
  expect(await shop.page.getByRole('textbox', { name: 'Password' }).count()).toBe(0)
  await shop.page.getByRole('button', { name: 'Send me the link' }).click()
  await shop.page.getByText(`We sent a link to ${email}`).waitFor()
  await mailServer.mailTo(email)
  await shop.page.getByRole('button', { name: 'Send again' }).click()
  await shop.page.getByText('Sent again').waitFor()
  await openLink(await mailServer.mailTo(email, 2))
  await shop.heading('Confirm your email')
  await setPassword('seven green lamps')
  await shop.heading('Overview')
  expect(shop.page.url()).not.toContain('confirm')
  expect(complaints).toEqual([])
})

it('with a mail server a link that was used leads back to the sign-in form', async () => {
  await shop.page.goto(`${shop.url}/login#confirm=used`)
  await setPassword('seven green lamps')
  await shop.page.locator('form').getByText('This link has expired or was used').waitFor()
  await shop.page.getByRole('button', { name: 'Back to sign in' }).click()
  await shop.heading('Sign in to Floorcast')
})

it('with a mail server a forgotten password is replaced by a link', async () => {
  await shop.page.goto(`${shop.url}/login`)
  await shop.page.getByRole('button', { name: 'Forgot password?' }).click()
  await shop.heading('Forgot your password?')
  await shop.page.getByLabel('Email').fill(shop.owner.email)
  await shop.page.getByRole('button', { name: 'Send me the link' }).click()
  await shop.page.getByText(`If ${shop.owner.email} has an account`).waitFor()
  await openLink(await mailServer.mailTo(shop.owner.email))
  await shop.heading('Set your password')
  await setPassword('eight green lamps')
  await shop.heading('Overview')
})

it('with a mail server the mails are in the language of the reader, and the form says when there were enough', async () => {
  const email = 'reader@example.com'
  await shop.page.goto(`${shop.url}/login`)
  await shop.page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
  await shop.page.getByRole('button', { name: 'نسيت كلمة المرور؟' }).click()
  await shop.page.getByLabel('البريد الإلكتروني').fill(shop.owner.email)
  await shop.page.getByRole('button', { name: 'إرسال الرابط إليّ' }).click()
  const mail = await mailServer.mailTo(shop.owner.email, 2)
  expect(mail.subject).toBe('Your new password for Floorcast')
  await shop.page.getByRole('button', { name: 'العودة إلى تسجيل الدخول' }).click()
  await shop.page.getByRole('button', { name: 'نسيت كلمة المرور؟' }).click()
  await shop.page.getByLabel('البريد الإلكتروني').fill(email)
  for (let sent = 0; sent < 3; sent++) {
    await shop.page.getByRole('button', { name: sent === 0 ? 'إرسال الرابط إليّ' : 'إعادة الإرسال' }).click()
    await shop.page.getByText(sent === 0 ? 'فقد أرسلنا إليه رابطًا' : 'أُعيد الإرسال').waitFor()
  }
  await shop.page.getByRole('button', { name: 'إعادة الإرسال' }).click()
  await shop.page.getByRole('main').getByText('أُرسلت مؤخرًا عدة رسائل').waitFor()
  expect(mailServer.tried).not.toContain(email)
})
