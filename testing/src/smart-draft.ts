import type { SmartDraft, SmartTrack } from '@floorcast/contract/smart-playlists.ts'
import { windowSeconds } from '@floorcast/planner/plan-window.ts'
import type { ClientScope } from '@floorcast/server/platform/database/client-scope.ts'
import { makeMedia } from './factories.ts'
import { planned } from './planned.ts'

type Lists = Pick<SmartDraft, 'melList' | 'adsList'>

/** The wizard's draft for these lists: a minute of background and 20 seconds of ads alternate from nine to ten. */
export function planDraft(lists: Lists, given: Partial<SmartDraft> = {}): SmartDraft {
  const draft = {
    smartPlUid: null,
    smartPlName: 'Spring day',
    smartPlDescr: '',
    playlistType: 'audio-smart' as const,
    startDay: '09:00',
    endDay: '10:00',
    melTime: 60,
    adsTime: 20,
    melMode: 'auto' as const,
    adsMode: 'auto' as const,
    crossfade: 0,
    minAdGap: 0,
    seed: 1,
    colour: 'blue',
    uploadingProgress: 0,
    deviceFilter: null,
    playlistFilter: null,
    ...lists,
    ...given,
  }
  const { blocks } = planned({ ...draft, type: draft.playlistType })
  return { ...draft, workTime: windowSeconds(draft), finishList: blocks, ...given }
}

/** Melodies of 20 to 25 s and ads of 10 s, without bytes. */
export async function makeLists(scope: ClientScope): Promise<Lists> {
  const trackOf = async (contentType: 'melodies' | 'ads', name: string, duration: number) => {
    const { uid } = await makeMedia(scope, { contentType, name, durationSeconds: duration })
    return { uid, duration } satisfies SmartTrack
  }
  const melList: SmartTrack[] = []
  for (let n = 0; n < 6; n++) melList.push(await trackOf('melodies', `Tune ${n}`, 20 + n))
  const adsList: SmartTrack[] = []
  for (let n = 0; n < 4; n++) adsList.push(await trackOf('ads', `Offer ${n}`, 10))
  return { melList, adsList }
}
