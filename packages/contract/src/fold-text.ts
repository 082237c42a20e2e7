/** Marks above and below letters, of Latin and its neighbours and of Arabic, and Arabic's stretching. */
const MARKS = /\u0640|[\u0300-\u036F\u064B-\u065F\u0670]/g

/** Letters that Unicode does not decompose and CLDR's Latin-ASCII does, the final sigma, and typographic marks. */
const LETTERS = new Map(
  Object.entries({
    a: 'ⱥ',
    b: 'ƀƃɓ',
    c: 'ƈȼɕ',
    d: 'ðđƌɖɗȡ',
    e: 'ɇɛəǝ',
    f: 'ƒ',
    g: 'ǥɠɡ',
    h: 'ħɦɧ',
    i: 'ıɨɩ',
    j: 'ȷɉɟʝ',
    k: 'ƙ',
    l: 'łƚɫɬɭȴ',
    m: 'ɱ',
    n: 'ŋƞɲɳȵ',
    o: 'øɵɔ',
    p: 'ƥ',
    q: 'ĸʠ',
    r: 'ɍɼɽɾ',
    s: 'ȿʂ',
    t: 'ŧƫƭʈȶⱦ',
    u: 'ʉ',
    v: 'ʋ',
    w: 'ⱳ',
    y: 'ƴɏ',
    z: 'ƶȥɀʐʑ',
    ae: 'æ',
    oe: 'œ',
    ss: 'ß',
    th: 'þ',
    σ: 'ς',
    "'": '‘’‛ʻʼ′',
    '"': '“”„‟',
    '-': '‐‒–—―−',
  }).flatMap(([plain, letters]) => [...letters].map((letter): [string, string] => [letter, plain])),
)
const FOLDED = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g')

/**
 * A text as searches compare it: without case, accents, width and the forms of letters, 'STRASSE' and 'Straße' alike. The
 * database has the same function: docs/decisions/0272.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .toLowerCase()
    .replaceAll(FOLDED, letter => LETTERS.get(letter) ?? letter)
