import { describe, expect, it } from 'vitest'
import { readCatalogue } from './catalogue-files.ts'
import { type LocaleCode, locales } from '@floorcast/contract/locales.ts'

interface FormerWord {
  code: LocaleCode
  /** What readers of the language took for an error, or for another thing. */
  word: RegExp
  instead: string
  /** Keys that have it rightly. */
  except?: RegExp
}

/** Packages and uploads are paused; groups and playlists are edited. */
const pausedThings =
  /^(?:updates|uploads|media:pause$|media:joins$|media:notGapless$|audit:values\.deploy-package)/

/** One word for one thing: docs/glossary.md and docs/glossary/. */
const formerWords: readonly FormerWord[] = [
  { code: 'en', word: /['‘]/, instead: '’, or “ ”' },
  { code: 'en', word: / …/, instead: '… without a space' },
  { code: 'en', word: /\bprogramme/i, instead: 'program' },
  { code: 'en', word: /\blicense|\bcolor\b|\bcenter/i, instead: 'licence, colour, centre' },
  { code: 'en', word: /\bagent\b/i, instead: 'player' },
  { code: 'en', word: /\bpaus(?:e|ed)\b/i, instead: 'edit', except: pausedThings },
  { code: 'en', word: /\bfilms?\b/i, instead: 'video' },
  { code: 'de', word: /Smart-Playlist/, instead: 'smarte Playlist' },
  { code: 'de', word: /Paketveröffentlichung/, instead: 'Updateverteilung' },
  { code: 'de', word: /Bereitstellung/, instead: 'Bereitschaft' },
  { code: 'de', word: /\b(?:das|dieses|keinem?) Medium\b/, instead: 'Mediendatei' },
  { code: 'de', word: /pausier/i, instead: 'bearbeiten', except: pausedThings },
  { code: 'de', word: /\bFilm/, instead: 'Video' },
  { code: 'es', word: /latido/i, instead: 'señal' },
  { code: 'es', word: /película/i, instead: 'vídeo' },
  { code: 'es', word: /\d\u{a0}\d{3}/u, instead: '10.000, as Intl writes it' },
  { code: 'fr', word: /remont/i, instead: 'transmettre, données' },
  { code: 'fr', word: /\bjoue(?:nt|r)?\b/i, instead: 'diffuse, lit' },
  { code: 'fr', word: /\bfilms?\b/i, instead: 'vidéo' },
  { code: 'pt', word: /imprim/i, instead: 'exibir' },
  { code: 'pt', word: /horário de operação/i, instead: 'horário da programação' },
  { code: 'pt', word: /\bfilmes?\b/i, instead: 'vídeo' },
  { code: 'ru', word: /приостан/i, instead: 'редактировать', except: pausedThings },
  { code: 'ru', word: /отключена/i, instead: 'деактивирована' },
  { code: 'ru', word: /фильм/i, instead: 'видео' },
  { code: 'ua', word: /друку|надруков/i, instead: 'виводити' },
  { code: 'ua', word: /призупин/i, instead: 'редагувати', except: pausedThings },
  { code: 'ua', word: /фільм/i, instead: 'відео' },
  { code: 'ua', word: /[\p{Ll},] (?:Ви|Вам|Вас|Ваш\p{L}*)(?!\p{L})/u, instead: 'ви', except: /^mails:/ },
  { code: 'ar', word: /طبع/, instead: 'عرض' },
  { code: 'ar', word: /تعذر/, instead: 'تعذّر' },
  { code: 'ar', word: /(?:إيقاف|أوقف).*للتحرير/, instead: 'تحرير' },
  { code: 'ar', word: /فيلم/, instead: 'فيديو' },
  { code: 'cn', word: /媒体|曲目/, instead: '素材' },
  { code: 'cn', word: /影片/, instead: '视频' },
  { code: 'cn', word: /半角/, instead: '逗号, 双引号: the server takes both' },
  { code: 'cn', word: /暂停/, instead: '编辑', except: pausedThings },
]

const wordsOf = (code: LocaleCode) =>
  formerWords.filter(word => word.code === code).map(word => ({ except: /^$/, ...word }))

describe.each(locales.map(({ code }) => code))('the texts in %s', code => {
  it('have one word for one thing', () => {
    const found = [...readCatalogue(`packages/locales/catalogues/${code}`)].flatMap(([key, text]) =>
      wordsOf(code)
        .filter(({ word, except }) => word.test(text) && !except.test(key))
        .map(({ instead }) => `${key}: ${text} (${instead})`),
    )
    expect(found).toEqual([])
  })
})
