import * as deploys from '@floorcast/contract/deploy-packages.ts'
import * as channels from '@floorcast/contract/update-channels.ts'
import * as files from '@floorcast/contract/update-files.ts'
import * as packages from '@floorcast/contract/update-packages.ts'
import * as contract from '@floorcast/contract/updates.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { announcedBytes } from '../../platform/http/receive/input.ts'
import { readForm } from '../../platform/http/receive/multipart.ts'
import {
  editDeployPackage,
  deleteDeployPackage,
  addDeployPackage,
  listDeployPackages,
  rotateDeployPackage,
} from './deploy-packages.ts'
import { editChannel, deleteChannel, addChannel, listChannels, rotateChannel } from './update-channels.ts'
import {
  editUpdateFile,
  deleteUpdateFile,
  excludeFile,
  listUpdateFiles,
  addUpdateFile,
} from './update-files.ts'
import { readUpdateKey, setUpdateKey, listUpdateDevices } from './updates.ts'
import * as rules from './update-packages.ts'
import { uploadUpdateFile } from './update-upload.ts'

const turned = <State extends string>(state: State, isSeen: boolean) => ({ code: isSeen ? 0 : 9, state })

export function registerUpdates(http: Http, context: Context): void {
  http.forUsers(contract.listUpdateDevices, call => listUpdateDevices(call, call.query))
  registerFiles(http, context)
  registerPackages(http)
  registerChannels(http)
  registerDeploys(http)
  http.forUsers(contract.readUpdateKey, call => readUpdateKey(call))
  http.done(contract.setUpdateKey, call => setUpdateKey(call, call.body.publicKey))
}

function registerFiles(http: Http, context: Context): void {
  http.forUsers(files.listUpdateFiles, call => listUpdateFiles(call, call.query))
  http.done(packages.uploadUpdateFile, call =>
    uploadUpdateFile(context, call, {
      packageUid: call.params.uid,
      parts: readForm(call.request),
      announcedBytes: announcedBytes(call.request),
    }),
  )
  http.done(files.addUpdateFile, async call => ({ uid: await addUpdateFile(call, call.body) }))
  http.done(files.editUpdateFile, call => editUpdateFile(call, call.body))
  http.done(files.deleteUpdateFile, call => deleteUpdateFile(call, context.files, call.body.uid))
}

function registerPackages(http: Http): void {
  http.forUsers(packages.listPackages, call => rules.listPackages(call, call.query))
  http.forUsers(packages.readPackage, call => rules.readPackage(call, call.params.id))
  http.forUsers(packages.listPackageFiles, call => rules.listPackageFiles(call, call.params.id, call.query))
  http.done(packages.addPackage, async call => ({
    uid: await rules.addPackage(call, call.body),
  }))
  http.done(packages.editPackage, call => rules.editPackage(call, call.body))
  http.done(packages.deletePackage, call => rules.deletePackage(call, call.body.uid))
  http.forUsers(packages.rotatePackage, async call => {
    const state = await rules.rotatePackage(call, call.params.id, call.query.from)
    return turned(state, state === 'released')
  })
  http.done(packages.excludeFile, call => excludeFile(call, call.params))
}

function registerChannels(http: Http): void {
  http.forUsers(channels.listChannels, call => listChannels(call, call.query))
  http.done(channels.addChannel, async call => ({ uid: await addChannel(call, call.body) }))
  http.done(channels.editChannel, call => editChannel(call, call.body))
  http.done(channels.deleteChannel, call => deleteChannel(call, call.body.uid))
  http.forUsers(channels.rotateChannel, async call => {
    const state = await rotateChannel(call, call.params.id, call.query.from)
    return turned(state, state === 'open')
  })
}

function registerDeploys(http: Http): void {
  http.forUsers(deploys.listDeployPackages, call => listDeployPackages(call, call.query))
  http.done(deploys.addDeployPackage, async call => ({
    uid: await addDeployPackage(call, call.body),
  }))
  http.done(deploys.editDeployPackage, call => editDeployPackage(call, call.body))
  http.done(deploys.deleteDeployPackage, call => deleteDeployPackage(call, call.body.uid))
  http.forUsers(deploys.rotateDeployPackage, async call => {
    const state = await rotateDeployPackage(call, call.params.id, call.query.from)
    return turned(state, state !== 'paused')
  })
}
