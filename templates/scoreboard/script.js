// The scores. Each player's best one is a value in spark.shared: everybody reads it, and only the player
// and the host may change or delete it. The game is in game.js.
import { onRoundEnd } from './game.js'

const find = (selector) => document.querySelector(selector)
const board = find('#board')
const enter = find('#enter')
const notice = find('#notice')

// What to say when something does not work, by the code of the error.
const reasons = {
  not_agreed: 'Without your name, your score stays yours alone.',
  rate_limited: 'That was fast! Wait a minute, then try again.',
  offline: 'The connection is gone. Try again in a moment.',
  demo_account: 'Demo accounts only watch here. Register to enter your score.',
}

function explain(error) {
  notice.textContent = reasons[error.code] ?? error.message
}

/** All scores, by their keys. */
const entries = new Map()

// Called with each score that is there, and whenever one comes, changes or goes, on all screens at once.
spark.shared.watch('scores/', (entry) => {
  if (entry.value === undefined) entries.delete(entry.key)
  else entries.set(entry.key, entry)
  showBoard()
})

function showBoard() {
  // Keys and values are what the browsers of players say, and a sly player could say 999. Only whose
  // they are comes from the server. So each player has one line, and the host can remove it.
  const best = new Map()
  for (const entry of entries.values()) {
    const player = entry.author.id ?? entry.key
    const isScore = Number.isInteger(entry.value) && entry.value > 0 && entry.value < 1000
    if (isScore && entry.value > (best.get(player)?.value ?? 0)) best.set(player, entry)
  }
  const sorted = [...best.values()].toSorted((a, b) => b.value - a.value)
  board.replaceChildren(...sorted.slice(0, 10).map(makeRow))
}

function makeElement(tag, className, text = '') {
  const element = document.createElement(tag)
  element.className = className
  // textContent, not innerHTML: names of visitors are never run as code.
  element.textContent = text
  return element
}

function makeRow({ key, value, author, isMine }) {
  const line = makeElement('div', 'flaps')
  line.append(makeElement('span', 'name', author.name), makeElement('b', '', value))
  const remove = makeElement('button', 'remove', '×')
  remove.ariaLabel = `Remove the score of ${author.name}`
  remove.addEventListener('click', () => {
    // The button vanishes with the score, so the keyboard gets another place.
    spark.shared.delete(key).then(() => find('#board-title').focus(), explain)
  })
  const row = makeElement('li', isMine ? 'mine' : '')
  row.append(line, remove)
  return row
}

// The user is null until the visitor says who they are.
function greet(user) {
  enter.hidden = user !== null
  document.body.classList.toggle('is-host', user?.isHost === true)
}
spark.user().then(greet, () => greet(null))

/** The best score since the page was opened. */
let best = 0

async function enterScore() {
  try {
    // Whoever did not say who they are is asked now. Those who would rather not are null.
    const user = await spark.signIn()
    greet(user)
    if (user === null) notice.textContent = reasons.not_agreed
    if (user === null || best === 0) return
    const mine = [...entries.values()].find(({ isMine }) => isMine)
    if (mine?.value >= best) {
      notice.textContent = `Your best is still ${mine.value}.`
      return
    }
    await spark.shared.set(mine?.key ?? `scores/${new Date().toISOString()}`, best)
    notice.textContent = `Your ${best} points are on the board.`
  } catch (error) {
    explain(error)
  }
}

enter.addEventListener('click', enterScore)

onRoundEnd(async (points) => {
  best = Math.max(best, points)
  const user = await spark.user().catch(() => null)
  if (user === null) notice.textContent = `Your best: ${best} points.`
  else await enterScore()
})
