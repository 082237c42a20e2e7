import * as passkeys from '@floorcast/contract/passkeys.ts'
import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { call, change } from '../../platform/client.ts'
import { changeHook, useChange } from '../../platform/use-change.ts'

/** The browser made no passkey: the user gave up, or has made one on this device before. */
export class PasskeyNotMade extends Error {
  override readonly name = 'PasskeyNotMade'
}

async function makePasskey(password: string) {
  const { options } = await call(passkeys.beginPasskey, { body: { password } })
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return startRegistration({ optionsJSON }).catch((cause: unknown) => {
    throw new PasskeyNotMade('The browser made no passkey', { cause })
  })
}

/** Opens the browser's dialog. @throws PasskeyNotMade */
export const useAddPasskey = () =>
  useChange('account', async ({ name, password }: { name: string; password: string }) => {
    const credential = passkeys.NewCredential.parse(await makePasskey(password))
    return change(passkeys.addPasskey, { body: { name, credential } })
  })

export const useRemovePasskey = changeHook('account', passkeys.removePasskey)
