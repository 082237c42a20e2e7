import * as contract from '@floorcast/contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { lazySecretBox } from '../../platform/auth/secret-box.ts'
import type { Http } from '../../platform/http/http.ts'
import { WebhookSender } from './webhook-sender.ts'
import {
  addWebhook,
  deleteWebhook,
  editWebhook,
  listDeliveries,
  listWebhooks,
  resendDelivery,
  rotateWebhook,
} from './webhooks.ts'

export function registerWebhooks(http: Http, context: Context): void {
  const { settings } = context
  const secrets = lazySecretBox(settings.secretKeyFile)
  const parts = { mayBePrivate: settings.webhooksMayBePrivate, secrets }
  const sender = new WebhookSender({ ...context, secrets })
  http.shutdown.onLeave(() => sender.close())
  http.forUsers(contract.listWebhooks, listWebhooks)
  http.done(contract.addWebhook, call => addWebhook(parts, call, call.body))
  http.done(contract.editWebhook, call => editWebhook(parts, call, call.body))
  http.done(contract.rotateWebhook, call => rotateWebhook(parts, call, call.params.uid))
  http.done(contract.deleteWebhook, call => deleteWebhook(call, call.body.uid))
  http.forUsers(contract.listWebhookDeliveries, call =>
    listDeliveries(call, { ...call.query, webhookUid: call.params.uid, state: call.query.state }),
  )
  http.done(contract.resendWebhookDelivery, call =>
    resendDelivery(call, { webhookUid: call.params.uid, position: call.params.position }),
  )
}
