// The search of the manual: folds case, accents and letters, finds each word anywhere, and names the part of the page.
const form = document.querySelector('form[role=search]')
const field = document.getElementById('search')
const found = document.getElementById('found')
const MAX_FOUND = 12
let entries

/** Letters that Unicode does not decompose, of the languages of the manual; foldText of the contract knows all. */
const LETTERS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', ı: 'i', ς: 'σ', '’': "'" }

const fold = text =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłıς’]/g, letter => LETTERS[letter])

async function load() {
  entries ??= fetch('search.json').then(answer => (answer.ok ? answer.json() : []))
  return entries
}

/** Titles count more than headings, and these more than the text. */
function rank({ title, heading, text }, words) {
  const [inTitle, inHeading, inText] = [title, heading, text].map(fold)
  let points = 0
  for (const word of words) {
    const hit =
      (inTitle.includes(word) ? 4 : 0) + (inHeading.includes(word) ? 3 : 0) + (inText.includes(word) ? 1 : 0)
    if (hit === 0) return 0
    points += hit
  }
  return points
}

/** The text around the first word that was found. */
function excerpt(text, word) {
  const at = Math.max(0, fold(text).indexOf(word) - 40)
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 120)}${text.length > at + 120 ? '…' : ''}`
}

function line({ slug, title, heading, anchor, text }, words) {
  const link = document.createElement('a')
  link.href = anchor ? `${slug}#${anchor}` : slug
  const name = document.createElement('b')
  name.textContent = heading ? `${title} › ${heading}` : title
  const part = document.createElement('span')
  part.textContent = excerpt(text, words[0])
  link.append(name, part)
  return link
}

let asked = 0
async function search() {
  const turn = (asked += 1)
  const words = fold(field.value).split(/\s+/).filter(Boolean)
  const all = words.length > 0 ? await load() : []
  if (turn !== asked) return
  const hits = all
    .map(entry => ({ entry, points: rank(entry, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, MAX_FOUND)
  found.replaceChildren(...hits.map(({ entry }) => line(entry, words)))
  if (words.length > 0 && hits.length === 0) found.textContent = form.dataset.none
  found.hidden = words.length === 0
}

field.addEventListener('focus', () => void load())
field.addEventListener('input', () => void search())
form.addEventListener('submit', event => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
addEventListener('keydown', event => {
  if (event.key === 'Escape') {
    field.value = ''
    void search()
  } else if (event.key === '/' && document.activeElement !== field) {
    event.preventDefault()
    field.focus()
  } else if (
    (event.key === 'ArrowDown' || event.key === 'ArrowUp') &&
    form.contains(document.activeElement)
  ) {
    const stops = [field, ...found.querySelectorAll('a')]
    const next = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
    stops[next]?.focus()
    event.preventDefault()
  }
})
// A click elsewhere closes the list.
addEventListener('click', event => {
  if (!form.contains(event.target)) found.hidden = true
})
field.addEventListener('focus', () => (found.hidden = found.childNodes.length === 0))
found.hidden = true
