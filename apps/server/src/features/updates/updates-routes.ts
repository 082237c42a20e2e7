import * as deploys from '@floorcast/contract/deploy-packages.ts'
import * as channels from '@floorcast/contract/update-channels.ts'
import * as files from '@floorcast/contract/update-files.ts'
import * as packages from '@floorcast/contract/update-packages.ts'
import * as contract from '@floorcast/contract/updates.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { announcedBytes, readForm } from '../../platform/http/multipart.ts'
import { changeDeploy, deleteDeploy, deployPackage, readDeploys, turnDeploy } from './deploy-packages.ts'
import { changeChannel, deleteChannel, makeChannel, readChannels, turnChannel } from './update-channels.ts'
import { changeFile, deleteFile, excludeFile, readFiles, shareFile } from './update-files.ts'
import { readKey, setKey } from './update-key.ts'
import * as rules from './update-packages.ts'
import { uploadUpdate } from './update-upload.ts'
import { readDevices } from './updates.ts'

const done = { code: 200 }
const turned = <State extends string>(state: State, isSeen: boolean) => ({ code: isSeen ? 0 : 9, state })

export function registerUpdates(http: Http, context: Context): void {
  http.forUsers(contract.listUpdateDevices, call => readDevices(call, call.query))
  registerFiles(http, context)
  registerPackages(http)
  registerChannels(http)
  registerDeploys(http)
  http.forUsers(contract.readUpdateKey, call => readKey(call))
  http.forUsers(contract.setUpdateKey, async call => {
    await setKey(call, call.body.publicKey)
    return done
  })
}

function registerFiles(http: Http, context: Context): void {
  http.forUsers(files.listUpdateFiles, call => readFiles(call, call.query))
  http.forUsers(packages.uploadUpdateFile, async call => {
    const stored = await uploadUpdate(context, call, {
      packageUid: call.params.uid,
      parts: readForm(call.request),
      announcedBytes: announcedBytes(call.request),
    })
    return { ...done, ...stored }
  })
  http.forUsers(files.addUpdateFile, async call => ({ ...done, uid: await shareFile(call, call.body) }))
  http.forUsers(files.editUpdateFile, async call => {
    await changeFile(call, call.body)
    return done
  })
  http.forUsers(files.deleteUpdateFile, async call => {
    await deleteFile(call, context.files, call.body.uid)
    return done
  })
}

function registerPackages(http: Http): void {
  http.forUsers(packages.listPackages, call => rules.readPackages(call, call.query))
  http.forUsers(packages.readPackage, call => rules.readPackageCard(call, call.params.id))
  http.forUsers(packages.listPackageFiles, call => rules.readPackageFiles(call, call.params.id, call.query))
  http.forUsers(packages.addPackage, async call => ({
    ...done,
    uid: await rules.makePackage(call, call.body),
  }))
  http.forUsers(packages.editPackage, async call => {
    await rules.changePackage(call, call.body)
    return done
  })
  http.forUsers(packages.deletePackage, async call => {
    await rules.deletePackage(call, call.body.uid)
    return done
  })
  http.forUsers(packages.rotatePackage, async call => {
    const state = await rules.turnPackage(call, call.params.id, call.query.from)
    return turned(state, state === 'released')
  })
  http.forUsers(packages.excludeFile, async call => {
    await excludeFile(call, call.params)
    return done
  })
}

function registerChannels(http: Http): void {
  http.forUsers(channels.listChannels, call => readChannels(call, call.query))
  http.forUsers(channels.addChannel, async call => ({ ...done, uid: await makeChannel(call, call.body) }))
  http.forUsers(channels.editChannel, async call => {
    await changeChannel(call, call.body)
    return done
  })
  http.forUsers(channels.deleteChannel, async call => {
    await deleteChannel(call, call.body.uid)
    return done
  })
  http.forUsers(channels.rotateChannel, async call => {
    const state = await turnChannel(call, call.params.id, call.query.from)
    return turned(state, state === 'open')
  })
}

function registerDeploys(http: Http): void {
  http.forUsers(deploys.listDeployPackages, call => readDeploys(call, call.query))
  http.forUsers(deploys.addDeployPackage, async call => ({
    ...done,
    uid: await deployPackage(call, call.body),
  }))
  http.forUsers(deploys.editDeployPackage, async call => {
    await changeDeploy(call, call.body)
    return done
  })
  http.forUsers(deploys.deleteDeployPackage, async call => {
    await deleteDeploy(call, call.body.uid)
    return done
  })
  http.forUsers(deploys.rotateDeployPackage, async call => {
    const state = await turnDeploy(call, call.params.id, call.query.from)
    return turned(state, state !== 'paused')
  })
}
